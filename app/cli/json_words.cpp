#include "app/cli/json_words.h"

#include <fmt/format.h>

#include <cmath>

namespace tilewalk {

Json json_of(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

Json json_of(const std::vector<double>& values) {
  Json out = Json::array();
  for (double value : values) out.push_back(json_of(value));
  return out;
}

Json json_of(const Problem& p) {
  return {{"batch", p.batch},
          {"heads", p.heads},
          {"n_q", p.n_q},
          {"n_k", p.n_k},
          {"d", p.d},
          {"br", p.br},
          {"bc", p.bc},
          {"mask", name_of(p.mask)},
          {"align", name_of(p.align)},
          {"format", name_of(p.format)},
          {"arithmetic", name_of(p.arithmetic)},
          {"distribution", name_of(p.distribution)},
          {"seed", p.seed},
          {"scale", p.softmax_scale()}};
}

Json json_of(const Meters& m) {
  Json loaded = Json::object(), stored = Json::object();
  for (size_t t = 0; t < size_t(kTensorCount); ++t) {
    const std::string symbol(Tensor(t) == Tensor::Alpha ? "alpha" : symbol_of(Tensor(t)));
    if (m.loaded[t]) loaded[symbol] = m.loaded[t];
    if (m.stored[t]) stored[symbol] = m.stored[t];
  }
  return {{"l2_to_sm_bytes", m.fill_bytes()},
          {"sm_to_l2_bytes", m.drain_bytes()},
          {"loaded_bytes", loaded},
          {"stored_bytes", stored},
          {"paper_loaded_bytes", m.paper_loaded},
          {"paper_stored_bytes", m.paper_stored},
          {"operand_bytes", m.operand_bytes},
          {"matrix_flop", m.matrix_flop},
          {"vector_flop", m.vector_flop},
          {"exponentials", m.exponentials},
          {"steps", m.steps}};
}

Json json_of(const Asked& asked, const Inputs& inputs) {
  return {{"source", words_of_inputs(asked, inputs)},
          {"hash", fmt::format("{:016x}", hash_of(inputs))},
          {"batch", asked.batch},
          {"head", asked.head}};
}

}  // namespace tilewalk
