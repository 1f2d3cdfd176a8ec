// A small structure-aware fuzzer for all that reads strangers' bytes, one test a reader. It changes good inputs at
// random, as trees where they are JSON, and blows some of them up to half a megabyte; each must be read without harm
// and within a budget of processor time and memory, which find what grows faster than its input. Meant for the build
// with AddressSanitizer as well. Runs for TILEWALK_FUZZ_SECONDS a reader, or five; TILEWALK_FUZZ_SEED starts
// elsewhere; TILEWALK_FUZZ_KEEP names a file that each input is written to before it is read. What was over a budget is
// kept as fuzz-<reader>-<number>: mended, it belongs into tests/fuzz/corpus/<reader>, whose files are read first.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  size_t below(size_t count) { return count ? size_t(random_() % count) : 0; }
  bool one_in(size_t count) { return below(count) == 0; }
  uint64_t bits() { return random_(); }
  template <class List>
  const auto& any(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 random_;
};

struct FuzzedReader {
  std::string name;                 // of its folder in the corpus
  std::vector<std::string> seeds;   // that are read well
  std::vector<std::string> pieces;  // what the format is made of
  // Reads as the program does; whether it was taken. What it throws is a fault.
  std::function<bool(const std::string& input)> read;
  // A changed input; changed_text or changed_json where a format has nothing of its own.
  std::function<std::string(const FuzzedReader& reader, Dice& dice)> changed;
};

std::string changed_text(const FuzzedReader& reader, Dice& dice);
std::string changed_json(const FuzzedReader& reader, Dice& dice);
// The same on one text: for formats that hold another.
std::string changed_text(std::string text, const FuzzedReader& reader, Dice& dice);
std::string changed_json(const std::string& text, Dice& dice);

// Of one input: so much processor time and so much memory more than before, at its fullest.
struct FuzzBudget {
  double seconds;
  size_t bytes;
};
FuzzBudget budget_of(size_t input_bytes);

void fuzz(const FuzzedReader& reader);

}  // namespace tilewalk
