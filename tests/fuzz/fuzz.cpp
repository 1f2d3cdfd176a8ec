#include "tests/fuzz/fuzz.h"

#include "core/io/file.h"
#include "tests/fuzz/memory_meter.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostInput = size_t{1} << 17, kBlownUp = size_t{1} << 19;

#if defined(__SANITIZE_ADDRESS__)
constexpr double kSlower = 20;  // most where much is allocated
#else
constexpr double kSlower = 1;
#endif

struct Told {
  bool taken = false;
  double seconds = 0;
  size_t bytes = 0;
  std::string thrown;
};

Told read_once(const FuzzedReader& reader, const std::string& input) {
  Told told;
  const size_t before = memory_in_use();
  start_peak();
  const std::clock_t begin = std::clock();  // of the processor: the machine may be busy
  try {
    told.taken = reader.read(input);
  } catch (const std::exception& error) {
    told.thrown = error.what();
  } catch (...) {
    told.thrown = "what is no exception";
  }
  told.seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  told.bytes = peak_of_memory() - std::min(peak_of_memory(), before);
  return told;
}

// The quickest of three readings where the first took too long: a busy machine slows even the processor's clock.
Told read_fairly(const FuzzedReader& reader, const std::string& input) {
  Told told = read_once(reader, input);
  for (int again = 0; again < 2 && told.seconds > budget_of(input.size()).seconds; ++again)
    told.seconds = std::min(told.seconds, read_once(reader, input).seconds);
  return told;
}

// Whether it kept to the rules; says so otherwise, and keeps the input.
bool judge(const FuzzedReader& reader, const std::string& input, const Told& told, const std::string& name) {
  const FuzzBudget budget = budget_of(input.size());
  if (told.thrown.empty() && told.seconds <= budget.seconds && told.bytes <= budget.bytes) return true;
  const fs::path kept = fmt::format("fuzz-{}-{}", reader.name, name);
  std::ofstream(kept, std::ios::binary) << input;
  FAIL_CHECK(reader.name, ": an input of ", input.size(), " bytes took ", told.seconds, " s (", budget.seconds,
             " allowed) and ", told.bytes, " bytes (", budget.bytes, " allowed)",
             told.thrown.empty() ? std::string() : ", threw: " + told.thrown, "; kept as ",
             fs::absolute(kept).string());
  return false;
}

double seconds_asked() {
  const char* seconds = std::getenv("TILEWALK_FUZZ_SECONDS");
  return seconds ? std::atof(seconds) : 5;
}

}  // namespace

FuzzBudget budget_of(size_t input_bytes) {
  return {kSlower * (0.1 + 5e-7 * double(input_bytes)), (size_t{32} << 20) + 150 * input_bytes};
}

std::string changed_text(std::string text, const FuzzedReader& reader, Dice& dice) {
  const auto below = [&](size_t count) { return dice.below(count); };
  const auto piece = [&] { return reader.pieces.empty() ? std::string("\n") : dice.any(reader.pieces); };
  for (size_t changes = 1 + below(8); changes > 0; --changes) {
    const size_t at = below(text.size() + 1), length = below(text.size() - at + 1);
    switch (below(9)) {
      case 0:
        if (!text.empty()) text[below(text.size())] = char(dice.bits());
        break;
      case 1:
        if (!text.empty()) text[below(text.size())] ^= char(1 << below(8));
        break;
      case 2: text.erase(at, std::min<size_t>(length, 64)); break;
      case 3: text.erase(at, length); break;
      case 4: text.insert(at, piece()); break;
      case 5: text.insert(below(text.size() + 1), text.substr(at, std::min<size_t>(length, 200))); break;
      case 6: {
        const std::string& other = dice.any(reader.seeds);
        text.insert(at, other.substr(below(other.size() + 1), below(400)));
        break;
      }
      case 7: {
        const std::string one = piece();
        std::string many;
        for (size_t k = below(300); k > 0; --k) many += one;
        text.insert(at, many);
        break;
      }
      default: text.insert(at, 1, char(dice.bits()));
    }
    if (text.size() > kMostInput) text.resize(kMostInput);
  }
  if (!dice.one_in(50) || text.empty()) return text;
  // A stretch of it again and again, each time with a number of its own in place of its first letter or digit.
  const size_t at = below(text.size()), length = std::min(1 + below(200), text.size() - at);
  const std::string one = text.substr(at, length);
  const size_t mark = std::min(one.find_first_of("abcdefghijklmnopqrstuvwxyz0123456789"), one.size());
  const size_t size = kBlownUp / (1 + below(16));
  std::string many;
  for (size_t k = 0; many.size() < size; ++k)
    many.append(one, 0, mark).append(fmt::format("{}", k)).append(one, std::min(mark + 1, one.size()));
  return text.insert(at, many);
}

std::string changed_text(const FuzzedReader& reader, Dice& dice) {
  return changed_text(dice.any(reader.seeds), reader, dice);
}

void fuzz(const FuzzedReader& reader) {
  FuzzedReader whole = reader;
  const fs::path corpus = fs::path(TILEWALK_SOURCE_DIR) / "tests/fuzz/corpus" / reader.name;
  std::error_code none;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(corpus, none)) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const std::string& seed : reader.seeds) {
    const Told told = read_fairly(whole, seed);
    CHECK(told.taken);
    judge(whole, seed, told, "seed");
  }
  for (const fs::path& file : files) {
    whole.seeds.push_back(read_file(file));
    judge(whole, whole.seeds.back(), read_fairly(whole, whole.seeds.back()), file.filename().string());
  }

  const char* seed = std::getenv("TILEWALK_FUZZ_SEED");
  const char* keep = std::getenv("TILEWALK_FUZZ_KEEP");
  Dice dice(seed ? std::strtoull(seed, nullptr, 10) : 1);
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double> limit(seconds_asked());
  int64_t inputs = 0, taken = 0, faults = 0;
  Told slowest, largest;
  while (std::chrono::steady_clock::now() - begin < limit && faults < 10) {
    const std::string input = whole.changed(whole, dice);
    if (keep) std::ofstream(keep, std::ios::binary) << input;
    const Told told = read_fairly(whole, input);
    if (!judge(whole, input, told, fmt::format("{}", inputs))) ++faults;
    if (told.seconds > slowest.seconds) slowest = told;
    if (told.bytes > largest.bytes) largest = told;
    taken += told.taken;
    ++inputs;
  }
  MESSAGE(reader.name, ": ", inputs, " inputs, ", taken, " of them taken; the slowest in ", slowest.seconds,
          " s, the largest in ", largest.bytes, " bytes");
  CHECK(faults == 0);
  CHECK(inputs > 0);
  CHECK(taken < inputs);
}

}  // namespace tilewalk
