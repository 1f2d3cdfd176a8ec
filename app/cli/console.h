// Where the command line writes, and how wide: one place for wrapping and for the few colours a terminal gets.
#pragma once

#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// What the process leaves with. 3, for a GPU that is needed and absent, belongs to commands that need one.
enum ExitCode { kOk = 0, kFailure = 1, kUsage = 2, kUnreadable = 4 };

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool color = false;
  int columns = 80;
  std::ostream* bytes = nullptr;  // where a document goes as it is: a picture, a page; null is `out`

  // Writes a document, which is for a program to read, behind what was said so far.
  void document(std::string_view content);
};

// Passes lines on, and with them none of what a terminal would take for a command or that hides or turns round what is
// read (core/io/printable.h): whatever a link, a file or the environment brought in. The inks of `inked` pass where
// there is colour; escapes that JSON reads back take the place of the rest.
class PrintableBuffer final : public std::streambuf {
 public:
  PrintableBuffer(std::ostream& to, bool color) : to_(to), color_(color) {}
  ~PrintableBuffer() override { sync(); }

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  std::ostream& to_;
  bool color_;
  std::string line_;  // what has no end yet
};

// Ends a command. Each fault is one sentence: what is wrong, where, and what to do.
class CommandError : public std::runtime_error {
 public:
  CommandError(ExitCode code, std::string fault) : CommandError(code, std::vector{std::move(fault)}) {}
  CommandError(ExitCode code, std::vector<std::string> faults)
      : std::runtime_error(faults.empty() ? "" : faults.front()), code(code), faults(std::move(faults)) {}
  ExitCode code;
  std::vector<std::string> faults;
};

// Characters that a terminal shows for UTF-8 text in which every code point is one column wide.
int width_of(std::string_view text);
std::string padded(std::string_view text, int width);         // on the right
std::string right_aligned(std::string_view text, int width);  // padded on the left

// Lines of at most `columns`, broken at spaces; those after the first begin with `indent` spaces.
std::string wrapped(std::string_view text, int columns, int indent);

enum class Ink { Bold, Dim, Accent };
std::string inked(const Console& console, Ink ink, std::string_view text);  // plain where there is no colour

}  // namespace tilewalk
