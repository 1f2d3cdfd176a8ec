// The dialog for taking something away: what, how, where to, how large the file will be; while it is written, how far.
#include "app/panels/column_parts.h"
#include "app/panels/form.h"
#include "app/panels/widgets.h"
#include "app/session/export_dialog.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cctype>

namespace tilewalk {
namespace {

// One line of the dialog: its name at the left, its control at the right.
struct Sheet {
  const Column& column;
  Rect inner;
  float y, row, gap, left;

  Rect next(std::string_view name) {
    const Style& s = column.style;
    fitted(column.scene, {inner.x, y, left - s.px(12), row}, name, Face::Sans, s.number(), s[Role::TextSecondary]);
    const Rect slot{inner.x + left, y, inner.w - left, row};
    y += row + gap;
    return slot;
  }
};

std::vector<Option> what_options(const Session& session, const ViewState& view) {
  const Moves moves = what_moves(session, view);
  std::vector<Option> out{
      {"stage", view.board.board.empty() ? "Stage" : "Board", "What is in the middle of the window"}};
  if (view.gpu.board) out.push_back({"charts", "GPU charts", "Kernels on the GPU, measured or recorded"});
  out.push_back({"window", "Window", "All of it, as it is now"});
  if (moves == Moves::Walk || moves == Moves::Board)
    out.push_back({"steps", "Steps", "A range of steps: a GIF, or numbered pictures"});
  if (beat_on_show(view))
    out.push_back({"lesson", "Lesson", "All of the lesson as one page for a browser or for print"});
  return out;
}

std::string_view value_of(ExportWhat what) {
  constexpr std::string_view kValues[] = {"stage", "charts", "window", "steps", "lesson"};
  return kValues[size_t(what)];
}

std::vector<Option> format_options(ExportWhat what) {
  std::vector<Option> out;
  for (const ExportFormat format : formats_of(what)) {
    std::string title(extension_of(format));
    for (char& c : title) c = char(std::toupper(static_cast<unsigned char>(c)));
    out.push_back({std::string(extension_of(format)), title, ""});
  }
  return out;
}

void lay_size(Sheet& sheet, const ExportDialog& dialog) {
  const Style& s = sheet.column.style;
  Rect slot = sheet.next("Size");
  std::string chosen = fmt::format("{}x{}", dialog.order.size.width, dialog.order.size.height);
  const std::vector<Option> options{{"1280x720", "1280×720", ""},
                                    {"1920x1080", "1920×1080", ""},
                                    {"3840x2160", "3840×2160", ""},
                                    {"own", "Other", "A size of one's own"}};
  if (dialog.own_size || std::ranges::find(options, chosen, &Option::value) == options.end()) chosen = "own";
  if (chosen == "own") {
    const float field = s.px(140);
    text_field(sheet.column.scene, sheet.column.view, s, {slot.right() - field, slot.y, field, slot.h},
               "field:export-size", dialog.size, "1280x720", "Width and height in pixels");
    slot.w -= field + s.px(10);
  }
  layout_segments(sheet.column, slot, "export-size", options, chosen, slot.h);
}

void lay_places(Sheet& sheet, const ExportDialog& dialog) {
  std::vector<Option> options;
  std::string chosen;
  for (size_t k = 0; k < dialog.places.size(); ++k) {
    const std::string name = dialog.places[k].filename().string();
    options.push_back({std::to_string(k), name.empty() ? dialog.places[k].string() : name, dialog.places[k].string()});
    if (dialog.places[k] == dialog.folder) chosen = std::to_string(k);
  }
  if (options.size() > 1)
    layout_segments(sheet.column, sheet.next("Folder"), "export-folder", options, chosen, sheet.row);
}

// How far it is: a bar that fills.
void lay_progress(const Column& column, Rect area, const ExportDialog& dialog) {
  const Style& s = column.style;
  const float h = s.px(10), y = area.center().y - h / 2, w = area.w - s.px(70);
  column.scene.box({area.x, y, w, h}, h / 2, s[Role::SurfaceStrong]);
  if (dialog.share > 0) column.scene.box({area.x, y, std::max(h, w * dialog.share), h}, h / 2, s[Role::Text]);
  column.scene.label({area.right() - s.px(60), area.y, s.px(60), area.h}, fmt::format("{:.0f} %", dialog.share * 100),
                     Face::Mono, s.number(), s[Role::Text], Align::Right);
}

}  // namespace

void layout_export(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect window,
                   const Style& s) {
  const ExportDialog& dialog = view.exporting;
  const ExportOrder& order = dialog.order;
  const bool drawn = order.what != ExportWhat::Lesson && order.format != ExportFormat::Csv,
             steps = order.what == ExportWhat::Steps;
  const Column column{scene, session, moment, view, s};
  const float gap = s.px(10), side = s.px(28), rim = s.px(22), head = s.px(52);
  const float w = std::min(s.px(760), window.w - s.px(40));
  const int rows = 3 + (steps ? 1 : 0) + (drawn ? 3 : 0) + (dialog.places.size() > 1 ? 1 : 0);
  const float words = s.px(24), foot = s.px(44);
  // In a low window the lines are lower.
  const float rest = 2 * rim + head + 2 * words + s.px(14) + foot;
  const float row = std::floor(std::min(s.px(40), (window.h - s.px(20) - rest) / float(rows) - gap));
  const float h = rest + float(rows) * (row + gap);
  scrim(scene, s, window, 0.25f);
  const Rect box{std::round(window.center().x - w / 2), std::round(std::max(s.px(10), window.center().y - h / 2)), w,
                 h};
  card(scene, s, box);
  const Rect inner = box.inset(side, rim);
  fitted(scene, {inner.x, inner.y, inner.w - s.px(50), s.px(36)}, "Export", Face::SansBold, s.title(), s[Role::Text]);
  icon_button(scene, view, s, {inner.right() - s.px(36), inner.y, s.px(36), s.px(36)}, Icon::Close, "escape",
              Look::Plain);

  Sheet sheet{column, inner, inner.y + head, row, gap, s.px(96)};
  layout_segments(column, sheet.next("What"), "export-what", what_options(session, view), value_of(order.what), row);
  if (steps) {
    const Rect slot = sheet.next("Steps");
    const float field = s.px(180);
    text_field(scene, view, s, {slot.x, slot.y, field, slot.h}, "field:export-steps", dialog.steps, "3-20, or all",
               "From and to, or all");
    const int64_t length =
        what_moves(session, view) == Moves::Board ? board_steps(session, view) : session.walk().replay.length();
    fitted(scene, {slot.x + field + s.px(14), slot.y, slot.w - field - s.px(14), slot.h},
           fmt::format("of {}; one picture for each part", length), Face::Sans, s.number(), s[Role::TextSecondary]);
  }
  layout_segments(column, sheet.next("Format"), "export-format", format_options(order.what), extension_of(order.format),
                  row);
  if (drawn) {
    lay_size(sheet, dialog);
    constexpr std::string_view kThemes[] = {"light", "dark", "projector"};
    layout_segments(column, sheet.next("Theme"), "export-theme",
                    {{"light", "Light", ""}, {"dark", "Dark", ""}, {"projector", "Projector", ""}},
                    kThemes[size_t(order.theme)], row);
    layout_segments(column, sheet.next("Footer"), "export-footer",
                    {{"on", "Link, seed, device", "A line at the foot of the picture"}, {"off", "None", ""}},
                    order.footer ? "on" : "off", row);
  }
  lay_places(sheet, dialog);
  text_field(scene, view, s, sheet.next("File"), "field:export-file", dialog.file, "picture.svg",
             "A name, or a path of its own");

  // Where it goes, what is wrong, or how large it will be.
  const float under = inner.x + sheet.left;
  const Rect note{under, sheet.y, inner.right() - under, 2 * words};
  std::vector<std::string> lines;
  if (!dialog.fault.empty())
    lines = wrap_text(dialog.fault, Face::Sans, s.number(), note.w);
  else
    lines = {export_path(dialog).string()};
  for (size_t k = 0; k < std::min<size_t>(lines.size(), 2); ++k)
    fitted(scene, {note.x, note.y + float(k) * words, note.w, words}, lines[k],
           dialog.fault.empty() ? Face::Mono : Face::Sans, dialog.fault.empty() ? s.small() : s.number(),
           s[dialog.fault.empty() ? Role::TextSecondary : Role::WrongText]);

  const float button = s.px(140);
  const Rect last{inner.right() - button, inner.bottom() - foot, button, foot};
  const Rect left{inner.x, last.y, inner.w - 2 * button - s.px(30), foot};
  if (dialog.busy) {
    lay_progress(column, {inner.x, last.y, inner.w - button - s.px(24), foot}, dialog);
    text_button(scene, view, s, last, "Stop", "export:stop", "Stops it; nothing is left half written (Esc)",
                Look::Round, Face::SansBold, s.body());
    return;
  }
  const std::string estimate = order.what == ExportWhat::Lesson ? "One page, nothing else needed" : dialog.estimate;
  fitted(scene, left, estimate.empty() && dialog.fault.empty() ? "Measuring…" : estimate, Face::Sans, s.body(),
         s[dialog.too_large ? Role::WrongText : Role::Text]);
  text_button(scene, view, s, {last.x - button - s.px(10), last.y, button, foot}, "Cancel", "command:escape",
              "Nothing is written (Esc)", Look::Solid, Face::SansBold, s.body());
  text_button(scene, view, s, last, "Save", "export:write", "Writes it", Look::Round, Face::SansBold, s.body());
}

}  // namespace tilewalk
