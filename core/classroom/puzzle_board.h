// Puzzles of Write in a class: who is at which, how many have solved it, and the best that anybody's program came to.
// Pages say it of themselves; nothing here knows a name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewalk {

struct MeterSaid {
  std::string key;  // of core/model/program_meters.h's table: "fill-bytes"
  int64_t value = 0;
  bool operator==(const MeterSaid&) const = default;
};

struct PuzzleCount {
  std::string puzzle;           // its id
  int64_t at = 0, solved = 0;   // pages that are at it and have not solved it, and that have
  std::vector<MeterSaid> best;  // of the meters that its goals are about, each the best of all who solved it
  bool operator==(const PuzzleCount&) const = default;
};

class PuzzleBoard {
 public:
  struct Solved {
    uint64_t seat = 0;
    std::string puzzle;
    std::vector<MeterSaid> meters;
  };

  // That page is at this puzzle, empty: at none, and has solved it or not; its best stays where a later one is worse.
  // What no class has (a long id, meters that are none, too many of all) is left out.
  void take(uint64_t seat, const std::string& puzzle, bool solved, const std::vector<MeterSaid>& meters);
  void left(uint64_t seat) { at_.erase(seat); }
  std::vector<PuzzleCount> counts() const;  // by id
  // Those that come with the program by id, and all others, which anybody may have named, as one without an id.
  std::vector<PuzzleCount> shipped_counts() const;

  // For the class's file.
  std::vector<Solved> solved() const;
  void restore(const Solved& solved);

 private:
  std::map<uint64_t, std::string> at_;
  std::map<std::string, std::map<uint64_t, std::vector<MeterSaid>>> solved_;
};

}  // namespace tilewalk
