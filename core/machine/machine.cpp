#include "core/machine/machine.h"

#include "core/attention/gradients.h"
#include "core/machine/arithmetic.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// The first tile may have some rows fewer.
std::vector<TilePtr> cut(const Matrix& x, int64_t tile_rows, int64_t fewer = 0) {
  std::vector<TilePtr> tiles;
  for (int64_t end = tile_rows - fewer, first = 0; first < x.rows; first = end, end += tile_rows) {
    const int64_t rows = std::min(end, x.rows) - first;
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
    case Tensor::D: return &state.d;
    case Tensor::DP: return &state.dp;
    case Tensor::DS: return &state.ds;
    case Tensor::DQ: return &state.dq;
    case Tensor::DK: return &state.dk;
    case Tensor::DV: return &state.dv;
    default: return nullptr;
  }
}

// What the forward pass left in memory for this schedule. Kernel arithmetic finds it rounded as it was stored.
MachineState after_forward(const Plan& plan, const Schedule& schedule, const Saved& saved) {
  MachineState state;
  const auto keep = [&](Tensor tensor, const Matrix& x) {
    std::vector<TilePtr> tiles = cut(x, plan.tiling.br, plan.tiling.fewer);
    for (size_t i = 0; i < tiles.size(); ++i) {
      if (plan.problem.arithmetic == Arithmetic::Kernel)
        arithmetic::round_all(*tiles[i], memory_format(tensor, true, plan));
      state.memory(tensor)->set(int64_t(i), std::move(tiles[i]));
    }
  };
  keep(Tensor::O, saved.o);
  keep(Tensor::M, saved.m);
  keep(Tensor::L, saved.l);
  keep(Tensor::Lse, saved.lse);
  if (!schedule.scores_in_memory) return state;
  for (int64_t i = 0; i < plan.tiling.tr; ++i)
    for (int64_t j = 0; j < plan.tiling.tc; ++j) {
      auto tile = std::make_shared<Matrix>(plan.tiling.rows(i), plan.tiling.cols(j));
      for (int64_t r = 0; r < tile->rows; ++r)
        std::copy_n(saved.p.row(plan.tiling.first_row(i) + r) + j * plan.tiling.bc, tile->cols, tile->row(r));
      if (plan.problem.arithmetic == Arithmetic::Kernel) arithmetic::round_all(*tile, plan.problem.format);
      state.p.set(table_index(Tensor::P, i, j, plan.tiling), std::move(tile));
    }
  return state;
}

}  // namespace

OnChip on_chip(Tensor tensor, int64_t i, int64_t j, const Plan& plan, const MachineSpec& spec) {
  const int64_t elements = shape_of(tensor, i, j, plan.tiling).elements();
  const int64_t element = bytes_of(plan.problem.format);
  switch (tensor) {
    case Tensor::Q:
    case Tensor::K:
    case Tensor::V:
    case Tensor::DO: return {Level::Sram, elements * element};
    case Tensor::O:
    case Tensor::DQ:
    case Tensor::DK:
    case Tensor::DV:
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
         block_section == other.block_section &&
         std::all_of(std::begin(kStored), std::end(kStored),
                     [&](Tensor t) { return *memory(t) == *other.memory(t); }) &&
         std::equal(chip.begin(), chip.end(), other.chip.begin(), other.chip.end(), same_resident);
}

Machine::Machine(const Schedule& schedule, const Plan& plan, const MachineSpec& spec, const Inputs& inputs)
    : schedule_(schedule),
      plan_(plan),
      spec_(spec),
      q_(cut(inputs.q, plan.tiling.br, plan.tiling.fewer)),
      k_(cut(inputs.k, plan.tiling.bc)),
      v_(cut(inputs.v, plan.tiling.bc)) {
  if (!schedule.backward()) return;
  do_ = cut(output_gradient(plan.problem, inputs), plan.tiling.br, plan.tiling.fewer);
  start_ = after_forward(plan, schedule, saved_by_forward(plan.problem, inputs, schedule.scores_in_memory));
}

TilePtr Machine::input_tile(Tensor tensor, int64_t index) const {
  const std::vector<TilePtr>& tiles = tensor == Tensor::Q   ? q_
                                      : tensor == Tensor::K ? k_
                                      : tensor == Tensor::V ? v_
                                                            : do_;
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
  Resident* seat = nullptr;
  for (Resident& r : state.chip)
    if (r.slot == slot && share_registers(r.tensor, tensor)) seat = &r;
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
  throw MachineFault(
      fmt::format("{} needs {}, which is not on chip.", info_of(step.kind).name, tile_words(tensor, step.i, step.j)),
      {tensor, true});
}

void Machine::load(MachineState& state, const Step& step) const {
  for (Tensor tensor : moved_tensors(step.kind)) {
    if (tensor == kNoTensor) continue;
    const int64_t index = table_index(tensor, step, plan_.tiling);
    const TileTable* table = state.memory(tensor);
    TilePtr tile = table ? table->get(index) : input_tile(tensor, index);
    if (!tile)
      throw MachineFault(fmt::format("{} asks for {}, which was never stored.", info_of(step.kind).name,
                                     tile_words(tensor, step.i, step.j)),
                         {tensor, false});
    if (int64_t(tile->values.size()) != shape_of(tensor, step.i, step.j, plan_.tiling).elements())
      throw std::logic_error("a tile's size differs from the size its bytes were counted for");
    place(state, step, tensor, std::move(tile));
  }
}

void Machine::store(MachineState& state, const Step& step) const {
  for (Tensor tensor : moved_tensors(step.kind)) {
    if (tensor == kNoTensor) continue;
    TilePtr tile = need(state, step, tensor).data;
    const int64_t index = table_index(tensor, step, plan_.tiling);
    if (step.kind == StepKind::AddDQ) {
      const TilePtr old = state.memory(tensor)->get(index);
      if (!old)
        throw MachineFault(
            fmt::format("AddDQ adds to {}, which was never stored.", tile_words(tensor, step.i, step.j)));
      arithmetic::add(writable(tile), *old, plan_.problem.arithmetic);
    }
    if (plan_.problem.arithmetic == Arithmetic::Kernel)
      arithmetic::round_all(writable(tile), memory_format(tensor, step.has(Step::kOutput), plan_));
    state.memory(tensor)->set(index, std::move(tile));
  }
}

void Machine::compute(MachineState& state, const Step& step) const {
  using enum StepKind;
  namespace a = arithmetic;
  const Arithmetic kind = plan_.problem.arithmetic;
  const Mistake mistake = plan_.problem.mistake;
  const int64_t rows = plan_.tiling.rows(step.i), cols = plan_.tiling.cols(step.j);
  const auto tile = [&](Tensor t) -> Matrix& { return *need(state, step, t).data; };
  const auto change = [&](Tensor t) -> Matrix& { return writable(need(state, step, t).data); };

  switch (step.kind) {
    case InitO: place(state, step, Tensor::O, std::make_shared<Matrix>(rows, plan_.tiling.d)); break;
    case InitStats:
      place(state, step, Tensor::M, std::make_shared<Matrix>(rows, 1, kMinusInfinity));
      place(state, step, Tensor::L, std::make_shared<Matrix>(rows, 1));
      break;
    case Score: {
      auto s =
          std::make_shared<Matrix>(a::score(tile(Tensor::Q), tile(Tensor::K), plan_.problem.softmax_scale(), kind));
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
      place(state, step, Tensor::Lse, std::make_shared<Matrix>(a::log_sum_exp(tile(Tensor::M), tile(Tensor::L), kind)));
      break;
    case InitDQ: place(state, step, Tensor::DQ, std::make_shared<Matrix>(rows, plan_.tiling.d)); break;
    case InitDK: place(state, step, Tensor::DK, std::make_shared<Matrix>(cols, plan_.tiling.d)); break;
    case InitDV: place(state, step, Tensor::DV, std::make_shared<Matrix>(cols, plan_.tiling.d)); break;
    case DotO:
      place(state, step, Tensor::D, std::make_shared<Matrix>(a::dot_rows(tile(Tensor::DO), tile(Tensor::O), kind)));
      break;
    case DotP: {
      if (step.has(Step::kFresh)) place(state, step, Tensor::D, std::make_shared<Matrix>(rows, 1));
      a::add(change(Tensor::D), a::dot_rows(tile(Tensor::P), tile(Tensor::DP), kind), kind);
      break;
    }
    case Recompute: {
      TilePtr weights = need(state, step, Tensor::S).data;
      need(state, step, Tensor::S).data = nullptr;
      a::exponentiate(writable(weights), tile(Tensor::Lse), kind);  // e^(s - L); 0 in a row with L = -inf
      place(state, step, Tensor::P, std::move(weights));
      break;
    }
    case AccumulateDV:
      a::accumulate_transposed(change(Tensor::DV), tile(Tensor::P), tile(Tensor::DO), 1, plan_.problem.format, kind);
      break;
    case GradientP:
      place(state, step, Tensor::DP, std::make_shared<Matrix>(a::score(tile(Tensor::DO), tile(Tensor::V), 1, kind)));
      break;
    case GradientS: {
      TilePtr gradient = need(state, step, Tensor::DP).data;
      need(state, step, Tensor::DP).data = nullptr;  // the registers of dP become those of dS
      a::through_softmax(writable(gradient), tile(Tensor::P), tile(Tensor::D), kind);
      place(state, step, Tensor::DS, std::move(gradient));
      break;
    }
    case AccumulateDQ:
      if (step.has(Step::kFresh)) place(state, step, Tensor::DQ, std::make_shared<Matrix>(rows, plan_.tiling.d));
      a::accumulate_scaled(change(Tensor::DQ), tile(Tensor::DS), tile(Tensor::K), plan_.problem.softmax_scale(),
                           plan_.problem.format, kind);
      break;
    case AccumulateDK:
      a::accumulate_transposed(change(Tensor::DK), tile(Tensor::DS), tile(Tensor::Q), plan_.problem.softmax_scale(),
                               plan_.problem.format, kind);
      break;
    case ConvertDQ:
      if (kind == Arithmetic::Kernel) a::round_all(change(Tensor::DQ), plan_.problem.format);
      break;
    case Convert:
      if (kind == Arithmetic::Kernel) a::round_all(change(Tensor::O), plan_.problem.format);
      break;
    case MergeMax: {
      auto alpha = std::make_shared<Matrix>(a::row_max(change(Tensor::M), tile(Tensor::Lse), kind, mistake));
      place(state, step, Tensor::Alpha, std::move(alpha));
      break;
    }
    case MergeWeight: a::exponentiate(change(Tensor::Lse), tile(Tensor::M), kind); break;
    case MergeSum: a::row_sum(change(Tensor::L), &tile(Tensor::Alpha), tile(Tensor::Lse), kind); break;
    case MergeOut: {
      const Resident* part = state.find(Tensor::O, kPartSlot);
      if (!part || part->i != step.i)
        throw MachineFault(
            fmt::format("MergeOut needs a part of {}, which is not on chip.", tile_words(Tensor::O, step.i, step.j)));
      Matrix weighted = *part->data;
      a::scale_rows(weighted, tile(Tensor::Lse), kind);
      a::add(change(Tensor::O), weighted, kind);
      break;
    }
    default: throw std::logic_error("a step without arithmetic reached the arithmetic");
  }
}

}  // namespace tilewalk
