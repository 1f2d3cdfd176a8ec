// The steps of every schedule, variant and kernel on generated problems, as fingerprints. They were taken from programs
// that were written in C++, step by step, before the .walk texts took their place; lines are those of the texts and are
// left out.
#include "core/method/table.h"
#include "core/schedules/count.h"
#include "core/kernel/kernel_shapes.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <bit>
#include <string>

namespace tilewalk::test_streams {
using namespace tilewalk::test;

namespace {

constexpr uint64_t kProblems = 3000;

class Hash {
 public:
  void add(int64_t word) { hash_ = std::rotl((hash_ ^ uint64_t(word)) * 0x9E3779B97F4A7C15u, 29); }
  void add(const Meters& m) {
    for (size_t t = 0; t < kTensorCount; ++t) add(m.loaded[t]), add(m.stored[t]);
    for (int64_t x :
         {m.paper_loaded, m.paper_stored, m.operand_bytes, m.matrix_flop, m.vector_flop, m.exponentials, m.steps})
      add(x);
  }
  void add(const Step& s) {
    for (int64_t x : {int64_t(s.kind), int64_t(s.pass), int64_t(s.flags), int64_t(s.i), int64_t(s.j),
                      int64_t(s.section), int64_t(s.visit), int64_t(s.slot)})
      add(x);
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 14695981039346656037u;
};

Problem problem_of(uint64_t number) {
  Problem p = make_case(number).problem;
  if (number % 3 == 0) p.n_q *= 3, p.n_k *= 2;  // so that there is something to fold
  if (number % 7 == 0) p.mistake = Mistake::NoEarlyExit;
  return p;
}

struct Stream {
  std::string_view schedule;
  std::string_view form;  // "paper", "kernel", or a kernel's key: its plan on eight multiprocessors
  uint64_t fingerprint;
};
constexpr Stream kStreams[] = {
    {"standard", "paper", 14283774706545489095u},
    {"standard", "kernel", 14283774706545489095u},
    {"fa1", "paper", 2115609940602520899u},
    {"fa1", "kernel", 2227998840698450622u},
    {"fa1", "fa1", 711965067925154468u},
    {"fa1", "fa1-0.1", 13990331037298596312u},
    {"fa2", "paper", 6011587253183537591u},
    {"fa2", "kernel", 6420045959838682291u},
    {"fa2", "naive", 6011587253183537591u},
    {"fa3", "paper", 2505649717140715593u},
    {"fa3", "kernel", 14002846136119532589u},
    {"standard-backward", "paper", 7256148992996599979u},
    {"standard-backward", "kernel", 7256148992996599979u},
    {"fa1-backward", "paper", 8144364360004141564u},
    {"fa1-backward", "kernel", 8144364360004141564u},
    {"fa2-backward", "paper", 13813917214160745166u},
    {"fa2-backward", "kernel", 12869879110128378420u},
};

Plan plan_of(const Stream& stream, const Problem& problem) {
  if (const auto variant = variant_named(stream.form))
    return make_plan(*schedule_named(stream.schedule), problem, *variant);
  Plan plan = kernel_plan(problem, *kernel_named(stream.form), 8);
  if (stream.form.starts_with("fa1")) plan.variant.blocks_of_head = 1 + problem.n_q % 5;
  return plan;
}

}  // namespace

TEST_CASE("every schedule takes the very steps that it took, and folds them into the same sums") {
  for (const Stream& stream : kStreams) {
    const Schedule& schedule = *schedule_named(stream.schedule);
    Hash hash;
    for (uint64_t number = 0; number < kProblems; ++number) {
      const Plan plan = plan_of(stream, problem_of(number));
      for (const Step& step : steps_of(schedule, plan)) hash.add(step);
      for (const Meters& pass : count(schedule, plan).passes) hash.add(pass);
      const auto kinds = count_kinds(schedule, plan);
      for (int kind = 0; kind <= int(StepKind::StoreDV); ++kind) hash.add(kinds[size_t(kind)]);
    }
    INFO(stream.schedule, ", ", stream.form);
    CHECK_MESSAGE(hash.value() == stream.fingerprint, stream.schedule, " ", stream.form, " ", hash.value());
  }
}

}  // namespace tilewalk::test_streams
