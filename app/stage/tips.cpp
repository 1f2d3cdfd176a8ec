// What the pointer is told about a tile or a statistic: what it is, how large, where it lies.
#include "app/stage/pieces.h"
#include "core/machine/words.h"
#include "core/playback/output_state.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

std::string_view place_words(Level level) {
  switch (level) {
    case Level::Registers: return "in registers";
    case Level::Sram: return "in SRAM";
    case Level::L2: return "in L2";
    case Level::Dram: return "in DRAM";
  }
  return "";
}

std::string_view what(Tensor tensor) {
  switch (tensor) {
    case Tensor::Q: return "queries";
    case Tensor::K: return "keys";
    case Tensor::V: return "values";
    case Tensor::S: return "scores";
    case Tensor::P: return "weights";
    case Tensor::O: return "outputs";
    default: return is_gradient(tensor) ? "gradients" : "statistics";
  }
}

}  // namespace

std::string meaning_of(Tensor tensor) {
  switch (tensor) {
    case Tensor::Q: return "Q: the queries, one row for each token that asks.";
    case Tensor::K: return "K: the keys, one for each token that can be asked; Kᵀ has one per column.";
    case Tensor::V: return "V: the values, one row per key; the output is their weighted average.";
    case Tensor::S: return "S: the scores, one per query and key: their dot product, scaled.";
    case Tensor::P: return "P: the weights, e^(S − m): how much each key counts.";
    case Tensor::O: return "O: the output, one row per query: the values, weighted and added up.";
    case Tensor::M: return "m: one number per row, the largest score that it has met so far.";
    case Tensor::L: return "l: one number per row, the sum of its weights so far; O is divided by it.";
    case Tensor::Alpha: return "α = e^(old m − new m): what the row's l and O shrink by when its max rises; else 1.";
    case Tensor::Lse:
      return "L: one number per row, kept for training, the backward pass: m + log l, as lesson 6 makes it.";
    case Tensor::DO: return "dO: how the loss changes with each number of O; where the backward pass starts.";
    case Tensor::DP: return "dP = dO Vᵀ: how the loss changes with each weight.";
    case Tensor::DS: return "dS = P ∘ (dP − D): how the loss changes with each score; a row adds up to 0.";
    case Tensor::DQ: return "dQ = dS K · scale: how the loss changes with Q. Every K/V tile adds to it.";
    case Tensor::DK: return "dK = dSᵀ Q · scale: how the loss changes with K.";
    case Tensor::DV: return "dV = Pᵀ dO: how the loss changes with V.";
    case Tensor::D: return "D = rowsum(dO ∘ O): one number per row, the average of dP under the row's weights.";
  }
  return "";
}

std::string tip_of_tile(const Canvas& canvas, Tensor tensor, int64_t i, int64_t j, Level where) {
  const TileShape shape = shape_of(tensor, i, j, canvas.tiling);
  const bool on_chip_now = where == Level::Registers || where == Level::Sram;
  // O and dQ in memory are outputs from their last store on.
  const Walk& walk = *canvas.now.walk;
  const bool output = (tensor == Tensor::O || tensor == Tensor::DQ) &&
                      output_is_stored(walk.replay.steps(), canvas.now.playhead, int32_t(i), walk.schedule, tensor);
  const int64_t bytes = on_chip_now ? on_chip(tensor, i, j, canvas.plan, walk.spec).bytes
                                    : shape.elements() * bytes_of(memory_format(tensor, output, canvas.plan));
  return fmt::format("{}: {} × {} {}, {} {}.{}", tile_words(tensor, i, j), shape.rows, shape.cols, what(tensor),
                     bytes_words(bytes), place_words(where),
                     is_gradient(tensor) ? " The hatched edge marks a gradient." : "");
}

std::string tip_of_stat(const Canvas& canvas, Tensor tensor, int64_t row) {
  const int64_t r = row + 1;
  const Resident* held = canvas.now.after.find(tensor);
  const int64_t at = row - canvas.now.tile * canvas.tiling.br;
  const std::string value =
      held && at >= 0 && at < held->data->rows ? number_words(held->data->at(at, 0), 6) : std::string("not on chip");
  switch (tensor) {
    case Tensor::M: return fmt::format("m = {}: the largest score row {} has met so far.", value, r);
    case Tensor::L: return fmt::format("l = {}: the sum of row {}'s weights so far, relative to m.", value, r);
    case Tensor::Alpha:
      return fmt::format("α = {}: how much row {}'s past shrank when its max was last compared.", value, r);
    case Tensor::D: return fmt::format("D = {}: dO · O of row {}, the average of its dP.", value, r);
    default: return fmt::format("L = {}: m + log l of row {}, kept for the backward pass.", value, r);
  }
}

}  // namespace tilewalk
