// A lesson as plain data: beats, each with its text, what it puts on the stage, and what it asks. Read from one
// Markdown file (core/lesson/reader.h); lessons/README.md is the author's guide.
#pragma once

#include "core/lesson/prose.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewalk {

// The shape that every lesson follows.
enum class BeatKind : uint8_t { Hook, Explore, Predict, Reveal, Break, Check, Compute };
constexpr int kBeatKindCount = 7;
std::string_view name_of(BeatKind kind);  // "hook", ..., "compute": what a beat's heading begins with

// What a beat puts on the stage. Only what is named changes; an empty stage keeps the beat's before.
struct StageSetting {
  std::string stage;  // "walk", or the id of a board (app/boards/board.h)
  std::map<std::string, std::string, std::less<>>
      walk;           // of a walk: the command line's words: schedule, compare,
                      // preset, n, d, br, bc, mask, seed, format, variant, machine ...
  std::string seek;   // a step by query: "first rescale of Q tile 1", "start", "end"
  std::string play;   // plays on to this step, by query
  std::string focus;  // outlined: "tile:K/2", "stat:alpha/0"
  std::string tab;    // "lesson", "explain", "numbers", "gpu"
  int64_t row = -1;   // the row that is followed, from 1; -1 leaves it
  std::string fault;  // what is broken on purpose: "no-rescale"; see Mistake
  std::map<std::string, std::string, std::less<>> knobs;  // of a board: values by knob id
  std::map<std::string, std::string, std::less<>> room;   // those that are others in front of a room, in this beat
  std::vector<std::string> show;                          // of a board: the knobs within reach; at most three
  std::vector<std::string> cover;                         // of a board, in this beat: readings that are asked for later
  std::vector<std::string> without;                       // of a walk, in this beat: "l2", "statistics": not drawn yet
  int line = 0;                                           // in the file; 0 where nothing is set
};

// What "Break it" puts on the stage of its beat, and in a few words what is then broken.
struct Breakage {
  std::string says;  // "Rescale skipped"
  StageSetting set;
};

// A question: options to choose from, or a number on a logarithmic scale.
struct AnswerOption {
  Prose text, why;    // the reason, right or wrong: shown for the option that was chosen
  std::string right;  // an expression that is 1 where this option is right; "true" and "false" too
};
struct Variable {
  std::string name;                  // "N"
  std::vector<std::string> choices;  // expressions; the seed picks one of them
};
struct Question {
  std::string id;        // unique in its lesson: "doubling"
  bool predict = false;  // asked before the stage shows it
  bool drill = false;    // asked in a review of ten alone (core/lesson/review_of_ten.h)
  Prose text;
  std::vector<AnswerOption> options;  // of a choice; empty: a number is asked
  std::string answer, format;         // of a number: an expression, and how it is shown
  std::string unit;                   // what the learner types it in: "MB", "µs", "GiB", "×", "%", ""
  bool exact = false;                 // of a number: what is near is wrong, as of a count
  Prose why;                          // after the answer, whatever it was
  std::vector<Variable> vary;         // "Another one" picks anew
  std::vector<std::string> cover;     // readings that a plate covers until it is answered: "time", "bytes"
  std::vector<std::string> lock;      // knobs that stay as they are until then, beside those that the proof turns
  StageSetting stage;                 // what the stage shows while it is asked, over what its beat has put there
  StageSetting proof;                 // what the stage shows with the answer
  int line = 0;
};

struct Lesson;

struct Beat {
  BeatKind kind = BeatKind::Explore;
  std::string title;  // of its heading
  Prose text;
  Prose kernel;   // "For kernel people": folded at the beat's end
  Prose explain;  // of the Explain tab, in place of what its board says there
  StageSetting stage;
  std::vector<Breakage> breaks;  // of a break beat
  std::vector<Question> questions;
  std::vector<Question> drills;        // not asked here: reviews ask them, with this beat's text and stage
  std::string note;                    // for the speaker
  std::shared_ptr<const Lesson> home;  // of a review: the lesson whose numbers and stage it has,
  int home_beat = 0;                   // and which of its beats
  int line = 0;
};

// Its questions and its drills.
std::vector<const Question*> all_questions_of(const Beat& beat);

struct Source {
  std::string title, where;  // "FlashAttention-2, section 3.1", "arXiv:2307.08691"
};

// What the GPU tab shows in a lesson: a benchmark size, whose kernel, and what to look for in it.
struct GpuPage {
  std::string kernel;  // "standard", "fa2"
  int64_t n = 0;       // 0: the lesson has no page, and the tab shows the inputs on the stage
  Prose look;
  int line = 0;
};

// A way through the path, which its prologue offers.
struct LessonWay {
  std::string id, title;     // "idea", "The idea"
  std::string says;          // one sentence
  std::vector<int> lessons;  // their numbers, rising
};

struct Lesson {
  std::string id;            // "online-softmax": of the file's front matter, unique in the course
  int number = 0;            // 1..14 in the course's path; 0 for an appendix or a lesson of one's own
  bool prologue = false;     // it stands before the path, and is not counted
  int review = 0;            // a review of ten: the number of the lesson that it stands behind; 0: none
  int phase = 0;             // 1..4; 0 none
  std::string title, brief;  // brief: at most 24 characters, for the rail
  double minutes = 0;        // reading and doing
  std::string file;          // as it was given to the reader
  std::vector<std::pair<std::string, std::string>> quantities;  // names of the front matter and their expressions
  std::map<std::string, std::string, std::less<>> meanings;     // what such a name means, for its tip
  std::vector<LessonWay> ways;                                  // of the prologue
  std::vector<Source> reading;                                  // further reading
  GpuPage gpu;
  std::vector<Beat> beats;  // at least one
};

}  // namespace tilewalk
