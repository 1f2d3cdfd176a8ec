// A question that a whole room answers: votes with how sure each is, counted while it is open, told when the one who
// teaches says so; asked again after a discussion, both rounds beside each other. Who voted for what is kept only while
// the round is open, by a number that says nothing of a person, so that a vote can be changed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

enum class Sure : uint8_t { Guess, Rather, Sure };
constexpr int kSureLevels = 3;
constexpr int kMostOptions = 12;
constexpr size_t kMostAskedWords = 400;  // bytes of a question, or an option, as a class keeps it

struct Vote {
  int option = -1;                    // from 0, of a question with options
  std::optional<double> number = {};  // of one that asks for a number
  Sure sure = Sure::Rather;
};

// What a round came to.
struct Tally {
  std::vector<std::array<int, kSureLevels>> options;  // votes for each option, by how sure
  std::vector<double> numbers;                        // ascending
  int votes = 0;
};

struct PollAsked {
  std::string place;                  // a link to the question's beat
  std::string question;               // its id in the lesson
  int options = 0;                    // 0: a number is asked for
  std::string title = {};             // of the beat, for the summary
  std::string unit = {};              // of the number
  std::vector<int> right = {};        // options that are right; told after the last round
  std::optional<double> answer = {};  // likewise, of a number
  std::string lesson = {};            // the id of the question's own
  int64_t seed = 1;                   // of its numbers and the order of its options: the same on every page
  // What the wall showed, for the summary, which knows no lesson. Pages have it of the lesson, and are not told it.
  std::vector<int> order = {};          // the option at each letter; empty: nobody said
  std::string words = {};               // the question
  std::vector<std::string> said = {};   // its options, in the lesson's order
  std::string answer_words = {};        // the right number with its unit: "1,057 µs"
  std::optional<double> one_unit = {};  // what a 1 under `unit` is, in what numbers are kept in: 1e-6
};

class Poll {
 public:
  Poll() = default;
  explicit Poll(PollAsked asked) : asked_(std::move(asked)), rounds_(1) {}

  const PollAsked& asked() const { return asked_; }
  int round() const { return int(rounds_.size()); }  // from 1
  bool open() const { return open_; }
  bool counted() const { return counted_; }                        // the room sees what the rounds came to
  bool told() const { return told_; }                              // and which answer is right
  const std::map<uint64_t, Vote>& cast() const { return votes_; }  // while the round is open
  int votes() const { return open_ ? int(votes_.size()) : rounds_.empty() ? 0 : rounds_.back().votes; }

  // Another vote of the same voter takes the place of the one before. Or why it does not count, in one sentence.
  std::string vote(uint64_t voter, const Vote& vote);
  std::optional<Vote> vote_of(uint64_t voter) const;  // while the round is open
  std::optional<Vote> take_back(uint64_t voter);      // as if it had not been cast; nothing where it was not
  void close();                                       // forgets who voted for what
  void show() { close(), counted_ = true; }
  void tell() { show(), told_ = true; }
  void ask_again();  // another round; what the one before came to is not told any more

  std::vector<Tally> rounds() const;  // the open one, too

  // For the file that a class leaves: a server that was ended goes on with the votes of the open round.
  struct Kept {
    PollAsked asked;
    std::vector<Tally> rounds;
    std::map<uint64_t, Vote> votes;
    bool open = true, counted = false, told = false;
  };
  Kept kept() const;
  explicit Poll(Kept kept);

 private:
  Tally tally() const;

  PollAsked asked_;
  std::vector<Tally> rounds_;  // the last one is the round that is open, and is counted when it ends
  std::map<uint64_t, Vote> votes_;
  bool open_ = true, counted_ = false, told_ = false;
};

}  // namespace tilewalk
