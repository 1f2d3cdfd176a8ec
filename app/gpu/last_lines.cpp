#include "app/gpu/last_lines.h"

#include "core/io/printable.h"

#include <utility>

namespace tilewalk {
namespace {

constexpr size_t kMostOfLine = 400;  // bytes
constexpr size_t kMostLines = 12;

}  // namespace

void LastLines::add(std::string_view bytes) {
  for (const char c : bytes) {
    if (c == '\n' || c == '\r')
      end_line();
    else if (line_.size() < kMostOfLine)
      line_ += c;
  }
}

void LastLines::end_line() {
  if (waits_for_end()) {
    if (lines_.size() == kMostLines) lines_.erase(lines_.begin());
    lines_.push_back(printable(line_, "\t"));
    unended_.clear();
  }
  line_.clear();
}

bool LastLines::waits_for_end() const { return line_.find_first_not_of(" \t") != std::string::npos; }

void LastLines::show_unended() { unended_ = printable(line_, "\t"); }

void LastLines::put(std::string only_line) { lines_ = {std::move(only_line)}; }

std::vector<std::string> LastLines::lines() const {
  std::vector<std::string> out = lines_;
  if (!unended_.empty()) out.push_back(unended_);
  return out;
}

}  // namespace tilewalk
