#include "app/stage/room.h"

#include "app/stage/pieces.h"
#include "app/state/inputs_words.h"
#include "app/state/why_a_model.h"
#include "app/text/text.h"
#include "core/lesson/control_words.h"
#include "core/schedules/schedule.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

// With its numbers, as large as it fits.
void layout_room_formula(Canvas& canvas, Rect rect) {
  const Style& st = canvas.style;
  const std::string& formula = canvas.now.words.formula;
  float size = st.display();
  while (size > st.small() && text_width(formula, Face::MonoBold, size) > rect.w) size -= st.px(0.5f);
  canvas.fit(rect, {formula}, Face::MonoBold, size, st[Role::AccentText]);
}

}  // namespace

void layout_room_caption(Canvas& canvas, Rect rect) {
  const Style& st = canvas.style;
  const std::string words = without_controls(canvas.now.words.caption);
  std::vector<std::string> lines;
  float size = st.title();
  for (;; size -= st.px(0.5f)) {
    lines = wrap_text(words, Face::SansBold, size, rect.w);
    if (lines.size() <= (size > st.heading() ? 1 : 2) || size <= st.caption()) break;
  }
  if (lines.size() > 2) {
    lines.resize(2);
    lines.back() = ellipsize(lines.back() + " …", Face::SansBold, size, rect.w);
  } else {
    lines = wrap_text(words, Face::SansBold, size, balanced_width(words, Face::SansBold, size, rect.w));
  }
  const float pitch = lines.size() == 1 ? st.px(40) : rect.h / 2;
  for (size_t n = 0; n < lines.size(); ++n)
    canvas.scene.label({rect.x, rect.y + float(n) * pitch, rect.w, pitch}, lines[n], Face::SansBold, size,
                       st[Role::Text]);
}

std::string walk_premises(const Moment& moment, const Session& session) {
  const Setup& setup = session.setup();
  const Problem& p = setup.problem;
  const MachineSpec* machine = machine_named(setup.machine);
  const std::string n = p.n_q == p.n_k ? fmt::format("N {}", p.n_q) : fmt::format("Nq {}, Nk {}", p.n_q, p.n_k);
  std::string names, models;
  const auto name = [&](const Schedule& schedule) {
    names += fmt::format("{}{}", names.empty() ? "" : " and ", schedule.name);
    if (!why_a_model(schedule.id, moment.walk->spec).empty())
      models += fmt::format(", a model: {} needs Hopper", schedule.name);
  };
  name(moment.walk->schedule);
  if (setup.compared) name(schedule_of(*setup.compared));
  const std::string source = inputs_words(session);
  const std::string seed =
      p.distribution == Distribution::Normal ? fmt::format("seed {}", p.seed) : source.substr(0, source.find(':'));
  return fmt::format("{} · one head · {} · d {} · tiles {} × {} · {} · {} · {}{} · {}", names, n, p.d, p.br, p.bc,
                     name_of(p.format), p.mask == Mask::Causal ? "causal" : "no mask",
                     machine ? machine->title : setup.machine, models, seed);
}

std::string room_place(const Moment& moment) {
  if (moment.steps.empty()) return {};
  const Place& at = moment.place;
  return fmt::format(" · tile {} of {} · part {} of {}", at.tile, at.tiles, at.part, at.parts);
}

void layout_room_stage(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                       const Style& style) {
  Canvas canvas(scene, session, moment, view, style);
  canvas.for_room = true;
  const float caption = style.px(58), formula = style.px(44), dram = style.px(96), gap = style.px(6);
  const Rect low{area.x, area.bottom() - dram, area.w, dram};
  const Rect middle{area.x, area.y + caption + gap, area.w, low.y - formula - 2 * gap - (area.y + caption + gap)};
  layout_room_caption(canvas, {area.x, area.y, area.w, caption});
  layout_sram(canvas, middle);
  layout_room_formula(canvas, {area.x, middle.bottom() + gap, area.w, formula});
  layout_dram(canvas, low);
  layout_motion(canvas);
}

}  // namespace tilewalk
