// What the Explain tab says about a step of a backward walk.
#include "app/panels/explain_text.h"
#include "app/panels/told_row.h"

namespace tilewalk {
namespace {

using enum StepKind;

class BackwardExplainer {
 public:
  BackwardExplainer(const Moment& moment, const GradientTrace& trace)
      : moment_(moment), schedule_(moment.walk->schedule), t_(moment.walk->plan().tiling), trace_(trace) {
    if (!moment.step()) return;
    step_ = *moment.step();
    row_ = step_.i * t_.br + moment.row + 1;
  }

  Explanation tell() const {
    if (!moment_.step()) return start();
    if (turns() > 1) return several();
    if (did(GradientS)) return gradient_s();
    if (did(Recompute) || did(NormalizeP) || did(Exponentiate)) return weights();
    if (did(Score) || did(Mask)) return score();
    if (did(AccumulateDV)) return values();
    if (did(GradientP)) return gradient_p();
    if (did(AccumulateDQ)) return queries();
    if (did(AccumulateDK)) return keys();
    if (did(DotO)) return dot_o();
    if (did(DotP)) return dot_p();
    if (did(ConvertDQ)) return convert();
    if (did(StoreDK) || did(StoreDV)) return done();
    if (did(LoadK) && did(InitDK)) return move_in();
    if (did(LoadQ) && did(LoadDO)) return visit();
    return moves();
  }

 private:
  bool standard() const { return schedule_.scores_in_memory; }
  bool fa1() const { return schedule_.id == ScheduleId::Fa1Backward; }
  bool did(StepKind kind) const {
    return std::any_of(moment_.steps.begin(), moment_.steps.end(), [&](const Step& s) { return s.kind == kind; });
  }
  int64_t turns() const {
    int64_t count = 1;
    for (size_t k = 1; k < moment_.steps.size(); ++k)
      count += moment_.steps[k].section != moment_.steps[k - 1].section ||
               moment_.steps[k].visit != moment_.steps[k - 1].visit;
    return count;
  }
  std::string name(Tensor tensor) const { return tile_name(tensor, step_.i, step_.j); }
  std::string the_row() const { return fmt::format("row {}", row_); }
  bool no_key() const { return trace_.lse == kMinusInfinity; }
  // The key of this tile that matters most to the row, by |dS| or by P; from 0 over all keys.
  int64_t best(bool by_gradient) const {
    int64_t best = step_.j * t_.bc;
    const auto size = [&](int64_t c) {
      return by_gradient ? std::fabs(trace_.keys[size_t(c)].ds) : trace_.keys[size_t(c)].p;
    };
    for (int64_t c = best; c < step_.j * t_.bc + t_.cols(step_.j); ++c)
      if (size(c) > size(best)) best = c;
    return best;
  }

  Explanation start() const {
    if (standard())
      return {"Backwards, with P kept",
              {fmt::format("The forward pass stored all {} numbers of P. Five kernels now read it, and send dP and dS "
                           "through memory too.",
                           with_commas(t_.n_q * t_.n_k)),
               "Step on, with → or the arrow button below."}};
    return {"Backwards, without P",
            {fmt::format("The forward pass kept O and {} per row. P is gone: it will be made again from Q, K and {}.",
                         fa1() ? "m and l" : "one number L", fa1() ? "these" : "L"),
             "dO says how the loss changes with O. Step on, with → or the arrow button below."}};
  }

  Explanation several() const {
    if (standard())
      return {"A row of tiles is done",
              {fmt::format("Kernel {} of 5, {}, has worked through one more row of tiles.", step_.pass + 1,
                           schedule_.passes[step_.pass])}};
    return {
        "One K tile, every Q tile",
        {fmt::format("{} and {} met every Q tile that may see them. Their gradients grew on chip and went out once.",
                     name(Tensor::K), name(Tensor::V)),
         "dQ could not stay: each of these visits was to another Q tile."}};
  }

  Explanation move_in() const {
    return {"A K tile moves in and stays",
            {fmt::format("{} and {} stay while every Q tile visits. {} and {} start at 0 beside them and stay too.",
                         name(Tensor::K), name(Tensor::V), name(Tensor::DK), name(Tensor::DV)),
             "With the loops this way round, two of the three gradients never travel before they are done."}};
  }

  Explanation visit() const {
    if (fa1())
      return {"A Q tile comes with its past",
              {fmt::format("{} brings O, dO, m and l, and the dQ summed so far.", name(Tensor::Q)),
               "FA1 keeps m and l apart and makes D again at every visit, so O has to come each time."}};
    return {
        "What P is made from",
        {fmt::format("{} comes with its dO and two numbers per row, L and D. No row of P is read.", name(Tensor::Q)),
         "Reading P instead would cost N numbers per row; these are two."}};
  }

  Explanation score() const {
    return {"The scores, a second time",
            {fmt::format("{} is computed just as in the forward pass. That is the fifth matrix product, which the "
                         "standard backward pass does not need.",
                         name(Tensor::S)),
             "A product on chip is cheaper than N² numbers read from memory."}};
  }

  Explanation weights() const {
    if (no_key()) return {"A row that saw nothing", {fmt::format("L of {} is −∞: all its weights are 0.", the_row())}};
    if (fa1())
      return {"P, from m and l",
              {fmt::format("The forward pass ended with the max m and the sum l of {}: e^(S − m) / l is P.", the_row()),
               "FA2 folds the two into L = m + log l."}};
    return {"P again, in one go",
            {fmt::format("L of {} already holds its final max and sum: e^(S − L) is P, normalised at once.", the_row()),
             "No running max, no α, no second pass: the forward pass did that work."}};
  }

  Explanation values() const {
    return {"What V receives",
            {fmt::format("A value that {} weighed by p gets p times the row's dO. Key {} gets most from it here.",
                         the_row(), best(false) + 1),
             standard() ? "P had to come back from memory for this." : "The sum over all queries grows on chip."}};
  }

  Explanation gradient_p() const {
    return {"What each weight is worth",
            {fmt::format("dO of {} meets each value of {}: had the key weighed more, the loss would change by so much.",
                         the_row(), name(Tensor::V)),
             "It is the same product as S = Q Kᵀ, with dO for Q and V for K."}};
  }

  Explanation gradient_s() const {
    if (no_key()) return {"Nothing to learn", {fmt::format("Row {} saw no key: its dS is 0.", row_)}};
    const int64_t c = best(true);
    return {"Back through the softmax",
            {fmt::format(
                 "Weights add up to 1, so what counts is how far dP lies from its average D = {}. Key {}'s dS is {}.",
                 num(trace_.d), c + 1, num(trace_.keys[size_t(c)].ds)),
             "Over all keys the dS of a row add up to 0."}};
  }

  Explanation queries() const {
    if (standard())
      return {"What Q receives", {"Each query takes in the keys, times dS. dS had to be read back for it."}};
    if (fa1())
      return {"dQ goes out again",
              {fmt::format("{} has one more share and goes back to memory, as O does in FA1's forward pass.",
                           name(Tensor::DQ))}};
    return {"The one gradient that is shared",
            {fmt::format(
                 "Every K tile has a share of {}. The thread blocks run at once, so they add in memory, atomically.",
                 name(Tensor::DQ)),
             "Which block comes first is not fixed, and floating-point sums depend on their order: dQ may differ in "
             "its last bits from run to run."}};
  }

  Explanation keys() const {
    return {"What K receives",
            {fmt::format("Each key of {} takes in the queries, times dS: dSᵀ Q.", name(Tensor::K)),
             standard() ? "dS is read a second time for it." : "The sum grows on chip, like dV."}};
  }

  Explanation dot_o() const {
    return {"One number for a row of N",
            {fmt::format("D of {} is dO · O = {}. It equals the sum of P ∘ dP over all {}.", the_row(), num(trace_.d),
                         keys_words(t_.n_k)),
             "dO and O are known before the loop, so D needs no N×N matrix."}};
  }

  Explanation dot_p() const {
    return {"D, the long way",
            {fmt::format("With all of P and dP at hand, D of {} is their product summed over the row.", the_row()),
             "FlashAttention takes dO · O instead: the same number, without the row."}};
  }

  Explanation convert() const {
    return {"Rounded once, at the end",
            {fmt::format("{} was summed in fp32. This last kernel turns it into {}.", name(Tensor::DQ),
                         name_of(moment_.walk->plan().problem.format))}};
  }

  Explanation done() const {
    if (standard()) return {"A gradient is written", {"It is complete, and goes to memory once."}};
    if (step_.pass == 0) return {"Zeros, in memory", {"dQ, dK and dV are set to 0 before the loop."}};
    return {"Two gradients, written once",
            {fmt::format("{} and {} have met every query and go to memory.", name(Tensor::DK), name(Tensor::DV)),
             "P and dS were made tile by tile and never left the chip."}};
  }

  Explanation moves() const {
    if (did(StoreDQ) && did(InitDQ))
      return {"dQ starts at 0 in memory", {fmt::format("{} will be added to, tile by tile.", name(Tensor::DQ))}};
    if (did(LoadO) && did(LoadDO))
      return {"Where the gradient comes in",
              {fmt::format("{} is what the forward pass gave out, {} is what came back for it.", name(Tensor::O),
                           name(Tensor::DO)),
               "Both are needed once, for D."}};
    if (did(LoadP) || did(LoadDP) || did(LoadDS))
      return {"N×N numbers come back",
              {"This tile was stored before and is read again. In all, P, dP and dS cross the wires seven times.",
               "FlashAttention's backward pass moves none of them."}};
    if (did(StoreDP) || did(StoreDS)) return {"N×N numbers go out", {"The next kernel will read them back."}};
    return {std::string(info_of(step_.kind).name), {std::string(info_of(step_.kind).meaning)}};
  }

  const Moment& moment_;
  const Schedule& schedule_;
  const Tiling& t_;
  const GradientTrace& trace_;
  Step step_;
  int64_t row_ = 0;
};

}  // namespace

Explanation explain_backward(const Moment& moment, const GradientTrace& trace) {
  return BackwardExplainer(moment, trace).tell();
}

}  // namespace tilewalk
