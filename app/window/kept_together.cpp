#include "app/window/kept_together.h"

#include "app/window/present_frame.h"
#include "core/io/file.h"
#include "core/io/folder_lock.h"
#include "core/io/json_reader.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/lesson/progress_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using std::string_view_literals::operator""sv;

constexpr uint64_t kMostBytes = uint64_t{64} << 20;
constexpr size_t kMostFiles = 1000, kLongestName = 120;
constexpr double kPatience = 1;  // seconds that another window is waited for
constexpr const char *kProgress = "progress.json", *kNotes = "notes.json", *kSettings = "settings.toml",
                     *kGpus = "gpus.toml";

struct OwnFolder {
  std::string_view name, ending;
};
constexpr std::array kOwnFolders{OwnFolder{"lessons", ".md"}, OwnFolder{"recordings", ".json"}};

using Files = std::map<std::string, std::string>;  // by their names in the file

// Where a name's file is here; empty where nothing is kept.
fs::path place_of(const Window& w, const std::string& name) {
  const bool config = name == kSettings || name == kGpus;
  const fs::path folder = config ? w.settings.file().parent_path() : w.notes_file.parent_path();
  return folder.empty() ? fs::path() : folder / name;
}

// A name of a plain file in one of the own folders: nothing that leads out of it, and nothing hidden.
bool is_own_file(const std::string& name) {
  if (name == kGpus) return true;
  for (const auto& [folder, ending] : kOwnFolders) {
    const std::string_view inside = std::string_view(name).substr(std::min(name.size(), folder.size() + 1));
    if (name.starts_with(std::string(folder) + "/") && inside.ends_with(ending) && inside.size() > ending.size() &&
        inside.size() <= kLongestName && !inside.starts_with('.') && inside.find_first_of("/\\\0"sv) == inside.npos)
      return true;
  }
  return false;
}

Files files_here(const Window& w) {
  Files out;
  const auto take = [&](const std::string& name) {
    const fs::path file = place_of(w, name);
    std::error_code missing;
    if (!file.empty() && fs::is_regular_file(file, missing)) out[name] = read_file(file, kMostBytes);
  };
  for (const char* name : {kProgress, kNotes, kSettings, kGpus}) take(name);
  for (const auto& [folder, ending] : kOwnFolders) {
    std::error_code none;
    for (fs::directory_iterator it(place_of(w, std::string(folder)), none), end; !none && it != end; it.increment(none))
      if (const std::string name = fmt::format("{}/{}", folder, it->path().filename().string()); is_own_file(name))
        take(name);
  }
  return out;
}

Files files_in(const fs::path& file) {
  const Json json = read_json(read_file(file, kMostBytes));
  if (json.at("tilewalk_kept").get<int>() != 1) throw IoError("it was written by a newer Tilewalk");
  Files out = json.at("files").get<Files>();
  if (out.size() > kMostFiles) throw IoError("it holds too many files");
  return out;
}

// The readers of files want files: one beside the real one, for as long as this lives.
class Beside {
 public:
  Beside(const fs::path& file, const std::string& text) : path_(file) {
    path_ += ".brought";
    make_folder(path_.parent_path());
    write_file(path_, text);
  }
  ~Beside() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void bring_progress(Window& w, const std::string& text) {
  const fs::path file = place_of(w, kProgress);
  const Beside brought(file, text);
  const LoadedDated theirs = load_dated(brought.path(), "brought");
  if (!theirs.notice.empty()) throw IoError("its progress is damaged");
  const FolderLock lock(file.parent_path(), kPatience);
  const LoadedDated ours = load_dated(file, "brought");
  if (ours.blocked) throw IoError(ours.notice);
  write_file(file, dated_text(merged(ours.dated, theirs.dated, {}, LessonFiles::wall_clock())));
  if (w.lessons) w.lessons->look_again();
}

void bring_notes(Window& w, const std::string& text) {
  const Beside brought(w.notes_file, text);
  const OwnNotes theirs = load_notes(brought.path(), "brought");
  if (!theirs.notice.empty()) throw IoError("its notes are damaged");
  w.notes_known = w.view.present.own_notes = keep_notes(w.notes_file, {}, theirs.notes, "brought", kPatience).notes;
}

void bring_settings(Window& w, const std::string& text) {
  const Beside brought(w.settings.file(), text);
  const LoadedSettings theirs = load_settings(brought.path(), "brought");
  if (theirs.damaged) throw IoError("its settings are damaged");
  w.view.theme = Theme(int(theirs.settings.theme));
  w.view.speed = float(theirs.settings.speed);
  w.view.scale = float(theirs.settings.scale);
  w.redraw = std::max(w.redraw, 2);
}

}  // namespace

std::string take_along(Window& w, const fs::path& folder) {
  try {
    if (w.lessons) w.lessons->save(w.view, w.clock);
    keep_window_notes(w, kPatience);
    const Files files = files_here(w);
    if (files.empty()) return "Nothing is kept here that could be taken along.";
    const std::string name = "tilewalk-" + iso_now().substr(0, 10);
    fs::path file = folder / (name + std::string(kKeptEnding));
    std::error_code ignored;
    for (int copy = 2; fs::exists(file, ignored); ++copy)
      file = folder / fmt::format("{}-{}{}", name, copy, kKeptEnding);
    const Json json{{"tilewalk_kept", 1}, {"files", files}};
    write_file(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    return fmt::format("Saved {}: open it in another Tilewalk.", printable_path(file));
  } catch (const IoError& error) {
    return error.what();
  }
}

std::string bring_along(Window& w, const fs::path& file) {
  const auto refused = [&](std::string_view why) {
    return fmt::format("{} was not taken in: {}.", printable_path(file.filename()), why);
  };
  if (w.notes_file.empty() || w.settings.file().empty()) return refused("nothing is kept here");
  if (w.view.present.on) return refused("somebody presents; stop first");
  try {
    const Files files = files_in(file);
    if (w.lessons) w.lessons->save(w.view, w.clock);
    keep_window_notes(w, kPatience);
    if (const auto found = files.find(kProgress); found != files.end()) bring_progress(w, found->second);
    if (const auto found = files.find(kNotes); found != files.end()) bring_notes(w, found->second);
    if (const auto found = files.find(kSettings); found != files.end()) bring_settings(w, found->second);
    int fresh = 0, stay = 0;
    for (const auto& [name, text] : files) {
      if (!is_own_file(name)) continue;
      const fs::path place = place_of(w, name);
      std::error_code ignored;
      if (fs::exists(place, ignored)) {
        stay += read_file(place, kMostBytes) != text;
        continue;
      }
      make_folder(place.parent_path());
      write_file(place, text);
      ++fresh;
    }
    std::string said = fmt::format("{} was taken in: progress, notes and settings", printable_path(file.filename()));
    if (fresh > 0) said += fmt::format(", and {} file{} of your own", fresh, fresh == 1 ? "" : "s");
    said += ".";
    if (stay == 1) said += " One that differs stays as it is here.";
    if (stay > 1) said += fmt::format(" {} that differ stay as they are here.", stay);
    return said;
  } catch (const Json::exception&) {
    return refused("it is damaged");
  } catch (const JsonError& error) {
    return refused(fmt::format("it {}", error.what()));
  } catch (const IoError& error) {
    std::string_view why = error.what();
    if (why.ends_with('.')) why.remove_suffix(1);
    return refused(why);
  }
}

}  // namespace tilewalk
