#include "app/boards/estimate_model.h"

#include "app/boards/attention_case.h"
#include "app/boards/boards.h"
#include "app/boards/roofs_knob.h"
#include "core/roofline/own_model.h"
#include "core/run/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

namespace tilewalk {
namespace {

// Recorded on that very GPU, as its roofs are called ("NVIDIA H200", "H100 SXM"); none elsewhere.
std::span<const RunResult> runs_on(const Roofs& roofs) {
  for (const RecordedGpu gpu : kRecordedGpus) {
    std::string name(id_of(gpu));
    std::ranges::transform(name, name.begin(),
                           [](char c) { return char(std::toupper(static_cast<unsigned char>(c))); });
    if (roofs.title.find(name) != std::string::npos) return shipped_recordings(gpu);
  }
  return {};
}

}  // namespace

const SaidOfModel* said_of_model(const Exhibit& view) {
  if (&view.board != &kEstimateBoard || view.covered("time") || view.covered("win")) return nullptr;
  const std::optional<Roofs> roofs = roofs_chosen(view);
  if (!roofs) return nullptr;
  Case asked = case_of(view);
  if (asked.pass == CasePass::Decode) asked.problem.n_q = 1;
  thread_local std::string of;
  thread_local SaidOfModel said;
  const auto chosen = Method(view.knob("method"));
  const std::string now = fmt::format("{} {} {} {}", roofs->title, roofs->source, asked.words(), int(chosen));
  if (of == now) return &said;
  const OwnModel model = own_model(estimate_sheet(asked.problem, asked.direction(), Levels::WithL2, *roofs,
                                                  is_fused(chosen) ? std::optional(chosen) : std::nullopt),
                                   runs_on(*roofs));
  said = {{model.bound, model.turns, model.win, model.memory}, model.unknown};
  of = now;
  return &said;
}

}  // namespace tilewalk
