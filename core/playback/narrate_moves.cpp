#include "core/machine/words.h"
#include "core/playback/row_view.h"
#include "core/playback/told_unit.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

using enum StepKind;

class Mover : ToldUnit {
 public:
  explicit Mover(const ToldUnit& unit) : ToldUnit(unit) {}

  Narration tell() const {
    const std::string moved = bytes_words(after.meters.fill_bytes() + after.meters.drain_bytes() -
                                          before.meters.fill_bytes() - before.meters.drain_bytes());
    if (did(StoreO) && did(InitO) && schedule.keys_outside && !did(StoreLse))
      return {fmt::format("Start values go to memory: {} = 0, l = 0 and m = −∞, {}.", name(Tensor::O), moved), {}};
    if (did(StoreO) && did(StoreLse))
      return {fmt::format("{} and its L go to memory, {}, and wait in L2. No S or P ever did.", name(Tensor::O), moved),
              {}};
    if (did(StoreO) && did(StoreStats))
      return {fmt::format("{}, m and l go to memory, {}, and {}.", name(Tensor::O), moved, wait_for_next()), {}};
    if (did(StoreO))
      return {fmt::format("{} goes from {} to memory, {}, and waits in L2.", name(Tensor::O), place(Tensor::O), moved),
              {}};
    if (did(StoreStats))
      return {fmt::format("m and l of {} go from registers to memory, {}.", name(Tensor::Q), moved), {}};
    if (did(StoreLse)) return {fmt::format("L of {} goes from registers to memory, {}.", name(Tensor::Q), moved), {}};
    if (did(StoreS))
      return {
          fmt::format("{} goes from registers to memory, {}: the softmax will read it back.", name(Tensor::S), moved),
          {}};
    if (did(StoreP))
      return {fmt::format("{} goes from registers to memory, {}: the product with V will read it back.",
                          name(Tensor::P), moved),
              {}};
    return loads(moved);
  }

 private:
  Narration loads(const std::string& moved) const {
    if (did(LoadK) && did(LoadV))
      return {fmt::format("{} and {} come from memory into SRAM, {}{}.", name(Tensor::K), name(Tensor::V), moved,
                          replaced()),
              {}};
    if (did(LoadQ) && did(LoadK))
      return {fmt::format("{} and {} come from memory into SRAM, {}.", name(Tensor::Q), name(Tensor::K), moved), {}};
    if (did(LoadQ) && did(LoadO))
      return {fmt::format("{} comes on chip with its {}, m and l, {}.", name(Tensor::Q), name(Tensor::O), moved), {}};
    if (did(LoadQ) && did(InitO))
      return {fmt::format("{} comes from memory into SRAM, {}. Its O and l start at 0, its m at −∞.", name(Tensor::Q),
                          moved),
              "m = −∞;  l = 0"};
    if (did(LoadP) && did(LoadV))
      return {fmt::format("{} and {} come from memory, {}.", name(Tensor::P), name(Tensor::V), moved), {}};
    if (did(LoadK))
      return {fmt::format("{} comes from memory into SRAM, {}{}.", name(Tensor::K), moved, replaced()), {}};
    if (did(LoadV))
      return {fmt::format("{} comes from memory into SRAM, {}{}.", name(Tensor::V), moved, replaced()), {}};
    if (did(LoadQ)) return {fmt::format("{} comes from memory into SRAM, {}.", name(Tensor::Q), moved), {}};
    if (did(LoadO))
      return {fmt::format("{} comes back from memory into {}, {}.", name(Tensor::O), place(Tensor::O), moved), {}};
    if (did(LoadStats))
      return {fmt::format("m and l of {} come back from memory into registers, {}.", name(Tensor::Q), moved), {}};
    if (did(LoadS)) return {fmt::format("{} comes back from memory into registers, {}.", name(Tensor::S), moved), {}};
    if (did(LoadP)) return {fmt::format("{} comes back from memory into registers, {}.", name(Tensor::P), moved), {}};
    if (did(Denormalize))
      return {fmt::format("Row {} has summed nothing yet: its O stays 0.", row_number()),
              fmt::format("O[{}, 1] = 0", row_number())};
    if (did(InitO)) return {fmt::format("{} starts at 0.", name(Tensor::O)), fmt::format("O[{}, 1] = 0", row_number())};
    if (did(InitStats))
      return {"No score has been seen: each row's max m starts at −∞ and its sum l at 0.", "m = −∞;  l = 0"};
    return {std::string(info_of(last().kind).meaning), std::string(info_of(last().kind).formula)};
  }

  // ", in place of K₂ and V₂" when other tiles had to leave.
  std::string replaced() const {
    const Tensor tensor = did(LoadK) ? Tensor::K : Tensor::V;
    const Resident* old = before.block_pass == after.block_pass && before.block_section == after.block_section
                              ? before.find(tensor, slot_of(tensor, last()))
                              : nullptr;
    if (!old || old->j == last().j) return {};
    const std::string first = tile_name(tensor, last().i, old->j);
    return did(LoadK) && did(LoadV)
               ? fmt::format(", in place of {} and {}", first, tile_name(Tensor::V, last().i, old->j))
               : fmt::format(", in place of {}", first);
  }

  // FA1: what becomes of O, m and l after this visit.
  std::string wait_for_next() const {
    const int64_t next = last().j + (plan.variant.last_to_first ? -1 : 1);
    if (next >= 0 && next < plan.tiling.visits(last().i))
      return "wait there for " + tile_name(Tensor::K, last().i, next);
    return "have met every key";
  }

  std::string place(Tensor tensor) const {
    const Resident* r = resident_of(after, tensor, last().i, last().j);
    return r && r->level == Level::Sram ? "SRAM" : "registers";
  }
};

}  // namespace

Narration narrate_moves(const ToldUnit& unit) { return Mover(unit).tell(); }

}  // namespace tilewalk
