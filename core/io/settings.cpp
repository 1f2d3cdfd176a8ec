// Reading and writing of settings.toml. See settings.h.
#include "core/io/settings.h"

#include "core/io/file.h"
#include "core/io/folder_lock.h"
#include "core/io/merge.h"
#include "core/io/paths.h"
#include "core/io/printable.h"
#include "core/io/toml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace tilewalk {
namespace fs = std::filesystem;
namespace {

constexpr int64_t version = 1;
constexpr uint64_t most_bytes = uint64_t{1} << 20;

// Takes known keys out of the table one by one; what remains is unknown.
class Taker {
 public:
  Taker(const fs::path& file, toml::table& table, std::vector<std::string>& notices)
      : file_(file), table_(table), notices_(notices) {}

  void take(std::string_view key, bool& value) {
    visit(key, "true or false", [&](const toml::node& node) { return assign(node.value_exact<bool>(), value); });
  }

  void take(std::string_view key, std::string& value) {
    visit(key, "a text in quotes",
          [&](const toml::node& node) { return assign(node.value_exact<std::string>(), value); });
  }

  template <class Number>
  void take(std::string_view key, Number& value, Number least, Number most) {
    visit(key, "a number", [&](const toml::node& node) {
      const auto number = node.is_number() ? node.value<double>() : std::nullopt;
      if (!number || std::isnan(*number)) return false;
      const double inside = std::clamp(*number, static_cast<double>(least), static_cast<double>(most));
      value = static_cast<Number>(inside);
      if (inside != *number) {
        notice(node, key, fmt::format("is outside {} to {} and was taken as {}", least, most, value));
      }
      return true;
    });
  }

  void take(std::string_view key, Theme& value) {
    visit(key, "\"light\", \"dark\" or \"projector\"", [&](const toml::node& node) {
      const auto name = node.value_exact<std::string>();
      const auto theme = named<Theme>(kThemeNames, name.value_or(""));
      value = theme.value_or(value);
      return theme.has_value();
    });
  }

  // Numbers and truth values written by hand pass as their text.
  void take(std::string_view key, std::map<std::string, std::string>& value) {
    visit(key, "a table", [&](const toml::node& node) {
      const toml::table* entries = node.as_table();
      if (!entries) return false;
      for (const auto& [name, entry] : *entries) {
        const std::string whole = fmt::format("{}.{}", key, printable(name.str()));
        if (const auto text = entry.value_exact<std::string>()) {
          value[std::string(name.str())] = *text;
        } else if (entry.is_value() && !entry.is_date() && !entry.is_time() && !entry.is_date_time()) {
          std::ostringstream text;
          entry.visit([&](const auto& any) {
            if constexpr (toml::is_value<decltype(any)>) text << any;
          });
          value[std::string(name.str())] = text.str();
        } else {
          notice(entry, whole, "is not a text in quotes and was left out");
        }
      }
      return true;
    });
  }

 private:
  template <class T>
  static bool assign(const std::optional<T>& from, T& to) {
    if (from) to = *from;
    return from.has_value();
  }

  template <class Read>
  void visit(std::string_view key, std::string_view expected, Read&& read) {
    const toml::node* node = table_.get(key);
    if (!node) return;
    if (!read(*node)) notice(*node, key, fmt::format("is not {}, so its default is used", expected));
    table_.erase(key);
  }

  void notice(const toml::node& node, std::string_view key, std::string_view what) {
    notices_.push_back(fmt::format("{}, line {}: {} {}.", printable_path(file_), node.source().begin.line, key, what));
  }

  const fs::path& file_;
  toml::table& table_;
  std::vector<std::string>& notices_;
};

// A TOML string in quotes; foreign bytes that TOML cannot hold are replaced.
std::string toml_string(std::string_view text) {
  std::ostringstream out;
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out << '\\' << c;
    } else if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7F) {
      out << fmt::format("\\u{:04X}", byte);
    } else {
      out << c;
    }
  }
  return '"' + printable(out.view()) + '"';
}

std::string toml_float(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

void fill(Settings& settings, Taker& taker) {
  taker.take("theme", settings.theme);
  taker.take("scale", settings.scale, 0.75, 3.0);
  taker.take("speed", settings.speed, 0.1, 8.0);
  taker.take("window_width", settings.window_width, 640, 16384);
  taker.take("window_height", settings.window_height, 360, 16384);
  taker.take("window_maximized", settings.window_maximized);
  taker.take("monitor", settings.monitor);
  taker.take("rail_folded", settings.rail_folded);
  taker.take("right_column_hidden", settings.right_column_hidden);
  taker.take("reduced_motion", settings.reduced_motion);
  taker.take("gpu_worker", settings.gpu_worker);
  taker.take("coach_seen", settings.coach_seen);
  taker.take("for_kernels", settings.for_kernels);
  taker.take("way", settings.way);
  taker.take("left_on_walk", settings.left_on_walk);
  taker.take("last_problem", settings.last_problem);
}

// Nothing where the library cannot read again what it writes, as of a name with three quotes in it.
std::optional<std::string> as_toml(const toml::table& table) {
  if (table.empty()) return std::string();
  const auto written = [](const toml::table& entries) {
    std::ostringstream out;
    out << toml::toml_formatter(entries);
    return out.str();
  };
  const std::string text = written(table);
  try {
    if (written(parse_toml_text(text)) == text) return text;
  } catch (const toml::parse_error&) {
  }
  return std::nullopt;
}

// Why the file cannot be used at all, as a sentence, or the table.
std::string read_table(const fs::path& file, toml::table& table) {
  try {
    table = parse_toml_text(read_file(file, most_bytes));
  } catch (const IoError& error) {
    return error.what();
  } catch (const toml::parse_error& error) {
    return fmt::format("{} is damaged at line {} ({}).", printable_path(file), error.source().begin.line,
                       printable(error.description()));
  }
  const toml::node* number = table.get("version");
  const int64_t found = number ? number->value_exact<int64_t>().value_or(0) : version;
  table.erase("version");
  if (found > version) {
    return fmt::format("{} was written by a newer Tilewalk (version {} of the file, {} is known).",
                       printable_path(file), found, version);
  }
  return {};
}

}  // namespace

LoadedSettings load_settings(const fs::path& file, std::string_view suffix) {
  LoadedSettings loaded;
  std::error_code missing;
  if (file.empty() || fs::symlink_status(file, missing).type() == fs::file_type::not_found) return loaded;

  toml::table table;
  std::string fault = read_table(file, table);
  if (!fault.empty()) {
    loaded.damaged = true;
    fault.pop_back();
    try {
      fault += fmt::format("; it was set aside as {}, and defaults are used.",
                           printable_path(set_aside(file, suffix).filename()));
    } catch (const IoError&) {
      fault += "; it could not be set aside, and defaults are used: remove it.";
      loaded.blocked = true;
    }
    loaded.notices.push_back(fault);
    return loaded;
  }

  Taker taker(file, table, loaded.notices);
  fill(loaded.settings, taker);
  const std::optional<std::string> unknown = as_toml(table);
  if (!unknown)
    loaded.notices.push_back(
        fmt::format("{}: what another version of Tilewalk wrote there could not be kept.", printable_path(file)));
  loaded.settings.unknown = unknown.value_or("");
  return loaded;
}

std::string settings_text(const Settings& s) {
  std::string text;
  auto put = [&](std::string_view comment, std::string_view key, std::string_view value) {
    if (!comment.empty()) text += fmt::format("\n# {}\n", comment);
    text += fmt::format("{} = {}\n", key, value);
  };
  auto yes_no = [](bool value) { return value ? "true" : "false"; };
  text +=
      "# Settings of Tilewalk, written by the program when they change. Values may be edited while it is closed;\n"
      "# comments are not kept. A value that is missing takes its default.\n";
  put("", "version", std::to_string(version));
  put("\"light\", \"dark\" or \"projector\".", "theme", toml_string(name_of(s.theme)));
  put("Size of text and controls, times the monitor's own scale: 0.75 to 3.", "scale", toml_float(s.scale));
  put("Speed of playing: 0.1 to 8.", "speed", toml_float(s.speed));
  put("The window, in pixels at 100 %, and the name of the monitor it was on.", "window_width",
      std::to_string(s.window_width));
  put("", "window_height", std::to_string(s.window_height));
  put("", "window_maximized", yes_no(s.window_maximized));
  put("", "monitor", toml_string(s.monitor));
  put("The list of lessons at the left shows numbers only.", "rail_folded", yes_no(s.rail_folded));
  put("The column at the right is hidden.", "right_column_hidden", yes_no(s.right_column_hidden));
  put("Steps are shown without movement.", "reduced_motion", yes_no(s.reduced_motion));
  put("What starts the GPU worker, as \"ssh gpubox tilewalk-gpu serve\"; empty: tilewalk-gpu beside the program.",
      "gpu_worker", toml_string(s.gpu_worker));
  put("The hint of the first start was read.", "coach_seen", yes_no(s.coach_seen));
  put("In lessons, what is for kernel people is unfolded.", "for_kernels", yes_no(s.for_kernels));
  put("The way through the lessons: \"idea\", \"kernels\", or empty.", "way", toml_string(s.way));
  put("A walk of one's own was on the stage, and no lesson: the next start begins with one.", "left_on_walk",
      yes_no(s.left_on_walk));
  if (!s.unknown.empty()) text += "\n# Kept for another version of Tilewalk.\n" + s.unknown + "\n";
  if (!s.last_problem.empty()) {
    text += "\n# The problem that was on screen.\n[last_problem]\n";
    for (const auto& [key, value] : s.last_problem) put("", toml_string(key), toml_string(value));
  }
  return text;
}

bool save_settings(const fs::path& file, const Settings& settings) {
  if (file.empty()) return false;
  const std::string text = settings_text(settings);
  try {
    if (read_file(file, most_bytes) == text) return false;
  } catch (const IoError&) {
    // Missing or unreadable: it is written, and what stands in the way of that is reported then.
  }
  if (file.has_parent_path()) make_folder(file.parent_path());
  write_file(file, text);
  return true;
}

Settings merged(const Settings& known, const Settings& ours, const Settings& theirs) {
  Settings out = theirs;
  const auto take = [&](auto... members) {
    if (((ours.*members != known.*members) || ...)) ((out.*members = ours.*members), ...);
  };
  using S = Settings;
  take(&S::theme);
  take(&S::scale);
  take(&S::speed);
  take(&S::window_width, &S::window_height, &S::window_maximized, &S::monitor);
  take(&S::rail_folded);
  take(&S::right_column_hidden);
  take(&S::reduced_motion);
  take(&S::gpu_worker);
  take(&S::coach_seen);
  take(&S::for_kernels);
  take(&S::way);
  take(&S::left_on_walk);
  take(&S::unknown);
  out.last_problem = merged_by_key(known.last_problem, ours.last_problem, theirs.last_problem);
  return out;
}

std::string keep_settings(const fs::path& file, const Settings& known, const Settings& ours, std::string_view suffix,
                          double patience) {
  if (file.empty()) return {};
  if (file.has_parent_path()) make_folder(file.parent_path());
  const FolderLock lock(file.parent_path(), patience);
  LoadedSettings theirs = load_settings(file, suffix);
  if (theirs.blocked) throw IoError(theirs.notices.back());
  std::error_code missing;
  const bool there = fs::exists(file, missing);
  save_settings(file, there ? merged(known, ours, theirs.settings) : ours);
  return theirs.damaged ? theirs.notices.back() : std::string();
}

}  // namespace tilewalk
