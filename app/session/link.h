// Links to a place in the program, as text: a beat of a lesson, a step of a walk, a board and what is set on it.
//
//   tilewalk://lesson/6/step/37?N=64&d=16&Br=16&Bc=16&mask=causal&seed=7&view=numbers&v=1
//   tilewalk://write?puzzle=keep-p     tilewalk://write/step/3?program=Zm9yIGVhY2g...
//   tilewalk://lesson/one-q-tile/beat/3     tilewalk://walk/step/12?schedule=fa1     tilewalk://board/clocks?N=1024
//
// Here the text alone; app/session/link_moves.h goes there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewalk {

constexpr int kLinkVersion = 1;
constexpr size_t kLongestLink = 4096;  // bytes
// The trained head that comes with the program is a place of its own: inputs=trained-head, layer and head from 1.
constexpr std::string_view kTrainedHead = "trained-head";

struct Link {
  enum class Place : uint8_t { Lesson, Walk, Board, Write } place = Place::Walk;
  std::string name;                                       // of a lesson its number or id; of a board its id
  std::optional<int64_t> beat;                            // of a lesson, from 1
  std::optional<int64_t> step;                            // steps taken
  std::vector<std::pair<std::string, std::string>> keys;  // in their order, without %-escapes; "v" is not among them
  std::vector<std::string> unknown;                       // parts of the path that this version does not know
  int64_t version = kLinkVersion;

  const std::string* find(std::string_view key) const;  // the last of that name, or null
  std::string repeated() const;                         // one sentence on keys that stand there twice, or empty
  bool operator==(const Link&) const = default;
};

bool is_link(std::string_view text);  // whether it means to be one: begins with "tilewalk:", in any case

struct ReadLink {
  Link link;
  std::string fault;  // one sentence where it leads nowhere; empty otherwise
};
ReadLink read_link(std::string_view text);  // blanks around it do not count

std::string link_text(const Link& link);

}  // namespace tilewalk
