#include "app/window/settings_file.h"

#include "core/io/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace tilewalk {
namespace {

constexpr double kEvery = 1;  // seconds

}  // namespace

Settings SettingsFile::open(std::vector<std::string>& notices) {
  LoadedSettings loaded = load_settings(file_, suffix_ ? suffix_() : std::string());
  std::ranges::move(loaded.notices, std::back_inserter(notices));
  known_ = std::move(loaded.settings);
  return known_;
}

std::string SettingsFile::look(const Settings& now, double clock) {
  waiting_ = !file_.empty() && now != known_;
  if (!waiting_ || clock - tried_ < kEvery) return {};
  std::string said = keep(now, clock, FileBusy::kPatience);
  tried_ = waiting_ ? clock + FileBusy::kTryAgain - kEvery : clock;
  return said == said_ ? std::string() : said_ = std::move(said);
}

double SettingsFile::seconds_to_look(double clock) const {
  return waiting_ ? std::max(0.0, tried_ + kEvery - clock) : std::numeric_limits<double>::infinity();
}

std::string SettingsFile::finish(const Settings& now) {
  return file_.empty() || now == known_ ? std::string() : keep(now, tried_, FileBusy::kLastPatience);
}

std::string SettingsFile::keep(const Settings& now, double clock, double patience) {
  try {
    std::string said = keep_settings(file_, known_, now, suffix_ ? suffix_() : std::string(), patience);
    known_ = now;
    waiting_ = false;
    busy_.over();
    return said;
  } catch (const IoError& error) {
    if (!busy_.worth_saying(error, clock, patience)) return {};
    return fmt::format("Settings are not kept. {}", error.what());
  }
}

}  // namespace tilewalk
