// `tilewalk export --worksheet`: the sheet of lesson 7 to print, and its answers.
#pragma once

#include "app/cli/console.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace tilewalk {

class WorksheetOptions {
 public:
  void add_to(CLI::App& command);
  bool asked() const { return asked_; }
  const std::optional<std::string>& lesson() const { return lesson_; }  // also of a lesson's page
  bool tiles() const { return tiles_.has_value(); }
  // F.html holds both sheets; beside F.svg the answers go to F-answers.svg; "-" is the empty sheet as SVG on standard
  // output. `seed` as it was typed; null: 5. Throws CommandError.
  void run(const std::string& out, const std::string* seed, Console& console) const;

 private:
  bool asked_ = false;
  std::optional<std::string> lesson_, tiles_;
};

}  // namespace tilewalk
