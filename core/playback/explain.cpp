#include "core/playback/explain.h"

#include "core/io/data_entry.h"
#include "core/io/embedded.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <span>

namespace tilewalk {
namespace {

using enum StepKind;
constexpr std::string_view kTelling = "lessons/data/told.toml";

std::string count_words(int64_t count) {
  constexpr std::array<std::string_view, 13> kWords{"no",    "one",   "two",  "three", "four",   "five",  "six",
                                                    "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return count >= 0 && count < int64_t(kWords.size()) ? std::string(kWords[size_t(count)]) : with_commas(count);
}

std::string capital(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = char(words[0] - 'a' + 'A');
  return words;
}

std::string keys_words(int64_t count) { return count == 1 ? "one key" : count_words(count) + " keys"; }

// "key 9", "keys 9 and 10", "keys 9 to 12"; arguments count from 1.
std::string range_words(std::string_view thing, int64_t first, int64_t last) {
  if (first == last) return fmt::format("{} {}", thing, first);
  return fmt::format("{}s {} {} {}", thing, first, last == first + 1 ? "and" : "to", last);
}

// All that can be asked of the followed row at one moment: the step, its tile's keys, the row before and after.
struct Told {
  Told(const Replay& replay, int64_t from, int64_t playhead, int64_t row)
      : steps(replay.steps().data() + from, size_t(playhead - from)),
        plan(replay.plan()),
        schedule(replay.schedule()),
        t(plan.tiling),
        division_next(playhead < replay.length() && replay.steps()[size_t(playhead)].kind == Normalize) {
    if (steps.empty()) return;
    step = steps.back();
    number = step.i * t.br + row + 1;
    first_key = step.j * t.bc;
    last_key = first_key + t.cols(step.j) - 1;
  }

  void see(const RowTrace& trace) {
    if (steps.empty()) return;
    for (const RowTrace::Visit& v : trace.visits) (v.j == step.j ? here : before) = v;
    if (trace.open) here = *trace.open;
    open = trace.open.has_value();
    // FA3 has the scores of the next tile before it is done with this one: those are no past yet.
    std::vector<bool> past(size_t(t.tc), standard());
    for (const RowTrace::Visit& v : trace.visits) past[size_t(v.j)] = true;
    int64_t winner = -1, holder = -1;
    for (int64_t c = 0; c < t.n_k; ++c) {
      const RowTrace::Key& key = trace.keys[size_t(c)];
      const bool masked = key.score == kMinusInfinity;
      visible += !masked;
      if (c >= first_key && c <= last_key) {
        hidden += masked;
        if (!masked && (winner < 0 || key.score > trace.keys[size_t(winner)].score)) winner = c;
      } else if (key.seen && past[size_t(key.tile)] && !masked) {
        ++seen_before;
        if (holder < 0 || key.score > trace.keys[size_t(holder)].score) holder = c;
      }
    }
    best = winner + 1, champion = holder + 1;
  }

  void see(const GradientTrace& trace) {
    gradients = &trace;
    if (steps.empty() || step.j < 0) return;
    for (int64_t c = best_p = best_ds = first_key; c <= last_key; ++c) {
      const auto& key = trace.keys[size_t(c)];
      if (key.p > trace.keys[size_t(best_p)].p) best_p = c;
      if (std::fabs(key.ds) > std::fabs(trace.keys[size_t(best_ds)].ds)) best_ds = c;
    }
  }

  bool did(StepKind kind) const {
    return std::ranges::any_of(steps, [&](const Step& s) { return s.kind == kind; });
  }
  // Several turns of the inner loop, or more.
  bool several() const {
    return std::ranges::adjacent_find(steps, [](const Step& a, const Step& b) {
             return a.section != b.section || a.visit != b.visit;
           }) != steps.end();
  }
  bool fa1() const { return schedule.id == (schedule.backward() ? Method::Fa1Backward : Method::Fa1); }
  bool standard() const { return schedule.backward() ? schedule.scores_in_memory : schedule.id == Method::Standard; }
  int64_t seen_here() const { return last_key - first_key + 1 - hidden; }
  double max_before() const { return before ? before->m : kMinusInfinity; }
  double max_now() const { return here ? here->m : max_before(); }
  double sum_before() const { return before ? before->l : 0; }
  double sum_now() const { return here && !open ? here->l : sum_before(); }
  double alpha() const { return here ? here->alpha : 1; }
  double added() const { return here ? here->tile_sum : 0; }

  // Of several steps, the one whose idea is told.
  std::string_view subject() const {
    if (steps.empty()) return "start";
    if (several()) return "several";
    if (schedule.backward()) return "backward";
    const auto kind = [&] {
      if (did(RowMax) && did(RowSum)) return RowMax;
      if (did(RowSum)) return RowSum;
      if (did(Rescale) && alpha() != 1) return Rescale;
      for (const StepKind each :
           {Accumulate, Mask, RowMax, Normalize, NormalizeP, Convert, StoreO, StoreS, StoreP, LoadQ, LoadK})
        if (did(each)) return each;
      return step.kind;
    }();
    return info_of(kind).name;
  }

  std::span<const Step> steps;
  const Plan& plan;
  const Schedule& schedule;
  const Tiling& t;
  bool division_next, open = false;
  Step step;
  // Keys from 0 over all of them, but for the best of this tile and of those seen before, which count from 1 (0: none).
  int64_t number = 0, first_key = 0, last_key = 0, hidden = 0, seen_before = 0, visible = 0, best = 0, champion = 0,
          best_p = 0, best_ds = 0;
  std::optional<RowTrace::Visit> before, here;  // the visit before this tile, and this tile's
  const GradientTrace* gradients = nullptr;
};

struct Fact {
  std::string_view name;
  bool (*holds)(const Told&);
};
const Fact kFacts[] = {
    {"backward", [](const Told& f) { return f.schedule.backward(); }},
    {"standard", [](const Told& f) { return f.standard(); }},
    {"fa1", [](const Told& f) { return f.fa1(); }},
    {"fa3", [](const Told& f) { return f.schedule.id == Method::Fa3; }},
    {"first-visit", [](const Told& f) { return f.step.has(Step::kFirstVisit); }},
    {"final-max", [](const Told& f) { return f.step.has(Step::kFinalMax); }},
    {"output", [](const Told& f) { return f.step.has(Step::kOutput); }},
    {"first-kernel", [](const Told& f) { return f.step.pass == 0; }},
    {"second-kernel", [](const Told& f) { return f.step.pass == 1; }},
    {"first-q-tile", [](const Told& f) { return f.step.i == 0; }},
    {"last-q-tile", [](const Told& f) { return f.step.i + 1 >= f.t.tr; }},
    {"division-next", [](const Told& f) { return f.division_next; }},
    {"d-one", [](const Told& f) { return f.plan.problem.d == 1; }},
    {"one-key", [](const Told& f) { return f.first_key == f.last_key; }},
    {"none-hidden", [](const Told& f) { return f.hidden == 0; }},
    {"all-hidden", [](const Told& f) { return f.seen_here() == 0; }},
    {"none-best", [](const Told& f) { return f.best == 0; }},
    {"nothing-seen", [](const Told& f) { return f.seen_before == 0; }},
    {"one-seen", [](const Told& f) { return f.seen_before == 1; }},
    {"no-max-before", [](const Told& f) { return f.max_before() == kMinusInfinity; }},
    {"max-rises", [](const Told& f) { return f.max_now() > f.max_before(); }},
    {"alpha-one", [](const Told& f) { return f.alpha() == 1; }},
    {"nothing-added", [](const Told& f) { return f.seen_here() == 0 || f.added() == 0; }},
    {"no-sum-before", [](const Told& f) { return f.sum_before() == 0; }},
    {"no-sum", [](const Told& f) { return f.sum_now() == 0; }},
    {"no-key", [](const Told& f) { return f.gradients->lse == kMinusInfinity; }},
};

struct Word {
  std::string_view name;
  std::string (*words)(const Told&);
};
const Word kWords[] = {
    {"schedule", [](const Told& f) { return std::string(f.schedule.name); }},
    {"kernel", [](const Told& f) { return std::to_string(f.step.pass + 1); }},
    {"kernel-name", [](const Told& f) { return std::string(f.schedule.passes[f.step.pass]); }},
    {"step-name", [](const Told& f) { return std::string(info_of(f.step.kind).name); }},
    {"step-meaning", [](const Told& f) { return std::string(info_of(f.step.kind).meaning); }},
    {"format", [](const Told& f) { return std::string(name_of(f.plan.problem.format)); }},
    {"d", [](const Told& f) { return std::to_string(f.plan.problem.d); }},
    {"N-q", [](const Told& f) { return with_commas(f.t.n_q); }},
    {"N-k", [](const Told& f) { return with_commas(f.t.n_k); }},
    {"all-keys", [](const Told& f) { return keys_words(f.t.n_k); }},
    {"scores", [](const Told& f) { return with_commas(f.t.n_q * f.t.n_k); }},
    {"tiles", [](const Told& f) { return with_commas(f.t.tr * f.t.tc); }},
    {"K-tiles", [](const Told& f) { return count_words(f.t.tc); }},
    {"visits", [](const Told& f) { return count_words(f.t.visits(f.step.i)); }},
    {"rows", [](const Told& f) { return std::to_string(f.t.rows(f.step.i)); }},
    {"cols", [](const Told& f) { return std::to_string(f.t.cols(f.step.j)); }},
    {"i", [](const Told& f) { return std::to_string(f.step.i + 1); }},
    {"j", [](const Told& f) { return std::to_string(f.step.j + 1); }},
    {"row", [](const Told& f) { return std::to_string(f.number); }},
    {"tile-rows",
     [](const Told& f) { return range_words("row", f.step.i * f.t.br + 1, f.step.i * f.t.br + f.t.rows(f.step.i)); }},
    {"tile-keys", [](const Told& f) { return range_words("key", f.first_key + 1, f.last_key + 1); }},
    {"first-key", [](const Told& f) { return std::to_string(f.first_key + 1); }},
    {"keys-here", [](const Told& f) { return count_words(f.last_key - f.first_key + 1); }},
    {"More", [](const Told& f) { return capital(count_words(f.last_key - f.first_key + 1)); }},
    {"hidden", [](const Told& f) { return count_words(f.hidden); }},
    {"keys-seen-here", [](const Told& f) { return count_words(f.seen_here()); }},
    {"visible-here", [](const Told& f) { return keys_words(f.seen_here()); }},
    {"visible", [](const Told& f) { return keys_words(f.visible); }},
    {"seen", [](const Told& f) { return keys_words(f.seen_before); }},
    {"left", [](const Told& f) { return count_words(f.visible - f.seen_before); }},
    {"best", [](const Told& f) { return std::to_string(f.best); }},
    {"champion", [](const Told& f) { return std::to_string(f.champion); }},
    {"m", [](const Told& f) { return num(f.max_now()); }},
    {"m-before", [](const Told& f) { return num(f.max_before()); }},
    {"l", [](const Told& f) { return num(f.sum_now()); }},
    {"l-before", [](const Told& f) { return num(f.sum_before()); }},
    {"l-shrunk", [](const Told& f) { return num(f.alpha() * f.sum_before()); }},
    {"added", [](const Told& f) { return num(f.added()); }},
    {"alpha", [](const Told& f) { return num(f.alpha()); }},
    {"D", [](const Told& f) { return num(f.gradients->d); }},
    {"dS", [](const Told& f) { return num(f.gradients->keys[size_t(f.best_ds)].ds); }},
    {"best-P", [](const Told& f) { return std::to_string(f.best_p + 1); }},
    {"best-dS", [](const Told& f) { return std::to_string(f.best_ds + 1); }},
};

std::optional<Tensor> tensor_of(std::string_view symbol) {
  for (int k = 0; k < int(kTensorCount); ++k)
    if (symbol_of(Tensor(k)) == symbol) return Tensor(k);
  return std::nullopt;
}

// The parts of a text between `mark`s; each of a line of facts is "a", "!a" or "a|b".
std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(mark), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

struct Row {
  std::string of, when;
  std::vector<std::string> words;  // of an idea: its title, then its sentences
  bool is_idea;
};

class Telling {
 public:
  Telling(std::string_view toml, std::vector<std::string>& faults) {
    for_each_entry(toml, kTelling, {"idea", "phrase"}, faults, [&](std::string_view key, const toml::table& table) {
      DataEntry entry(table, kTelling, fmt::format("[[{}]]", key), faults);
      Row row{entry.text("of"), entry.text_or("when", ""), {}, key == "idea"};
      if (row.is_idea) {
        row.words = entry.texts("text");
        row.words.insert(row.words.begin(), entry.text("title"));
      } else {
        row.words = {entry.text_or("words", "")};
      }
      entry.rename(fmt::format("[[{}]] {} {}", key, row.of, row.when));
      if (entry.finish()) rows_.push_back(std::move(row));
    });
  }

  const std::vector<Row>& rows() const { return rows_; }
  const Row* find(std::string_view subject, bool is_idea, const Told& f) const {
    for (const Row& row : rows_) {
      const std::vector<std::string_view> of = split(row.of, '|'), facts = split(row.when, ' ');
      if (row.is_idea == is_idea && std::ranges::find(of, subject) != of.end() &&
          std::ranges::all_of(facts, [&](std::string_view fact) { return holds(fact, f); }))
        return &row;
    }
    return nullptr;
  }

  std::string filled(std::string_view text, const Told& f) const {
    std::string out;
    for (size_t open; (open = text.find('{')) != text.npos; text.remove_prefix(text.find('}') + 1))
      out.append(text.substr(0, open)) += word(text.substr(open + 1, text.find('}') - open - 1), f);
    return out.append(text);
  }

 private:
  static bool holds(std::string_view fact, const Told& f) {
    if (fact.starts_with('!')) return !holds(fact.substr(1), f);
    return std::ranges::any_of(split(fact, '|'), [&](std::string_view one) {
      const auto known = std::ranges::find(kFacts, one, &Fact::name);
      if (known != std::end(kFacts)) return known->holds(f);
      const auto step = step_named(one);
      return step && f.did(*step);
    });
  }
  std::string word(std::string_view name, const Told& f) const {
    const auto known = std::ranges::find(kWords, name, &Word::name);
    if (known != std::end(kWords)) return known->words(f);
    if (const auto tensor = tensor_of(name)) return tile_name(*tensor, f.step.i, f.step.j);
    const Row* phrase = find(name, false, f);
    return phrase ? filled(phrase->words.front(), f) : std::string();
  }

  std::vector<Row> rows_;
};

const Telling& telling() {
  static const Telling own = [] {
    std::vector<std::string> faults;  // of our own file: a test says that there are none
    return Telling(embedded_file(kTelling), faults);
  }();
  return own;
}

Explanation tell(const Told& f) {
  Explanation out;
  const Row* row = telling().find(f.subject(), true, f);
  if (!row) return out;
  for (const std::string& words : row->words) out.sentences.push_back(telling().filled(words, f));
  out.title = out.sentences.front();
  out.sentences.erase(out.sentences.begin());
  std::erase_if(out.sentences, [](const std::string& s) { return s.empty(); });
  return out;
}

}  // namespace

Explanation explain(const Replay& replay, int64_t from, int64_t playhead, int64_t row, const RowTrace& trace) {
  Told facts(replay, from, playhead, row);
  facts.see(trace);
  Explanation out = tell(facts);
  // An equation stays on one line.
  for (std::string& sentence : out.sentences)
    for (std::string_view sign : {" = ", " × "})
      for (size_t at = 0; (at = sentence.find(sign, at)) != std::string::npos; at += sign.size() + 2)
        sentence.replace(at, sign.size(), "\u00A0" + std::string(sign.substr(1, sign.size() - 2)) + "\u00A0");
  return out;
}

Explanation explain(const Replay& replay, int64_t from, int64_t playhead, int64_t row, const GradientTrace& trace) {
  Told facts(replay, from, playhead, row);
  facts.see(trace);
  return tell(facts);
}

std::vector<std::string> telling_faults(std::string_view toml) {
  std::vector<std::string> faults;
  const Telling asked(toml, faults);
  std::set<std::string_view> phrases;
  for (const Row& row : asked.rows())
    if (!row.is_idea) phrases.insert(row.of);
  for (const Row& row : asked.rows()) {
    const auto fault = [&](std::string_view what, std::string_view name) {
      faults.push_back(fmt::format("{}: {} {}: no {} \"{}\"", kTelling, row.of, row.when, what, name));
    };
    for (const std::string_view fact : split(row.when, ' '))
      for (std::string_view one : split(fact, '|')) {
        if (one.starts_with('!')) one.remove_prefix(1);
        if (std::ranges::find(kFacts, one, &Fact::name) == std::end(kFacts) && !step_named(one)) fault("fact", one);
      }
    for (const std::string_view of : split(row.is_idea ? std::string_view(row.of) : "start", '|'))
      if (of != "start" && of != "several" && of != "backward" && !step_named(of)) fault("step", of);
    for (const std::string_view text : row.words)
      for (size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
        const std::string_view name = text.substr(at + 1, text.find('}', at) - at - 1);
        if (std::ranges::find(kWords, name, &Word::name) == std::end(kWords) && !tensor_of(name) &&
            !phrases.contains(name))
          fault("word", name);
      }
  }
  return faults;
}

}  // namespace tilewalk
