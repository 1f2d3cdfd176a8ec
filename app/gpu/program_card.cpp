#include "app/gpu/program_card.h"

#include "app/gpu/desk_work.h"
#include "core/run/prediction.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// Of a GPU, the recorded runs that take these steps at that problem, and those of the shipped texts there.
struct Recorded {
  const ProgramRun* same = nullptr;
  std::vector<ProgramCard::Beside> beside;
};
Recorded recorded_on(RecordedGpu gpu, const MadeProgram& made) {
  const auto shipped = made.schedule.backward() ? backward_schedules() : schedules();
  const uint64_t steps = steps_number(made.packed);
  Recorded out;
  std::string why;
  for (const ProgramRun& run : shipped_program_runs(gpu)) {
    if (!run.timing || run.spec.problem != made.plan.problem) continue;
    if (const auto found = std::ranges::find(shipped, run.spec.name, &Schedule::key); found != shipped.end())
      out.beside.push_back({found->key, &run});
    if (out.same) continue;
    const std::optional<MadeProgram> other = make_program(run.spec, why);
    if (other && steps_number(other->packed) == steps) out.same = &run;
  }
  return out;
}

std::shared_ptr<const ProgramCard> made_card(const ProgramSpec& asked, const std::shared_ptr<const ProgramRun>& live,
                                             RecordedGpu preferred) {
  auto card = std::make_shared<ProgramCard>();
  card->asked = asked;
  const std::optional<MadeProgram> made = make_program(asked, card->unfit);
  if (!made) return card;
  const bool here = live && live->spec.text.words == asked.text.words && live->spec.problem == asked.problem;
  std::vector<RecordedGpu> order{preferred};
  for (const RecordedGpu gpu : kRecordedGpus)
    if (gpu != preferred) order.push_back(gpu);
  Recorded found;
  for (const RecordedGpu gpu : order) {
    Recorded there = recorded_on(gpu, *made);
    const bool better = there.same && !found.same && !here;
    if (!found.beside.empty() && !better) continue;
    if (there.beside.empty() && !there.same) continue;
    found = std::move(there);
  }
  if (here)
    card->own = live;
  else if (found.same)
    card->own = std::make_shared<const ProgramRun>(*found.same), card->recorded = true;
  card->beside = std::move(found.beside);
  const Provenance* gpu = card->own              ? &card->own->provenance
                          : card->beside.empty() ? nullptr
                                                 : &card->beside.front().run->provenance;
  card->predicted = program_bytes(*made, gpu ? machine_of(*gpu) : default_machine());
  return card;
}

}  // namespace

std::shared_ptr<const ProgramCard> program_card(const ProgramSpec& asked, const std::shared_ptr<const ProgramRun>& live,
                                                RecordedGpu preferred, DeskWork& work) {
  const Problem& p = asked.problem;
  const std::string key = fmt::format("program {} {} {} {} {} {}", p.br, p.bc, int(p.mask), int(preferred),
                                      static_cast<const void*>(live.get()), asked.text.words);
  if (const std::lock_guard lock(work.mutex); work.program_key == key) return work.program;
  work.ask(key, [&work, key, asked, live, preferred] {
    auto card = made_card(asked, live, preferred);
    const std::lock_guard lock(work.mutex);
    work.program = std::move(card), work.program_key = key;
    work.asked.erase(key);
    ++work.version;
  });
  return nullptr;
}

}  // namespace tilewalk
