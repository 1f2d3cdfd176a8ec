#include "app/panels/told.h"

#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/panels/describe.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/element.h"
#include "app/session/focus.h"
#include "app/session/lesson_hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/session/region_id.h"
#include "app/session/typing.h"
#include "core/io/number.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace tilewalk {
namespace {

struct Teller {
  Session& session;
  const ViewState& view;
  const Scene& scene;
  std::vector<Told>& out;
  std::vector<const Label*> labels;  // in the order in which they were painted
  std::set<std::string> told;        // ids: what lies in several memories is told once
};

// A part of the window: what was painted and can be reached there. `from` is the first region and `painted` the first
// label that belong to what lies on top.
struct PartOnShow {
  std::string name, id;
  Rect area;
  size_t from = 0, painted = 0;
};

bool is_letter(unsigned char c) { return std::isalpha(c) != 0 || c == 0xCE || c == 0xCF; }  // Greek ones too
bool has_letters(std::string_view text) { return std::ranges::any_of(text, is_letter); }
bool has_words(std::string_view text) {  // a mark alone is none
  return std::ranges::any_of(text, [](unsigned char c) { return is_letter(c) || std::isdigit(c) != 0; });
}

// Labels as lines of text: what stands side by side is one line.
std::vector<std::string> as_lines(std::vector<const Label*> labels) {
  const auto middle = [](const Label* label) { return label->slot.center().y; };
  std::ranges::stable_sort(labels, {}, middle);
  std::vector<std::string> lines;
  for (size_t k = 0; k < labels.size();) {
    size_t end = k + 1;
    while (end < labels.size() && middle(labels[end]) - middle(labels[k]) < labels[k]->size * 0.5f) ++end;
    std::sort(labels.begin() + std::ptrdiff_t(k), labels.begin() + std::ptrdiff_t(end),
              [](const Label* a, const Label* b) { return a->slot.x < b->slot.x; });
    std::string line;
    for (; k < end; ++k) line += (line.empty() ? "" : " ") + labels[k]->text;
    if (has_words(line)) lines.push_back(std::move(line));
  }
  return lines;
}

std::string written_on(const Teller& t, const PartOnShow& part, const Region& region) {
  std::vector<const Label*> on;
  for (size_t k = part.painted; k < t.labels.size(); ++k)
    if (region.rect.contains(t.labels[k]->slot.center())) on.push_back(t.labels[k]);
  std::string words;
  for (const std::string& line : as_lines(std::move(on))) words += (words.empty() ? "" : " ") + line;
  return words;
}

void set_track(Told& told, std::string_view what, double now, double most) {
  told.role = Told::Role::Slider;
  told.name = what;
  told.now = now, told.most = most;
  told.value = fmt::format("{:.0f} of {:.0f}", now, most);
}

void set_knob(Told& told, const Board& board, const BoardState& state, std::string_view id) {
  const std::string_view rest = rest_of(id), name = rest.substr(0, rest.find('/'));
  const auto knob = std::ranges::find(board.knobs, name, &Knob::id);
  if (knob == board.knobs.end()) return;
  const double value = knob_value(board, state, name);
  const std::string label(knob->label.empty() ? knob->id : knob->label);
  told.tip = knob->tip;
  if (is_switch(board, id)) {
    told.role = Told::Role::Switch, told.name = label, told.on = value != 0;
  } else if (const std::string_view choice = rest.substr(std::min(rest.size(), name.size() + 1)); !choice.empty()) {
    const auto place = number_of<int>(choice);
    told.role = place ? Told::Role::Toggle : Told::Role::Button;
    told.name = fmt::format("{}: {}", label, place ? knob_text(*knob, *place) : choice == "+" ? "next" : "previous");
    told.on = place && *place == int(value);
  } else {
    told.role = Told::Role::Slider, told.name = label;
    told.value = knob_text(*knob, value);
    told.now = knob_share(*knob, value);
  }
}

// What can be pressed or turned.
Told control(const Teller& t, const PartOnShow& part, const Region& region) {
  const ViewState& view = t.view;
  const std::string_view kind = kind_of(region.id);
  Told told{Told::Role::Button, written_on(t, part, region), region.id, {}, region.tip};
  // A number alone, or a mark, is no name.
  if (!has_letters(told.name) && !told.tip.empty()) {
    const bool known = told.tip.find(told.name) != std::string::npos;
    told.value = known ? std::string() : std::exchange(told.name, {});
    told.name = std::exchange(told.tip, {});
  }
  if (region.id == "scrubber") set_track(told, "Step", double(view.playhead), double(t.session.walk().replay.length()));
  if (region.id == "steps") set_track(told, "Step", view.board.step, board_steps(t.session, view));
  if (region.id == "beats")
    if (const auto lesson = lesson_on_show(view))
      set_track(told, "Beat", view.lesson.beat + 1, double(lesson->beats.size()));
  const Board* board = board_named(view.board.board);
  if (kind == "knob" && board) set_knob(told, *board, view.board, region.id);
  if (kind == "board" && board && board->nudge && !presses_alike(view, region.id)) told.role = Told::Role::Dial;
  if (kind == "tab") told.role = Told::Role::Toggle, told.on = id_of(view.tab) == region.id;
  if (kind == "beat") told.role = Told::Role::Toggle, told.on = number_or(rest_of(region.id), -1) == view.lesson.beat;
  if (kind == "lesson") {
    const auto lesson = lesson_on_show(view);
    told.role = Told::Role::Toggle;
    told.on = lesson && (rest_of(region.id) == lesson->id || number_or(rest_of(region.id), -1) == lesson->number);
  }
  if (const auto element = element_of_cell(region.id, t.session)) {
    told.role = Told::Role::Field;
    told.name = element_words(*element);
    told.value = number_words(input_matrix(t.session, element->tensor).at(element->row, element->col), 6);
  }
  if (is_field(region.id)) {
    told.role = Told::Role::Field;
    told.value = std::exchange(told.name, told.tip);
    told.tip.clear();
  }
  if (told.name.empty()) told.name = rest_of(region.id).substr(rest_of(region.id).rfind('/') + 1);
  if (told.tip == told.name) told.tip.clear();
  return told;
}

// Everything that Tab stops at in the part; where the text is told too, between its lines as they stand.
void tell_controls(Teller& t, const PartOnShow& part) {
  for (size_t k = part.from; k < t.scene.regions.size(); ++k) {
    const Region& region = t.scene.regions[k];
    const std::string_view kind = kind_of(region.id);
    if (!region.focusable || !part.area.contains(region.rect.center()) || kind == "option" ||
        region.id == "field:answer")
      continue;
    if (t.told.insert(region.id).second) t.out.push_back(control(t, part, region));
  }
}

void tell_text(Teller& t, const PartOnShow& part) {
  std::vector<const Label*> free;
  for (size_t k = part.painted; k < t.labels.size(); ++k) {
    const Vec2 at = t.labels[k]->slot.center();
    const auto on_control = [&](const Region& region) { return region.focusable && region.rect.contains(at); };
    if (part.area.contains(at) &&
        std::none_of(t.scene.regions.begin() + std::ptrdiff_t(part.from), t.scene.regions.end(), on_control))
      free.push_back(t.labels[k]);
  }
  for (std::string& line : as_lines(std::move(free))) t.out.push_back({Told::Role::Text, std::move(line)});
}

void begin_part(Teller& t, const PartOnShow& part, Told::Role role = Told::Role::Part) {
  t.out.push_back({role, part.name, part.id});
  t.out.push_back({Told::Role::Heading, part.name, {}, {}, {}, 2});
}

void tell_part(Teller& t, const PartOnShow& part, bool with_text) {
  if (part.area.w <= 0 || part.area.h <= 0) return;
  begin_part(t, part);
  if (with_text) tell_text(t, part);
  tell_controls(t, part);
}

void tell_stage(Teller& t, const PartOnShow& part) {
  if (t.view.gpu.enlarged || t.view.lesson.review) return tell_part(t, part, true);
  begin_part(t, part);
  const std::string caption = stage_caption(t.session, t.view);
  t.out.push_back({Told::Role::Status, caption, "caption"});
  const SeenStage seen{&t.scene, part.area, true};
  for (const std::string& line : describe_stage(t.session, t.view, &seen))
    if (!line.empty() && line != caption) t.out.push_back({Told::Role::Text, line.substr(line.find_first_not_of(' '))});
  tell_controls(t, part);
}

std::string name_of_overlay(const ViewState& view) {
  struct Name {
    std::string_view operator()(std::monostate) const { return "Tilewalk"; }
    std::string_view operator()(const Menu&) const { return "Menu"; }
    std::string_view operator()(const KeySheet&) const { return "Keys"; }
    std::string_view operator()(const WordSheet& sheet) const { return sheet.statements ? "Lines" : "Words"; }
    std::string_view operator()(const GoTo&) const { return "Go to"; }
    std::string_view operator()(const TypeElement&) const { return "Type over an element"; }
    std::string_view operator()(const FileList&) const { return "Files"; }
    std::string_view operator()(const ExportSheet&) const { return "Export"; }
    std::string_view operator()(const ConfirmReset&) const { return "Begin again?"; }
    std::string_view operator()(const LeftOverOffer&) const { return "Where you were"; }
    std::string_view operator()(const About&) const { return "About Tilewalk"; }
    std::string_view operator()(const ChoiceList&) const { return "Choices"; }
    std::string_view operator()(const ProgramList&) const { return "Programs"; }
    std::string_view operator()(const JoinClass&) const { return "Join a class"; }
    std::string_view operator()(const ClassCard&) const { return "The class is asked"; }
    std::string_view operator()(const ClassDesk&) const { return "The class"; }
    std::string_view operator()(const ClassSummary&) const { return "What the class came to"; }
  };
  return std::string(std::visit(Name{}, view.over));
}

// Where what lies on top begins: the labels after the last box that fills its area.
size_t painted_from(const Scene& scene, const Rect& area) {
  size_t labels = 0, from = 0;
  for (const Item& item : scene.items) {
    if (std::holds_alternative<Label>(item)) ++labels;
    const Box* box = std::get_if<Box>(&item);
    if (box && box->fill.a == 255 && box->rect.w >= area.w * 0.98f && box->rect.h >= area.h * 0.98f &&
        box->rect.contains(area.center()))
      from = labels;
  }
  return from;
}

size_t region_after(const Scene& scene, std::string_view id) {
  for (size_t k = scene.regions.size(); k-- > 0;)
    if (scene.regions[k].id == id) return k + 1;
  return 0;
}

}  // namespace

std::vector<Told> tell_window(Session& session, const ViewState& view, const Scene& scene) {
  std::vector<Told> out;
  Teller t{session, view, scene, out, {}, {}};
  for (const Item& item : scene.items)
    if (const Label* label = std::get_if<Label>(&item)) t.labels.push_back(label);
  const Rect all{0, 0, scene.size.x, scene.size.y};
  const WindowGrid grid = window_grid(scene.size, view);
  if (!view.notice.empty()) out.push_back({Told::Role::Status, view.notice, "notice"});
  if (const size_t over = region_after(scene, kScrim); over > 0) {
    const Region* card = scene.find("card");
    if (!card) card = scene.find("panel:class");
    const PartOnShow part{name_of_overlay(view), "told:over", card ? card->rect : all, over,
                          painted_from(scene, card ? card->rect : all)};
    begin_part(t, part, Told::Role::Dialog);
    tell_text(t, part);
    tell_controls(t, part);
    return out;
  }
  if (view.present.on) {
    tell_lesson_part(out, session, view);
    tell_part(t, {"Presenting", "told:present", all}, true);
    out.push_back({Told::Role::Status, stage_caption(session, view), "caption"});
    return out;
  }
  tell_lesson_part(out, session, view);
  for (const Told& each : out) t.told.insert(each.id);
  const bool with_text = view.tab != Tab::Lesson || !beat_on_show(view) || !view.lesson.fault_of.empty();
  if (grid.rail_over.w > 0 || grid.column_over.w > 0) {
    const bool rail = grid.rail_over.w > 0;
    const Rect area = rail ? grid.rail_over : grid.column_over;
    tell_part(t,
              {rail ? "Lessons" : "Beside the stage", "told:over", area, region_after(scene, "panel:over"),
               painted_from(scene, area)},
              !rail && with_text);
  }
  tell_part(t, {"Beside the stage", "told:column", grid.column}, with_text);
  tell_stage(t, {"Stage", "told:stage", grid.stage});
  tell_part(t, {"A hint", "told:coach", grid.coach}, true);
  tell_part(t, {"Going through it", "told:transport", grid.transport}, false);
  tell_part(t, {"The class", "told:class", grid.class_bar}, true);
  tell_part(t, {"Tilewalk", "told:bar", grid.top_bar}, true);
  tell_part(t, {"Lessons", "told:lessons", grid.rail}, false);
  tell_part(t, {"Status", "told:status", grid.status}, true);
  return out;
}

}  // namespace tilewalk
