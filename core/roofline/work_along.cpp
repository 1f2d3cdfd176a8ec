#include "core/roofline/work_along.h"

#include "core/machine/machine_spec.h"

#include <cmath>
#include <numeric>

namespace tilewalk {
namespace {

// The polynomial through what was counted, by Lagrange's weights.
struct Weights {
  double a, b, c;
  double operator()(double x, double y, double z) const { return a * x + b * y + c * z; }
};

void mix(Blocks& to, const Blocks& x, const Blocks& y, const Blocks& z, Weights w) {
  const auto whole = [&](auto member) {
    return std::round(w(double(x.*member), double(y.*member), double(z.*member)));
  };
  to.count = int64_t(whole(&Blocks::count));
  to.per_head = int64_t(whole(&Blocks::per_head));
  to.visits = whole(&Blocks::visits);
  to.longest = whole(&Blocks::longest);
  to.last = whole(&Blocks::last);
  to.useful = w(x.useful, y.useful, z.useful);
}

void mix(PassWork& to, const PassWork& x, const PassWork& y, const PassWork& z, Weights w) {
  constexpr double PassWork::*kAmounts[] = {&PassWork::matrix_flop,     &PassWork::exponentials,  &PassWork::vector_ops,
                                            &PassWork::l2_bytes,        &PassWork::sram_bytes,    &PassWork::dram_bytes,
                                            &PassWork::two_level_bytes, &PassWork::kept_per_head, &PassWork::again,
                                            &PassWork::edge_bytes};
  for (const auto amount : kAmounts) to.*amount = w(x.*amount, y.*amount, z.*amount);
  mix(to.blocks, x.blocks, y.blocks, z.blocks, w);
}

}  // namespace

WorkTiles tile_grid(Method method, int64_t d, Direction direction) {
  WorkTiles grid;
  if (info_of(method).kernel.kind == KernelKind::None || !is_fused(method) || direction == Direction::Backward)
    return grid;
  const KernelShape shape = kernel_shape(method, int(padded_d(method, d)));
  if (grid.period % shape.br != 0 || grid.period % shape.bc != 0) grid.period = std::lcm(shape.br, shape.bc);
  grid.edge = std::gcd(grid.edge, std::gcd(int64_t{shape.br}, int64_t{shape.bc}));
  return grid;
}

WorkAlong::WorkAlong(Method method, const Problem& problem, Direction direction)
    : method_(method),
      problem_(problem),
      direction_(direction),
      grid_(tile_grid(method, problem.d, direction)),
      counted_(size_t(grid_.period)) {}

const Work& WorkAlong::at(int64_t n) {
  if (n < counted()) return made_ = work_of(method_, with_n(problem_, n), direction_);
  const int64_t rest = n % grid_.period, m = n / grid_.period;
  auto& known = counted_[size_t(rest)];
  if (!known) {
    known = std::make_unique<std::array<Work, 3>>();
    for (int64_t k = 0; k < 3; ++k)
      (*known)[size_t(k)] = work_of(method_, with_n(problem_, rest + (kFirst + k) * grid_.period), direction_);
  }
  const auto& [x, y, z] = *known;
  const double t = double(m - kFirst);  // x, y, z stand at 0, 1, 2
  const Weights w{(t - 1) * (t - 2) / 2, -t * (t - 2), t * (t - 1) / 2};
  made_ = z;
  made_.problem.n_q = made_.problem.n_k = n;
  for (size_t pass = 0; pass < made_.passes.size(); ++pass)
    mix(made_.passes[pass], x.passes[pass], y.passes[pass], z.passes[pass], w);
  if (method_ == Method::Fa1)
    for (PassWork& pass : made_.passes) {
      Blocks& blocks = pass.blocks;
      if (blocks.count == 0) continue;
      if (direction_ == Direction::Backward) {
        // One block a head or one a tile, as it fills the chip: no polynomial.
        blocks.per_head = fa1_backward_blocks(made_.heads(), (n + kFa1BackwardKeys - 1) / kFa1BackwardKeys,
                                              problem_.mask == Mask::Causal, default_machine().multiprocessors);
        blocks.count = made_.heads() * blocks.per_head;
      }
      blocks.longest = blocks.last = std::ceil(blocks.visits / double(blocks.count));
    }
  made_.nominal_flop = w(x.nominal_flop, y.nominal_flop, z.nominal_flop);
  made_.memory_bytes = w(x.memory_bytes, y.memory_bytes, z.memory_bytes);
  return made_;
}

}  // namespace tilewalk
