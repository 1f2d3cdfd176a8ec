// The arguments of one call, taken by name or by place. The evaluator has checked them against the function's list
// already: words are words, and nothing is there that the list does not name.
#pragma once

#include "core/attention/problem.h"
#include "core/quantity/quantity.h"
#include "core/schedules/schedule.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewalk {

class Arguments {
 public:
  explicit Arguments(std::span<const Argument> all) : all_(all) {}

  // The unnamed ones, from 0. A missing one is empty, or 0.
  std::string_view word(size_t place) const;
  const Quantity& quantity(size_t place) const;
  size_t unnamed() const;

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string_view word(std::string_view name, std::string_view otherwise = {}) const;
  // A whole number from `least` to `most`; a fault, and `otherwise`, where it is none.
  int64_t whole(std::string_view name, int64_t otherwise, int64_t least, int64_t most);
  double number(std::string_view name, double otherwise) const;

  // The first fault stays.
  void fail(std::string sentence);
  bool failed() const { return !fault.empty(); }

  std::string fault;

 private:
  const Argument* find(std::string_view name) const;
  const Argument* at(size_t place) const;

  std::span<const Argument> all_;
};

// What every schedule of N, d, B, H, mask and format takes; Br and Bc by the schedule's default tiles where they are
// not given (see default_tiles). Nothing where something is at fault.
struct AskedShape {
  const Schedule* schedule = nullptr;
  Problem problem;
  VariantId variant = VariantId::Paper;
  int64_t heads() const { return problem.batch * problem.heads; }
  Plan plan() const { return make_plan(*schedule, problem, variant); }
};
std::optional<Problem> problem_asked(Arguments& arguments);   // Br, Bc 128 unless given
std::optional<AskedShape> shape_asked(Arguments& arguments);  // the schedule is word 0
inline constexpr std::string_view kShapeArguments =
    "SCHEDULE, N=, Nq=, Nk=, d=, Br=, Bc=, B=, H=, mask=WORD, align=WORD, format=WORD, variant=WORD";

// FA1's rule: Bc = ceil(M / 4d), Br = min(Bc, d), M in elements (arXiv:2205.14135 Algorithm 1).
struct Tiles {
  int64_t br, bc;
};
Tiles fa1_tiles(int64_t d, int64_t m_elements);
int64_t paper_sram_bytes();  // the paper's M

// Tiles where none are given: FA1's by the paper's rule on 192 KiB; FA2's and FA3's as released for A100 and H100
// (Dao-AILab/flash-attention: flash_fwd_launch_template.h, hopper/tile_size.h).
Tiles default_tiles(const Schedule& schedule, const Problem& problem);

Evaluated whole_quantity(double value, std::string_view unit, std::string source);
Evaluated failed(std::string fault);

// The files of the table.
std::span<const QuantityFunction> arithmetic_functions();
std::span<const QuantityFunction> traffic_functions();
std::span<const QuantityFunction> tile_functions();
std::span<const QuantityFunction> machine_functions();
std::span<const QuantityFunction> walk_functions();
std::span<const QuantityFunction> timing_functions();
std::span<const QuantityFunction> roofline_functions();
std::span<const QuantityFunction> recorded_functions();
std::span<const QuantityFunction> dispatch_functions();

}  // namespace tilewalk
