#include "core/judge/judge_rows.h"

#include "core/attention/reference.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace tilewalk {
namespace {

using enum StepKind;

// What a tile of m, l, O or a gradient has taken in: tiles along the other axis, in order.
struct Held {
  std::vector<int32_t> tiles;
  bool divided = false;  // O: by l

  bool has(int32_t tile) const { return std::ranges::find(tiles, tile) != tiles.end(); }
};

std::string tiles_words(const char* what, const std::vector<int32_t>& tiles) {
  std::string out;
  for (size_t k = 0; k < tiles.size() && k < 4; ++k)
    out += (k == 0 ? "" : k + 1 == tiles.size() ? " and " : ", ") + std::to_string(tiles[k] + 1);
  return fmt::format("{} tile{} {}{}", what, tiles.size() > 1 ? "s" : "", out, tiles.size() > 4 ? " ..." : "");
}

class Follower {
 public:
  Follower(const Schedule& schedule, const Plan& plan, const Inputs& inputs)
      : schedule_(schedule), plan_(plan), t_(plan.tiling), inputs_(inputs) {}

  std::optional<Broken> follow(const std::vector<Step>& steps) {
    const MachineSpec roomy{"roomy", "Roomy", int64_t{1} << 60, 0, false, int64_t{1} << 60, 1, ""};
    const Machine machine(schedule_, plan_, roomy, inputs_);
    MachineState state = machine.start();
    for (size_t k = 0; k < steps.size() && !broken_; ++k) {
      const Step& step = steps[k];
      if (step.kind == RowMax || step.kind == MergeMax) m_before_ = *state.find(Tensor::M)->data;
      before(state, step);
      machine.apply(state, step);
      after(step);
      const bool turns = k + 1 == steps.size() || steps[k + 1].visit != step.visit ||
                         steps[k + 1].section != step.section || steps[k + 1].pass != step.pass;
      if (!turns || broken_) continue;
      if (!schedule_.backward()) look(state, step);
      this_turn_ = {};
    }
    if (!broken_) end(state, steps);
    return broken_;
  }

 private:
  using Key = std::pair<Tensor, int32_t>;  // a tile of m, l, O, dQ, dK or dV

  void say(int line, std::string message, bool approximate = false) {
    if (!broken_) broken_ = Broken{line, approximate, std::move(message)};
  }
  std::string where(const Step& step, int64_t row) const {
    return fmt::format("tile {}, row {}: ", step.j + 1, step.i * t_.br + row + 1);
  }
  int32_t own(Tensor tensor, const Step& step) const { return is_keyed(tensor) ? step.j : step.i; }
  Held& chip(Tensor tensor, const Step& step) { return chip_[{tensor, own(tensor, step)}]; }
  // A part that was loaded, of O or L.
  Held& part(Tensor tensor, const Step& step) { return chip_[{tensor, -1 - step.i}]; }
  void takes_part(Tensor tensor, const Step& step) {
    Held& held = chip(tensor, step);
    for (int32_t tile : part(tensor == Tensor::O ? tensor : Tensor::Lse, step).tiles) {
      if (held.has(tile) && tensor != Tensor::M)
        say(step.line, fmt::format("{} takes in K/V tile {} twice.", tile_words(tensor, step.i, step.j), tile + 1));
      held.tiles.push_back(tile);
    }
  }
  void takes(Tensor tensor, const Step& step) {
    Held& held = chip(tensor, step);
    const int32_t tile = is_keyed(tensor) ? step.i : step.j;
    if (held.has(tile) && tensor != Tensor::M)  // a max may take in a tile twice
      say(step.line, fmt::format("{} takes in {} tile {} twice.", tile_words(tensor, step.i, step.j),
                                 is_keyed(tensor) ? "Q" : "K/V", tile + 1));
    held.tiles.push_back(tile);
  }

  // What is wrong as soon as it is done.
  void before(const MachineState& state, const Step& step) {
    Held &o = chip(Tensor::O, step), &l = chip(Tensor::L, step);
    Held& m = chip(Tensor::M, step);
    if (step.kind == Normalize && o.divided)
      return say(step.line, fmt::format("O of Q tile {} is divided by l a second time.", step.i + 1));
    if (step.kind == NormalizeP && divided_p_[{step.i, step.j}])
      return say(step.line, fmt::format("P tile ({}, {}) is divided by l a second time.", step.i + 1, step.j + 1));
    if (!schedule_.backward() && (step.kind == Normalize || step.kind == NormalizeP || step.kind == LogSumExp))
      ahead(step, "m", m, "l", l);
    if (step.kind == Normalize) {
      ahead(step, "l", l, "O", o);
      ahead(step, "O", o, "l", l);
    }
    if (step.kind == Denormalize && o.divided) {
      ahead(step, "l", l, "O", o);
      ahead(step, "O", o, "l", l);
    }
    if (step.kind == Rescale && this_turn_.rescaled)
      return say(step.line,
                 fmt::format("O of Q tile {} is multiplied by alpha a second time in this visit.", step.i + 1));
    if (step.kind == RowMax && this_turn_.max && !step.has(Step::kFinalMax))
      return say(step.line,
                 fmt::format("m' is made a second time in this visit of Q tile {}: alpha is 1 then, and what "
                             "the first alpha said is lost.",
                             step.i + 1));
    if (step.kind == GradientS && summed_d_.size() && int64_t(chip(Tensor::D, step).tiles.size()) < t_.tc &&
        summed_d_[step.i])
      return say(step.line, fmt::format("D of Q tile {} has taken in {} of {} K/V tiles.", step.i + 1,
                                        chip(Tensor::D, step).tiles.size(), t_.tc));
    if (step.kind == Exponentiate && !schedule_.backward() && !m.has(step.j))
      return say(step.line,
                 fmt::format("m of Q tile {} has not taken in K/V tile {}, whose scores stand in the exponent here.",
                             step.i + 1, step.j + 1));
    if (step.kind == Accumulate && o.divided && !divided_p_[{step.i, step.j}] && !o.tiles.empty())
      say(step.line,
          fmt::format("O of Q tile {} was divided by l already, and P V is a sum: divide once, behind the loop, or "
                      "multiply O by l first.",
                      step.i + 1));
    if (step.kind == MergeOut && !part(Tensor::O, step).divided && !part(Tensor::O, step).tiles.empty())
      return say(step.line, fmt::format("the part of O of Q tile {} is a sum, and w O[i,s] weighs an average: divide "
                                        "it by l before it is stored.",
                                        step.i + 1));
    if (step.kind == MergeOut && o.divided)
      return say(step.line, fmt::format("O of Q tile {} was divided by l already.", step.i + 1));
    if (step.kind == Denormalize && !o.divided && !o.tiles.empty())
      say(step.line, fmt::format("O of Q tile {} is multiplied by l, but was not divided by it.", step.i + 1));
    if ((step.kind == AccumulateDV || step.kind == GradientS) && state.find(Tensor::P, step.slot))
      weights(*state.find(Tensor::P, step.slot)->data, step);
  }

  // A tile that `first` has taken in and `second` has not.
  void ahead(const Step& step, const char* first, const Held& one, const char* second, const Held& other) {
    std::vector<int32_t> only;
    for (int32_t tile : one.tiles)
      if (!other.has(tile)) only.push_back(tile);
    if (!only.empty())
      say(step.line, fmt::format("{} of Q tile {} has taken in {}, and {} has not.", first, step.i + 1,
                                 tiles_words("K/V", only), second));
  }

  // Backward: P must be attention's weights wherever it is used.
  void weights(const Matrix& p, const Step& step) {
    std::vector<double> wanted(size_t(t_.n_k));
    for (int64_t r = 0; r < p.rows; ++r) {
      reference_weights(plan_.problem, inputs_, step.i * t_.br + r, wanted);
      for (int64_t c = 0; c < p.cols; ++c) {
        const double w = wanted[size_t(step.j * t_.bc + c)];
        if (std::fabs(p.at(r, c) - w) <= 1e-9) continue;
        return say(p_line_, where(step, r) + fmt::format("P is {} where attention's weight is {}.",
                                                         number_words(p.at(r, c)), number_words(w)));
      }
    }
  }

  void after(const Step& step) {
    for (Tensor tensor : touched_by(step).writes)
      if (tensor != kNoTensor) made_[tensor] = step.line;
    switch (step.kind) {
      case InitStats: chip(Tensor::M, step) = chip(Tensor::L, step) = {}; break;
      case InitO: chip(Tensor::O, step) = {}; break;
      case InitDQ: chip(Tensor::DQ, step) = {}; break;
      case InitDK: chip(Tensor::DK, step) = {}; break;
      case InitDV: chip(Tensor::DV, step) = {}; break;
      case RowMax:
        takes(Tensor::M, step);
        this_turn_.max = &(max_ = step);
        break;
      case RowSum:
        takes(Tensor::L, step);
        this_turn_.sum = &(sum_ = step);
        break;
      case Rescale:
        this_turn_.rescaled = true;
        if (this_turn_.out) this_turn_.late = true, this_turn_.late_line = step.line;
        break;
      case Accumulate:
        takes(Tensor::O, step);
        if (divided_p_[{step.i, step.j}]) chip(Tensor::O, step).divided = true;
        this_turn_.out = &(out_ = step);
        break;
      case Exponentiate:
      case Recompute:
        divided_p_[{step.i, step.j}] = step.kind == Recompute;
        p_line_ = step.line;
        break;
      case NormalizeP: divided_p_[{step.i, step.j}] = true; break;
      case LoadP: p_line_ = step.line; break;
      case LogSumExp: chip(Tensor::Lse, step) = chip(Tensor::L, step); break;
      case MergeMax:
        takes_part(Tensor::M, step);
        this_turn_.max = &(max_ = step);
        break;
      case MergeSum:
        takes_part(Tensor::L, step);
        this_turn_.sum = &(sum_ = step);
        break;
      case MergeOut:
        takes_part(Tensor::O, step);
        this_turn_.out = &(out_ = step);
        break;
      case Denormalize: chip(Tensor::O, step).divided = false; break;
      case Normalize: chip(Tensor::O, step).divided = true; break;
      case AccumulateDQ:
        if (step.has(Step::kFresh)) chip(Tensor::DQ, step) = {};
        takes(Tensor::DQ, step);
        break;
      case DotO: summed_d_[step.i] = false; break;
      case DotP:
        if (step.has(Step::kFresh)) chip(Tensor::D, step) = {};
        summed_d_[step.i] = true;
        takes(Tensor::D, step);
        break;
      case AccumulateDK: takes(Tensor::DK, step); break;
      case AccumulateDV: takes(Tensor::DV, step); break;
      default: move(step);
    }
  }

  void move(const Step& step) {
    const Engine engine = info_of(step.kind).engine;
    if (engine != Engine::Load && engine != Engine::Store) return;
    for (Tensor tensor : moved_tensors(step.kind)) {
      if (tensor == kNoTensor || is_scores(tensor)) continue;
      if (is_part(step.kind)) {  // in memory behind the rows' own, a table for each split
        const Key key{tensor, int32_t((1 + step.slot) * t_.tr + step.i)};
        if (step.kind == LoadPart) part(tensor, step) = memory_[key];
        if (step.kind == StorePart) memory_[key] = chip(tensor, step);
        continue;
      }
      const Key key{tensor, own(tensor, step)};
      if (engine == Engine::Load) chip_[key] = memory_[key];
      if (engine == Engine::Store) {
        Held sum = chip_[key];
        if (step.kind == AddDQ)
          sum.tiles.insert(sum.tiles.begin(), memory_[key].tiles.begin(), memory_[key].tiles.end());
        memory_[key] = std::move(sum);
        stored_[tensor] = step.line;
      }
    }
  }

  double score(int64_t row, int64_t key) const { return reference_score(plan_.problem, inputs_, row, key); }
  template <class Visit>
  void each_key(const Held& held, Visit&& visit) const {
    for (int32_t j : held.tiles)
      for (int64_t k = j * t_.bc; k < j * t_.bc + t_.cols(j); ++k) visit(k);
  }
  static bool near(double got, double wanted, double size) { return std::fabs(got - wanted) <= 1e-9 * (size + 1e-300); }

  // After a visit: m, l and O of its Q tile, as far as they are on chip.
  void look(const MachineState& state, const Step& step) {
    const auto on_chip = [&](Tensor tensor) {
      const Resident* r = state.find(tensor);
      return r && r->i == step.i ? r->data.get() : nullptr;
    };
    const Matrix *m = on_chip(Tensor::M), *l = on_chip(Tensor::L), *o = on_chip(Tensor::O);
    if (!m || !l) return;
    for (int64_t r = 0; r < m->rows && !broken_; ++r) {
      const int64_t row = step.i * t_.br + r;
      const double max = m->at(r, 0);
      const auto weight = [&](int64_t k) { return max == kMinusInfinity ? 0 : std::exp(score(row, k) - max); };
      double sum = 0;
      each_key(chip(Tensor::L, step), [&](int64_t k) { sum += weight(k); });
      if (!near(l->at(r, 0), sum, sum))
        return lost(this_turn_.sum, "l", this_turn_.sum && !this_turn_.sum->has(Step::kFinalMax), step, r, max,
                    chip(Tensor::L, step));
      if (!o) continue;
      const Held& held = chip(Tensor::O, step);
      for (int64_t c = 0; c < o->cols; ++c) {
        double out = 0, size = 0;
        each_key(held, [&](int64_t k) {
          out += weight(k) * inputs_.v.at(k, c);
          size += weight(k) * std::fabs(inputs_.v.at(k, c));
        });
        const double by = held.divided ? sum : 1;
        if (by == 0 || near(o->at(r, c) * by, out, size)) continue;
        return lost(this_turn_.out, "O", this_turn_.rescaled, step, r, max, held);
      }
    }
  }

  // l or O is no longer the sum that it was.
  void lost(const Step* by, const char* name, bool rescaled, const Step& step, int64_t r, double max,
            const Held& held) {
    const double before = this_turn_.max && r < m_before_.rows ? m_before_.at(r, 0) : max;
    const Step& at = by ? *by : this_turn_.max ? *this_turn_.max : step;
    if (before < max && before != kMinusInfinity && !rescaled) {
      // Those before this tile, or before the split that is merged.
      const bool merges = at.kind == MergeSum || at.kind == MergeOut;
      const Step& rose = this_turn_.max ? *this_turn_.max : at;  // woven, a turn adds the tile before
      int64_t keys = 0;
      for (int32_t tile : held.tiles)
        if (merges ? !part(Tensor::Lse, at).has(tile) : tile != rose.j) keys += t_.cols(tile);
      const std::string place =
          merges ? fmt::format("row {}, split from K/V tile {} on: ", at.i * t_.br + r + 1, at.j + 1) : where(rose, r);
      return say(at.line,
                 place + fmt::format("m rose from {} to {} and {} was not rescaled; its first {} key{} "
                                     "now weigh{} {} times too much.",
                                     number_words(before), number_words(max),
                                     name == std::string_view("l") ? "the sum l" : name, keys, keys == 1 ? "" : "s",
                                     keys == 1 ? "s" : "", number_words(std::exp(max - before), 2)));
    }
    if (this_turn_.late && held.tiles.size() > 1 && name == std::string_view("O"))
      return say(this_turn_.late_line,
                 where(at, r) + "alpha shrinks what was just added, too: O = alpha O comes before P V is added.");
    say(at.line, where(at, r) + fmt::format("{} is not the sum over {} that it should be.", name,
                                            held.tiles.empty() ? "no tile" : tiles_words("K/V", held.tiles)));
  }

  // What lies in memory at the end.
  void end(const MachineState& state, const std::vector<Step>& steps) {
    const int last = steps.empty() ? 0 : steps.back().line;
    const auto results =
        schedule_.backward() ? std::vector{Tensor::DQ, Tensor::DK, Tensor::DV} : std::vector{Tensor::O};
    for (Tensor tensor : results) {
      const int64_t tiles = is_keyed(tensor) ? t_.tc : t_.tr;
      for (int32_t n = 0; n < tiles && !broken_; ++n) {
        const std::string name = tile_words(tensor, n, n);
        if (!state.memory(tensor)->get(n))
          return say(made_.contains(tensor) ? made_[tensor] : last, name + " is never stored.");
        const Held& held = memory_[{tensor, n}];
        const int line = stored_[tensor];
        if (tensor == Tensor::O && !held.divided && !held.tiles.empty())
          return say(line, name + " is stored before it is divided by l.");
        std::vector<int32_t> missing, twice;
        const int64_t others = is_keyed(tensor) ? t_.tr : t_.tc;
        for (int32_t other = 0; other < others; ++other) {
          const int64_t times = std::ranges::count(held.tiles, other);
          const int32_t i = is_keyed(tensor) ? other : n, j = is_keyed(tensor) ? n : other;
          if (times > 1) twice.push_back(other);
          if (times == 0 && t_.kind(i, j) != TileKind::Skipped && sees(i, j)) missing.push_back(other);
        }
        const char* axis = is_keyed(tensor) ? "Q" : "K/V";
        if (!twice.empty()) return say(line, fmt::format("{} has taken in {} twice.", name, tiles_words(axis, twice)));
        if (!missing.empty())
          return say(line, fmt::format("{} leaves out {}.", name, tiles_words(axis, missing)),
                     tensor == Tensor::O && !held.tiles.empty());
      }
    }
  }

  bool sees(int32_t i, int32_t j) const { return t_.visible(i * t_.br + t_.rows(i) - 1, j * t_.bc); }

  const Schedule& schedule_;
  const Plan& plan_;
  const Tiling& t_;
  const Inputs& inputs_;
  std::map<Key, Held> chip_, memory_;
  std::map<std::pair<int32_t, int32_t>, bool> divided_p_;
  std::map<int32_t, bool> summed_d_;     // D of a Q tile is a sum over K/V tiles
  std::map<Tensor, int> made_, stored_;  // the line that did so last
  struct Turn {
    const Step *max = nullptr, *sum = nullptr, *out = nullptr;
    bool rescaled = false, late = false;  // late: O had taken in this tile already
    int late_line = 0;
  };
  Turn this_turn_;
  Step max_, sum_, out_;
  Matrix m_before_;
  int p_line_ = 0;
  std::optional<Broken> broken_;
};

}  // namespace

std::optional<Broken> what_broke(const Schedule& schedule, const Plan& plan, const Inputs& inputs,
                                 const std::vector<Step>& steps) {
  return Follower(schedule, plan, inputs).follow(steps);
}

}  // namespace tilewalk
