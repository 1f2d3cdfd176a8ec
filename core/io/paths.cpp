// The places of the program's files. See paths.h.
#include "core/io/paths.h"

#include "core/io/file.h"
#include "core/io/printable.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <vector>

namespace tilewalk {
namespace fs = std::filesystem;
namespace {

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::string> account_home() {
  std::vector<char> buffer(16384);
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || !found || !found->pw_dir) {
    return std::nullopt;
  }
  return found->pw_dir;
}

// Empty unless the value is there and absolute.
fs::path absolute_or_nothing(const std::optional<std::string>& value) {
  if (!value || !fs::path(*value).is_absolute()) return {};
  return *value;
}

// Whether what lies there is as much ours to trust as the program: of its owner, of the owner of the folder that holds
// both (who may replace the program), ours or root's; and closed to others unless they may replace the program too.
bool as_safe_as(const fs::path& program_folder, const fs::path& base, const fs::path& folder) {
  struct stat program {
  }, around{}, link{}, status{};
  if (::stat(program_folder.c_str(), &program) != 0 || ::lstat(folder.c_str(), &link) != 0 ||
      ::stat(base.c_str(), &around) != 0 || ::stat(folder.c_str(), &status) != 0)
    return false;
  const auto owned = [&](const struct stat& each) {
    return each.st_uid == program.st_uid || each.st_uid == around.st_uid || each.st_uid == 0 ||
           each.st_uid == ::geteuid();
  };
  const bool open = (status.st_mode & S_IWOTH) != 0 && (program.st_mode & S_IWOTH) == 0;
  return owned(link) && owned(status) && !open;
}

}  // namespace

Environment read_environment() {
  Environment environment;
  environment.xdg_config_home = variable("XDG_CONFIG_HOME");
  environment.xdg_data_home = variable("XDG_DATA_HOME");
  environment.xdg_state_home = variable("XDG_STATE_HOME");
  environment.xdg_cache_home = variable("XDG_CACHE_HOME");
  environment.xdg_pictures_dir = variable("XDG_PICTURES_DIR");
  environment.home = variable("HOME");
  environment.passwd_home = account_home();
  std::error_code ignored;
  environment.program = fs::read_symlink("/proc/self/exe", ignored);
  return environment;
}

Folders find_folders(const Environment& environment, bool portable) {
  Folders folders;
  if (portable) {
    if (environment.program.empty()) {
      folders.notice =
          "Settings and progress are not kept, because the folder of the program is not known; start "
          "without --portable.";
      return folders;
    }
    const fs::path base = environment.program.parent_path() / "tilewalk-data";
    folders.config = base / "config";
    folders.data = base / "data";
    folders.state = base / "state";
    folders.cache = base / "cache";
    return folders;
  }

  fs::path home = absolute_or_nothing(environment.home);
  if (home.empty()) home = absolute_or_nothing(environment.passwd_home);
  auto folder = [&](const std::optional<std::string>& xdg, const char* below_home) -> fs::path {
    const fs::path base = absolute_or_nothing(xdg);
    if (!base.empty()) return base / "tilewalk";
    return home.empty() ? fs::path() : home / below_home / "tilewalk";
  };
  folders.config = folder(environment.xdg_config_home, ".config");
  folders.data = folder(environment.xdg_data_home, ".local/share");
  folders.state = folder(environment.xdg_state_home, ".local/state");
  folders.cache = folder(environment.xdg_cache_home, ".cache");
  if (folders.config.empty() || folders.data.empty()) {
    folders.notice =
        "Settings and progress are not kept, because this account has no home folder; set HOME, or start "
        "with --portable.";
  }
  return folders;
}

std::vector<fs::path> program_data(const fs::path& program_folder, std::string_view installed,
                                   std::string_view in_tree) {
  std::vector<fs::path> out;
  if (program_folder.filename() != "bin") return out;
  const fs::path prefix = program_folder.parent_path();
  const auto add = [&](const fs::path& base, const fs::path& below) {
    fs::path path = base;
    for (const fs::path& part : below) {
      path /= part;
      if (!as_safe_as(program_folder, base, path)) return;
    }
    out.push_back(path);
  };
  std::error_code ignored;
  if (fs::is_regular_file(prefix / "CMakeCache.txt", ignored)) add(prefix.parent_path(), in_tree);
  add(prefix, fs::path("share/tilewalk") / installed);
  return out;
}

fs::path find_pictures(const Environment& environment) { return absolute_or_nothing(environment.xdg_pictures_dir); }

std::optional<fs::path> path_of_url(std::string_view url) {
  constexpr std::string_view kScheme = "file://";
  if (!url.starts_with(kScheme)) return std::nullopt;
  url.remove_prefix(kScheme.size());
  const size_t slash = url.find('/');  // before it: this computer's name, or nothing
  if (slash == std::string_view::npos) return std::nullopt;
  url.remove_prefix(slash);
  std::string path;
  for (size_t k = 0; k < url.size(); ++k) {
    unsigned char byte = 0;
    const char* digits = url.data() + k + 1;
    if (url[k] == '%' && k + 2 < url.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      path += char(byte);
      k += 2;
    } else {
      path += url[k];
    }
  }
  return path;
}

void make_folder(const fs::path& folder) {
  fs::path made;
  for (const fs::path& part : folder) {
    made /= part;
    struct stat status {};
    if (::stat(made.c_str(), &status) == 0) {
      if (S_ISDIR(status.st_mode)) continue;
      io_fail(made, "is a file where a folder is needed; rename or remove it");
    }
    // Another program may have made it meanwhile.
    if (::mkdir(made.c_str(), 0700) == 0 || errno == EEXIST) continue;
    io_fail(folder, fmt::format("could not be made ({}); check the permissions of the folder above, or start with "
                                "--portable",
                                system_words(errno)));
  }
}

}  // namespace tilewalk
