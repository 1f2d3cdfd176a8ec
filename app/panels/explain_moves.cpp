#include "app/panels/told_row.h"

namespace tilewalk {
namespace {

using enum StepKind;

class Mover : ToldRow {
 public:
  explicit Mover(const ToldRow& row) : ToldRow(row) {}

  Explanation tell() const {
    if (!moment_.step()) return start();
    if (turns() > 1) return several();
    switch (subject()) {
      case LoadQ: return load_q();
      case LoadK:
      case LoadV: return load_keys();
      case LoadO:
      case LoadStats: return load_output();
      case LoadS:
        return {"S comes back",
                {fmt::format("The softmax of row {} needs every score of the row, so all of "
                             "its S tiles are read back from memory.",
                             row_ + 1),
                 "Each was written a moment ago by the kernel before."}};
      case LoadP:
        return {"P comes back too",
                {fmt::format("{} was written by the softmax kernel and is read again for "
                             "the product with V.",
                             name(Tensor::P)),
                 "That is the fourth trip of an N×N matrix: S out and in, P out and in."}};
      case InitO:
      case InitStats: return init();
      case StoreS:
        return {"S goes out to memory",
                {fmt::format("{} leaves the chip as soon as it is made: standard "
                             "attention writes all {} scores.",
                             name(Tensor::S), with_commas(t_.n_q * t_.n_k)),
                 "Another kernel will read them back. This traffic is what "
                 "FlashAttention does away with."}};
      case StoreP:
        return {"P goes out as well",
                {fmt::format("{} leaves the chip, to be read again for the product with "
                             "V.",
                             name(Tensor::P)),
                 "Nobody wants P itself: it only weights the rows of V."}};
      case StoreO:
      case StoreStats:
      case StoreLse: return store();
      default: return {};
    }
  }

 private:
  Explanation start() const {
    if (standard())
      return {
          "Everything waits in memory",
          {"Q, K and V lie in DRAM; the chip is empty.",
           "Standard attention runs three kernels: scores, softmax, output. Watch what each one writes only for the "
           "next to read.",
           "Step on, with → or the arrow button below."}};
    return {"Everything waits in memory",
            {"Q, K and V lie in DRAM; the chip is empty and small.",
             fa1() ? "FA1 brings one K and V tile at a time and lets every Q tile meet it."
                   : fmt::format("{} brings one Q tile on chip, and lets every K and V tile pass by it once.",
                                 moment_.walk->schedule.name),
             "Step on, with → or the arrow button below."}};
  }

  Explanation several() const {
    if (standard())
      return {"A row of tiles is done",
              {fmt::format("Kernel {} of 3 has worked through the tiles of Q tile {}.", step_.pass + 1, step_.i + 1),
               "Step by tile or by part to see what went in and what came out."}};
    if (fa1())
      return {"One K tile, every Q tile",
              {fmt::format("{} and V tile {} met all Q tiles while they were on chip.", name(Tensor::K), step_.j + 1),
               "Each Q tile's O, m and l came in and went out again for it."}};
    return {"One Q tile, start to end",
            {fmt::format("{} met every K and V tile it may see, and left O and L behind.", name(Tensor::Q)),
             fmt::format("Row {} ended with m = {} and l = {}.", row_ + 1, num(max_now()), num(sum_now()))}};
  }

  Explanation load_q() const {
    if (standard())
      return {"A Q tile for the scores",
              {fmt::format("{} comes on chip to meet the keys, one tile at a time.", name(Tensor::Q)),
               "Whatever is computed with it here must be written out: this kernel ends with S."}};
    if (fa1()) {
      const bool starts = did(InitO);
      return {"The next Q tile comes to K",
              {fmt::format("{} and {} stay; {} with {} visits them.", name(Tensor::K), name(Tensor::V), name(Tensor::Q),
                           tile_rows()),
               starts ? "It has seen no key yet: its O and l start at 0, its m at −∞."
               : step_.has(Step::kFirstVisit)
                   ? "With it come its O, m and l, as they were written before the loop: empty."
                   : "With it come its O, m and l, as the last visit left them. That is FA1's extra traffic."}};
    }
    return {
        "One Q tile moves in and stays",
        {fmt::format("{} holds {}. It stays on chip while every K and V tile passes by.", name(Tensor::Q), tile_rows()),
         "No key has been seen, so O and l start at 0 and the max m at −∞."}};
  }

  Explanation load_keys() const {
    const int64_t left = visible_ - seen_before_;
    if (standard())
      return {
          did(LoadK) ? "Keys for one tile of S" : "Values for the output",
          {fmt::format("{} brings {}.", did(LoadK) ? name(Tensor::K) : name(Tensor::V), tile_keys()),
           step_.i > 0 ? "It has been here before: from the second Q tile on, L2 usually still has it."
                       : "It is read from DRAM now, and again for every other Q tile, from L2 if it is still there."}};
    if (fa1())
      return {"A K tile moves in and stays",
              {fmt::format("{} and {} hold {}. They stay while every Q tile visits them.", name(Tensor::K),
                           name(Tensor::V), tile_keys()),
               "So K and V are read once, and it is O, m and l that travel."}};
    if (fa3()) return load_half();
    if (seen_before_ == 0)
      return {"The first keys arrive",
              {fmt::format("{} and {} bring {}: all of K and V that the chip will hold for now.", name(Tensor::K),
                           name(Tensor::V), tile_keys()),
               fmt::format("Row {} wants a softmax over {}, and will have to build it up from tiles like this one.",
                           row_ + 1, keys_words(visible_))}};
    if (all_hidden())
      return {"Keys that this row may not see",
              {fmt::format("{} brings {}, all in row {}'s future. Other rows of {} need some of them.", name(Tensor::K),
                           tile_keys(), row_ + 1, name(Tensor::Q))}};
    return {
        fmt::format("{} more {}", capital(count_words(last_key_ - first_key_ + 1)),
                    first_key_ == last_key_ ? "key arrives" : "keys arrive"),
        {fmt::format("Row {} has met {}; {} to go. Of those it keeps two numbers, m = {} and l = {}, and its row of O.",
                     row_ + 1, keys_words(seen_before_), count_words(left), num(max_before()), num(sum_before())),
         "Their scores are gone, and will not be needed again."}};
  }

  // FA3 brings K and V of a tile at different times, each into the free one of two buffers.
  Explanation load_half() const {
    if (did(LoadK))
      return {
          seen_before_ == 0 ? "The first keys arrive" : "Keys for the next tile",
          {fmt::format("{} brings {} into the free one of two buffers for K. Its V follows when its weights are made.",
                       name(Tensor::K), tile_keys()),
           seen_before_ == 0 ? ""
                             : fmt::format("Row {} has met {}. The weights of the last of them still wait to join O.",
                                           row_ + 1, keys_words(seen_before_))}};
    return {"Values for the weights that wait",
            {fmt::format("{} holds the values of {}, whose weights are ready.", name(Tensor::V), tile_keys()),
             "A copy engine fetches tiles ahead of time, so the tensor cores need not wait for memory."}};
  }

  Explanation load_output() const {
    return {"O comes back for more",
            {fmt::format("{} left the chip after its last visit. To add {}, FA1 reads it back, with m and l.",
                         name(Tensor::O), name(Tensor::V)),
             "FA2 swaps the loops so that this trip is not needed."}};
  }

  Explanation init() const {
    if (fa1())
      return {"An empty sum, in memory",
              {fmt::format("For {}, O = 0, l = 0 and m = −∞ are written to memory before anything is summed.",
                           name(Tensor::Q)),
               "FA1 reads them back at the first visit."}};
    return {"An empty sum", {"No key has been seen: O and l start at 0, and the max at −∞, below every score."}};
  }

  Explanation store() const {
    if (fa1() && step_.has(Step::kOutput))
      return {"O is done",
              {fmt::format("After its last K tile {} is rounded to the output's format and goes out for good, with one "
                           "number L per row.",
                           name(Tensor::O)),
               fmt::format("Each of its {} visits but the last sent it to memory, for the next one to load again.",
                           count_words(t_.visits(step_.i)))}};
    if (fa1() && step_.pass == 1)
      return {"O goes out again",
              {fmt::format("{}, m and l go to memory to make room for the next Q tile.", name(Tensor::O)),
               fmt::format("They make this round trip once per K tile: {} times in all.", count_words(t_.tc))}};
    if (fa1() && did(InitO)) return init();
    if (standard())
      return {"The output is written",
              {fmt::format("{} is done, and goes to memory once.", name(Tensor::O)),
               "Next to it, S and P took four trips of N×N numbers."}};
    return {"All that leaves the chip",
            {fmt::format("{} goes to memory once, with one number L per row. S and P never did.", name(Tensor::O)),
             step_.i + 1 < t_.tr ? "The next Q tile starts afresh: on a GPU it is a thread block of its own." : ""}};
  }
};

}  // namespace

Explanation explain_moves(const ToldRow& row) { return Mover(row).tell(); }

}  // namespace tilewalk
