// The last lines that a process wrote to its standard error, made printable. One without an end is shown when its time
// has come, as a question for a password has none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

class LastLines {
 public:
  void add(std::string_view bytes);
  void end_line();             // as a line's end does
  bool waits_for_end() const;  // something stands in a line that has none
  void show_unended();         // among the lines, until it is ended
  void put(std::string only_line);

  std::vector<std::string> lines() const;  // the last one behind

 private:
  std::string line_, unended_;  // as it is written, and as it was shown
  std::vector<std::string> lines_;
};

}  // namespace tilewalk
