#include "core/machine/machine.h"

#include "core/machine/arithmetic.h"
#include "core/machine/words.h"

#include <fmt/format.h>


namespace tilewalk {
namespace {

std::vector<TilePtr> cut(const Matrix& x, int64_t tile_rows) {
  std::vector<TilePtr> tiles;
  for (int64_t first = 0; first < x.rows; first += tile_rows) {
    const int64_t rows = std::min(tile_rows, x.rows - first);
    auto tile = std::make_shared<Matrix>();
    tile->rows = rows;
    tile->cols = x.cols;
    tile->values.assign(x.row(first), x.row(first) + rows * x.cols);
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

// Of a state that may change or may not.
template <class State>
auto table_of(State& state, Tensor tensor) -> decltype(&state.s) {
  switch (tensor) {
    case Tensor::S: return &state.s;
    case Tensor::P: return &state.p;
    case Tensor::O: return &state.o;
    case Tensor::M: return &state.m;
    case Tensor::L: return &state.l;
    case Tensor::Lse: return &state.lse;
    default: return nullptr;
  }
}

}  // namespace

OnChip on_chip(Tensor tensor, int64_t i, int64_t j, const Plan& plan, const MachineSpec& spec) {
  const int64_t elements = shape_of(tensor, i, j, plan.tiling).elements();
  const int64_t element = bytes_of(plan.problem.format);
  switch (tensor) {
    case Tensor::Q: case Tensor::K: case Tensor::V: return {Level::Sram, elements * element};
    case Tensor::O:
      if (spec.o_in_sram) return {Level::Sram, elements * element};
      [[fallthrough]];
    default: return {Level::Registers, elements * bytes_of(Format::Float32)};
  }
}

const Resident* MachineState::find(Tensor tensor, int32_t slot) const {
  for (const Resident& r : chip)
    if (r.tensor == tensor && r.slot == slot) return &r;
  return nullptr;
}

const TileTable* MachineState::memory(Tensor tensor) const { return table_of(*this, tensor); }
TileTable* MachineState::memory(Tensor tensor) { return table_of(*this, tensor); }

bool MachineState::operator==(const MachineState& other) const {
  const auto same_resident = [](const Resident& a, const Resident& b) {
    return a.tensor == b.tensor && a.slot == b.slot && a.i == b.i && a.j == b.j && a.level == b.level &&
           a.bytes == b.bytes && same_values(a.data, b.data);
  };
  return step == other.step && meters == other.meters && sram_used == other.sram_used &&
         registers_used == other.registers_used && block_pass == other.block_pass &&
         block_section == other.block_section && s == other.s && p == other.p && o == other.o && m == other.m &&
         l == other.l && lse == other.lse &&
         std::equal(chip.begin(), chip.end(), other.chip.begin(), other.chip.end(), same_resident);
}

Machine::Machine(const Schedule& schedule, const Plan& plan, const MachineSpec& spec, const Inputs& inputs)
    : schedule_(schedule), plan_(plan), spec_(spec), q_(cut(inputs.q, plan.tiling.br)),
      k_(cut(inputs.k, plan.tiling.bc)), v_(cut(inputs.v, plan.tiling.bc)) {}

TilePtr Machine::input_tile(Tensor tensor, int64_t index) const {
  const std::vector<TilePtr>& tiles = tensor == Tensor::Q ? q_ : tensor == Tensor::K ? k_ : v_;
  return tiles[size_t(index)];
}

void Machine::apply(MachineState& state, const Step& step) const {
  enter_block(state, step);
  const Engine engine = info_of(step.kind).engine;
  if (engine == Engine::Load)
    load(state, step);
  else if (engine == Engine::Store)
    store(state, step);
  else
    compute(state, step);
  state.meters += cost_of(step, plan_);
  ++state.step;
}

// On-chip memory is empty when a thread block begins.
void Machine::enter_block(MachineState& state, const Step& step) const {
  const int32_t section = schedule_.section_is_block ? step.section : 0;
  if (state.block_pass == step.pass && state.block_section == section) return;
  state.chip.clear();
  state.sram_used = state.registers_used = 0;
  state.block_pass = step.pass;
  state.block_section = section;
}

void Machine::place(MachineState& state, const Step& step, Tensor tensor, TilePtr data) const {
  const OnChip where = on_chip(tensor, step.i, step.j, plan_, spec_);
  int64_t& used = where.level == Level::Sram ? state.sram_used : state.registers_used;
  const int64_t limit = where.level == Level::Sram ? spec_.sram_bytes : spec_.register_bytes;

  const int32_t slot = slot_of(tensor, step);
  // P takes the registers of the S it was made from; any other tile takes the place of its predecessor in the slot.
  const auto shares_slot = [&](Tensor other) { return other == tensor || (is_scores(other) && is_scores(tensor)); };
  Resident* seat = nullptr;
  for (Resident& r : state.chip)
    if (r.slot == slot && shares_slot(r.tensor)) seat = &r;
  const int64_t freed = seat ? seat->bytes : 0;
  if (limit && used - freed + where.bytes > limit)
    throw MachineFault(fmt::format("{} needs {} of {}, but {} of {} are taken.", tile_words(tensor, step.i, step.j),
                                   bytes_words(where.bytes), where.level == Level::Sram ? "SRAM" : "registers",
                                   bytes_words(used - freed), bytes_words(limit)));
  used += where.bytes - freed;
  if (!seat) seat = &state.chip.emplace_back();
  *seat = {tensor, slot, step.i, step.j, where.level, where.bytes, std::move(data)};
}

Resident& Machine::need(MachineState& state, const Step& step, Tensor tensor) const {
  const int32_t slot = slot_of(tensor, step);
  for (Resident& r : state.chip)
    if (r.tensor == tensor && r.slot == slot && (!by_query_tile(tensor) || r.i == step.i) &&
        (!by_key_tile(tensor) || r.j == step.j))
      return r;
  throw MachineFault(fmt::format("{} needs {}, which is not on chip.", info_of(step.kind).name,
                                 tile_words(tensor, step.i, step.j)));
}

void Machine::load(MachineState& state, const Step& step) const {
  for (Tensor tensor : moved_tensors(step.kind)) {
    if (tensor == kNoTensor) continue;
    TilePtr tile;
    if (tensor == Tensor::Q)
      tile = q_[size_t(step.i)];
    else if (!by_query_tile(tensor))
      tile = input_tile(tensor, step.j);
    else
      tile = state.memory(tensor)->get(is_scores(tensor) ? step.i * plan_.tiling.tc + step.j : step.i);
    if (!tile)
      throw MachineFault(fmt::format("{} asks for {}, which was never stored.", info_of(step.kind).name,
                                     tile_words(tensor, step.i, step.j)));
    if (int64_t(tile->values.size()) != shape_of(tensor, step.i, step.j, plan_.tiling).elements())
      throw std::logic_error("a tile's size differs from the size its bytes were counted for");
    place(state, step, tensor, std::move(tile));
  }
}

void Machine::store(MachineState& state, const Step& step) const {
  for (Tensor tensor : moved_tensors(step.kind)) {
    if (tensor == kNoTensor) continue;
    TilePtr tile = need(state, step, tensor).data;
    if (plan_.problem.arithmetic == Arithmetic::Kernel)
      arithmetic::round_all(writable(tile), memory_format(tensor, step.has(Step::kOutput), plan_));
    const int64_t index = is_scores(tensor) ? step.i * plan_.tiling.tc + step.j : step.i;
    state.memory(tensor)->set(index, std::move(tile));
  }
}

void Machine::compute(MachineState& state, const Step& step) const {
  using enum StepKind;
  namespace a = arithmetic;
  const Arithmetic kind = plan_.problem.arithmetic;
  const Mistake mistake = plan_.problem.mistake;
  const int64_t rows = plan_.tiling.rows(step.i);
  const auto tile = [&](Tensor t) -> Matrix& { return *need(state, step, t).data; };
  const auto change = [&](Tensor t) -> Matrix& { return writable(need(state, step, t).data); };

  switch (step.kind) {
    case InitO: place(state, step, Tensor::O, std::make_shared<Matrix>(rows, plan_.tiling.d)); break;
    case InitStats:
      place(state, step, Tensor::M, std::make_shared<Matrix>(rows, 1, kMinusInfinity));
      place(state, step, Tensor::L, std::make_shared<Matrix>(rows, 1));
      break;
    case Score: {
      auto s = std::make_shared<Matrix>(
          a::score(tile(Tensor::Q), tile(Tensor::K), plan_.problem.softmax_scale(), kind));
      place(state, step, Tensor::S, std::move(s));
      break;
    }
    case Mask: a::hide_future(change(Tensor::S), step.i, step.j, plan_.tiling); break;
    case RowMax: {
      auto alpha = std::make_shared<Matrix>(a::row_max(change(Tensor::M), tile(Tensor::S), kind, mistake));
      if (!step.has(Step::kFinalMax)) place(state, step, Tensor::Alpha, std::move(alpha));
      break;
    }
    case Exponentiate: {
      TilePtr weights = need(state, step, Tensor::S).data;
      need(state, step, Tensor::S).data = nullptr;  // the registers of S become those of P
      a::exponentiate(writable(weights), tile(Tensor::M), kind);
      if (mistake == Mistake::NoMax) a::round_all(writable(weights), plan_.problem.format);
      place(state, step, Tensor::P, std::move(weights));
      break;
    }
    case RowSum:
      a::row_sum(change(Tensor::L), step.has(Step::kFinalMax) ? nullptr : &tile(Tensor::Alpha), tile(Tensor::P), kind);
      break;
    case Denormalize: a::scale_rows(change(Tensor::O), tile(Tensor::L), kind); break;
    case Rescale:
      if (mistake != Mistake::NoRescaleO) a::scale_rows(change(Tensor::O), tile(Tensor::Alpha), kind);
      break;
    case Accumulate:
      a::accumulate(change(Tensor::O), tile(Tensor::P), tile(Tensor::V), plan_.problem.format, kind);
      break;
    case Normalize: a::divide_rows(change(Tensor::O), tile(Tensor::L), kind); break;
    case NormalizeP: a::divide_rows(change(Tensor::P), tile(Tensor::L), kind); break;
    case LogSumExp:
      place(state, step, Tensor::Lse,
            std::make_shared<Matrix>(a::log_sum_exp(tile(Tensor::M), tile(Tensor::L), kind)));
      break;
    case Convert:
      if (kind == Arithmetic::Kernel) a::round_all(change(Tensor::O), plan_.problem.format);
      break;
    default: throw std::logic_error("a step without arithmetic reached the arithmetic");
  }
}

}  // namespace tilewalk
