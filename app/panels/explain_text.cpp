#include "app/panels/explain_text.h"

#include "app/panels/told_row.h"

namespace tilewalk {
namespace {

using enum StepKind;

class Explainer : ToldRow {
 public:
  using ToldRow::ToldRow;

  Explanation tell() const {
    if (!moment_.step() || turns() > 1) return explain_moves(*this);
    switch (subject()) {
      case Score: return score();
      case Mask: return mask();
      case RowMax: return row_max();
      case Exponentiate: return weights();
      case RowSum: return row_sum();
      case Denormalize: return denormalize();
      case Rescale: return rescale();
      case Accumulate: return accumulate();
      case Normalize: return normalize();
      case NormalizeP:
        return {"Each row adds up to 1",
                {fmt::format("Row {} knows its whole sum l = {}, so its weights "
                             "can be divided at once.",
                             row_ + 1, num(sum_now())),
                 "Then P, all N×N of it, goes out to memory."}};
      case LogSumExp:
        return {"Two numbers become one",
                {fmt::format("L = m + log l holds all that row {}'s softmax "
                             "needs to be rebuilt.",
                             row_ + 1),
                 "The backward pass reads L and makes P again instead of "
                 "reading it from memory."}};
      case Convert:
        return {"Rounded once, at the end",
                {fmt::format("Between visits O is kept in fp32, so that rounding "
                             "does not pile up. This last pass rounds {} to {}.",
                             name(Tensor::O), name_of(plan_.problem.format))}};
      default: return explain_moves(*this);
    }
  }

 private:
  Explanation score() const {
    const int64_t rows = t_.rows(step_.i), cols = t_.cols(step_.j);
    const std::string products = cols == 1
                                     ? fmt::format("Row {} meets key {} in one dot product.", row_ + 1, first_key_ + 1)
                                     : fmt::format("Row {} meets {} in {} dot products of {} numbers, scaled.",
                                                   row_ + 1, tile_keys(), count_words(cols), plan_.problem.d);
    if (standard())
      return {"One tile of a big matrix",
              {products, fmt::format("This {} × {} tile is one of {} that make up S, and all of them go to memory.",
                                     rows, cols, with_commas(t_.tr * t_.tc))}};
    if (fa3() && !step_.has(Step::kFirstVisit))
      return {"The next scores, ahead of time",
              {products,
               "O still has to take in the tile before. Asked for both products at once, the tensor cores "
               "stay busy while the softmax runs."}};
    return {"A corner of S, for a moment",
            {products, fmt::format("Only this {} × {} tile of S exists, in registers. The {} × {} matrix never does.",
                                   rows, cols, with_commas(t_.n_q), with_commas(t_.n_k))}};
  }

  Explanation mask() const {
    if (hidden_ == 0)
      return {"This row sees all of the tile",
              {fmt::format("The causal line crosses {}, but not in row {}: none of its keys lies in the future.",
                           name(Tensor::S), row_ + 1),
               "Only tiles on the diagonal need this step at all."}};
    if (all_hidden())
      return {"Nothing here for this row",
              {fmt::format("All of {} lie in row {}'s future. Their scores become −∞, and e^−∞ = 0.", tile_keys(),
                           row_ + 1),
               "The tile is here for the rows below."}};
    return {"The future is hidden",
            {fmt::format("Row {} may not look ahead: {} of the {} scores in this tile become −∞.", row_ + 1,
                         count_words(hidden_), count_words(last_key_ - first_key_ + 1)),
             "As e^−∞ = 0, they will add nothing to l or O. Tiles wholly in the future are never even loaded."}};
  }

  Explanation row_max() const {
    if (step_.has(Step::kFinalMax))
      return {"All scores at hand, at a price",
              {fmt::format("With all scores of row {} on chip, its max is final before any exponential is taken. No "
                           "correction will be needed.",
                           row_ + 1),
               "The price was writing S out and reading it back."}};
    if (all_hidden())
      return {
          "Nothing new for this row",
          {fmt::format("Row {} may see none of these keys. Its max stays {}, and α = 1.", row_ + 1, num(max_now()))}};
    const std::string best = fmt::format("Key {}", best_ + 1);
    if (!before_ || max_before() == kMinusInfinity)
      return {"The first max",
              {fmt::format("{} scores highest of the first {}: m = {}.", best,
                           count_words(last_key_ - first_key_ + 1 - hidden_), num(max_now())),
               "It will be taken off every score before e^, so that no exponential can overflow. If a later key scores "
               "higher, m rises."}};
    if (max_now() > max_before())
      return {"A late arrival rewrites the past",
              {fmt::format("Row {} has seen {}. {} scores higher than {}.", row_ + 1, keys_words(seen_before_), best,
                           seen_before_ == 1 ? "it" : "all of them"),
               fmt::format("Every earlier exponential was taken against the old max, so each must shrink by α = {}.",
                           num(alpha()))}};
    return {"The max holds",
            {fmt::format("None of these {} beats key {}, which set m = {}.",
                         keys_words(last_key_ - first_key_ + 1 - hidden_), champion_ + 1, num(max_now())),
             "So α = 1: what has been summed stays as it is. Most tiles late in a row are like this."}};
  }

  Explanation weights() const {
    return {"Scores become weights",
            {fmt::format("Each score s becomes e^(s − m). At m = {} the best key so far would weigh 1, any other less.",
                         num(max_now())),
             "They overwrite S in its registers."}};
  }

  Explanation row_sum() const {
    const double added = here_ ? here_->tile_sum : 0;
    const std::string to_weights = "Each score becomes a weight e^(s − m), between 0 and 1.";
    if (all_hidden() || added == 0)
      return {"Nothing to add",
              {fmt::format("Row {}'s weights in this tile are all 0, so l stays {}.", row_ + 1, num(sum_now()))}};
    if (sum_before() == 0)
      return {
          "Scores become weights",
          {to_weights, fmt::format("Row {}'s add up to l = {}: what a softmax over these keys alone would divide by.",
                                   row_ + 1, num(sum_now()))}};
    if (alpha() == 1 || step_.has(Step::kFinalMax))
      return {
          "The sum goes on",
          {to_weights, fmt::format("Row {}'s new ones add {} to the old {}. No correction: they were all taken against "
                                   "the same max.",
                                   row_ + 1, num(added), num(sum_before()))}};
    return {"Old sum, new scale",
            {to_weights, fmt::format("Row {}'s old sum {} was taken against a lower max: times α it is {}, and the new "
                                     "weights add {}.",
                                     row_ + 1, num(sum_before()), num(alpha() * sum_before()), num(added))}};
  }

  Explanation denormalize() const {
    return {"An average becomes a sum",
            {fmt::format("FA1 keeps O divided by l in memory. Before more can be added, row {} is multiplied by its l "
                         "again.",
                         row_ + 1),
             "FA2 spares itself this by dividing only once, at the end."}};
  }

  Explanation rescale() const {
    const std::string numbers =
        plan_.problem.d == 1 ? "its number" : fmt::format("all its {} numbers", plan_.problem.d);
    if (alpha() == 1)
      return {"O keeps its scale",
              {fmt::format("Row {}'s max did not rise, so α = 1 and its O stays as it is.", row_ + 1),
               did(Accumulate)
                   ? fmt::format("Old and new share one scale already: the rows of {} can join.", name(Tensor::V))
                   : "Old and new share one scale already."}};
    return {
        "O shrinks by the same α",
        {fmt::format("Row {} of O was summed against the old max too: {} shrink by α = {}.", row_ + 1, numbers,
                     num(alpha())),
         did(Accumulate) ? fmt::format("Now old and new share one scale, and the rows of {} can join.", name(Tensor::V))
                         : "After that, old and new share one scale."}};
  }

  Explanation accumulate() const {
    if (all_hidden())
      return {"Nothing to add",
              {fmt::format("Row {} gives no weight to the rows of {}: its O stays.", row_ + 1, name(Tensor::V))}};
    const std::string best = best_ < 0 ? ""
                                       : fmt::format(
                                             "Row {} weighs the rows of {}, most of all row {}, and adds "
                                             "them up in O.",
                                             row_ + 1, name(Tensor::V), best_ + 1);
    if (standard())
      return {"Weights meet values",
              {best, "The weights are final already: no rescaling, but P had to be written and read for it."}};
    if (fa1())
      return {"Weights meet values",
              {best, "O is a sum again while it is on chip; it is divided by l before it leaves."}};
    const bool last = moment_.playhead < moment_.walk->replay.length() &&
                      moment_.walk->replay.steps()[size_t(moment_.playhead)].kind == Normalize;
    if (fa3() && !last)
      return {seen_before_ == 0 ? "The output begins" : "The output takes in P V",
              {best, "On a GPU the softmax of the next tile runs at the same time; its α comes after."}};
    return {seen_before_ == 0 ? "The output begins" : "The output takes in P V",
            {best, "The sum is left undivided: what to divide by is known only after the last tile."}};
  }

  Explanation normalize() const {
    if (sum_now() == 0)
      return {"A row that saw nothing",
              {fmt::format("Row {} may see no key at all. Its l is 0, its O is defined as 0 and "
                           "its L as −∞.",
                           row_ + 1)}};
    if (fa1())
      return {"Divided at every visit",
              {fmt::format("Row {} is divided by l = {}, so that memory always holds an average.", row_ + 1,
                           num(sum_now())),
               "If more keys come, this division will be undone and done again."}};
    return {"One division, at the very end",
            {fmt::format("Row {} has met all its keys. Divided by l = {}, its O is the exact softmax average of V.",
                         row_ + 1, num(sum_now())),
             did(LogSumExp) ? "L = m + log l is kept: the backward pass will rebuild P from it." : ""}};
  }
};

}  // namespace

Explanation explain(const Moment& moment, const RowTrace& trace) {
  Explanation out = Explainer(moment, trace).tell();
  // An equation stays on one line.
  for (std::string& sentence : out.sentences)
    for (std::string_view sign : {" = ", " × "})
      for (size_t at = 0; (at = sentence.find(sign, at)) != std::string::npos; at += sign.size() + 2)
        sentence.replace(at, sign.size(), "\u00A0" + std::string(sign.substr(1, sign.size() - 2)) + "\u00A0");
  std::erase_if(out.sentences, [](const std::string& s) { return s.empty(); });
  return out;
}

}  // namespace tilewalk
