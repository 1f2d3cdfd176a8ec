#include "core/playback/row_view.h"

namespace tilewalk {
namespace {

std::vector<double> row_values(const Matrix* tile, int64_t row) {
  if (!tile || row >= tile->rows) return {};
  return {tile->row(row), tile->row(row) + tile->cols};
}

std::optional<double> row_value(const Matrix* tile, int64_t row) {
  if (!tile || row >= tile->rows) return std::nullopt;
  return tile->at(row, 0);
}

std::vector<double> key_values(const Matrix* tile, int64_t row) {
  return tile ? row_values(tile, key_row_of(row, tile->rows)) : std::vector<double>();
}

template <class TileOf>
RowView gather(const TileOf& tile, int64_t row) {
  return {.m = row_value(tile(Tensor::M), row),
          .alpha = row_value(tile(Tensor::Alpha), row),
          .l = row_value(tile(Tensor::L), row),
          .lse = row_value(tile(Tensor::Lse), row),
          .q = row_values(tile(Tensor::Q), row),
          .o = row_values(tile(Tensor::O), row),
          .s = row_values(tile(Tensor::S), row),
          .p = row_values(tile(Tensor::P), row),
          .d = row_value(tile(Tensor::D), row),
          .d_o = row_values(tile(Tensor::DO), row),
          .dq = row_values(tile(Tensor::DQ), row),
          .dp = row_values(tile(Tensor::DP), row),
          .ds = row_values(tile(Tensor::DS), row),
          .dk = key_values(tile(Tensor::DK), row),
          .dv = key_values(tile(Tensor::DV), row)};
}

}  // namespace

const Resident* resident_of(const MachineState& state, Tensor tensor, int32_t i, int32_t j) {
  for (const Resident& r : state.chip)
    if (r.tensor == tensor && r.data && (r.slot == 0 || by_key_tile(tensor)) && (!by_query_tile(tensor) || r.i == i) &&
        (!by_key_tile(tensor) || r.j == j))
      return &r;
  return nullptr;
}

RowView view_row(const MachineState& state, int32_t i, int32_t j, int64_t row) {
  return gather(
      [&](Tensor tensor) -> const Matrix* {
        const Resident* r = resident_of(state, tensor, i, j);
        return r ? r->data.get() : nullptr;
      },
      row);
}

RowView view_row_in_memory(const MachineState& state, const Plan& plan, int32_t i, int32_t j, int64_t row) {
  return gather(
      [&](Tensor tensor) -> const Matrix* {
        const TileTable* table = state.memory(tensor);
        if (!table) return nullptr;
        return table->get(table_index(tensor, i, j, plan.tiling)).get();  // the table keeps it alive
      },
      row);
}

}  // namespace tilewalk
