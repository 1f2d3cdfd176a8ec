// The dialog for taking something away: what, how, where to, how large the file will be; while it is written, how far.
#include "app/panels/cards.h"
#include "app/panels/panels.h"
#include "app/session/export_dialog.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "core/io/letters.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

using namespace ui;

constexpr float kNames = 96;  // the column of the names
constexpr Font kRemark{16, Face::Sans, Role::TextSecondary};

template <class What>
Choice choice(std::string name, std::string title, std::string tip, What what, bool chosen) {
  return {std::move(title), {"choice:export-" + name, std::move(tip), means(ChooseExport{std::move(what)})}, chosen};
}

// One line of the dialog: its name at the left, its control at the right.
Node line(std::string name, Node control) {
  return row(of(text(std::move(name), kRemark).width(px(kNames)), std::move(control).width(grow())))
      .height(between(24, 40));
}

std::vector<Choice> what_choices(const Session& session, const ViewState& view) {
  const Moves moves = what_moves(session, view);
  std::vector<Choice> out;
  const auto offer = [&](std::string name, std::string title, std::string tip, ExportWhat what) {
    out.push_back(choice("what/" + name, title, tip, what, view.exporting.order.what == what));
  };
  offer("stage", view.board.board.empty() ? "Stage" : "Board", "What is in the middle of the window",
        ExportWhat::Stage);
  if (view.gpu.board) offer("charts", "GPU charts", "Kernels on the GPU, measured or recorded", ExportWhat::Charts);
  offer("window", "Window", "All of it, as it is now", ExportWhat::Window);
  if (moves == Moves::Walk || moves == Moves::Board)
    offer("steps", "Steps", "A range of steps: a GIF, or numbered pictures", ExportWhat::Steps);
  if (beat_on_show(view))
    offer("lesson", "Lesson", "All of the lesson as one page for a browser or for print", ExportWhat::Lesson);
  return out;
}

Node steps_line(const Session& session, const ViewState& view) {
  const int64_t length =
      what_moves(session, view) == Moves::Board ? board_steps(session, view) : session.walk().replay.length();
  return row(of(field_of(view, "field:export-steps", view.exporting.steps, "3-20, or all", "From and to, or all")
                    .width(px(180)),
                text(fmt::format("of {}; one picture for each part", length), kRemark).width(grow())),
             14);
}

std::vector<Choice> format_choices(const ExportOrder& order) {
  std::vector<Choice> out;
  for (const ExportFormat format : formats_of(order.what)) {
    const std::string ending(extension_of(format));
    std::string title = ending;
    for (char& c : title) c = raised(c);
    out.push_back(choice("format/" + ending, title, "", format, order.format == format));
  }
  return out;
}

Node size_line(const ViewState& view) {
  const ExportDialog& dialog = view.exporting;
  std::vector<Choice> choices;
  bool own = true;
  for (const PictureSize size : {PictureSize{1280, 720}, {1920, 1080}, {3840, 2160}}) {
    const bool chosen = !dialog.own_size && dialog.order.size == size;
    own = own && !chosen;
    choices.push_back(choice(fmt::format("size/{}x{}", size.width, size.height),
                             fmt::format("{}×{}", size.width, size.height), "", size, chosen));
  }
  choices.push_back(choice("size/own", "Other", "A size of one's own", OwnSize{}, own));
  std::vector<Node> parts = of(segments(std::move(choices)).width(grow()));
  if (own)
    parts.push_back(
        field_of(view, "field:export-size", dialog.size, "1280x720", "Width and height in pixels").width(px(140)));
  return row(std::move(parts), 10);
}

std::vector<Choice> theme_choices(const ExportOrder& order) {
  std::vector<Choice> out;
  for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Projector}) {
    std::string name(name_of(theme)), title = name;
    title[0] = raised(title[0]);
    out.push_back(choice("theme/" + name, title, "", theme, order.theme == theme));
  }
  return out;
}

std::vector<Choice> folder_choices(const ExportDialog& dialog) {
  std::vector<Choice> out;
  for (const auto& place : dialog.places) {
    const std::string name = place.filename().string();
    out.push_back(choice(fmt::format("folder/{}", out.size()), name.empty() ? place.string() : name, place.string(),
                         place, place == dialog.folder));
  }
  return out;
}

// How far it is: a bar that fills.
Node progress(float share) {
  const auto bar = [share](Scene& scene, Rect r, const Style& s) {
    const Rect track = r.inset(0, (r.h - s.px(10)) / 2);
    scene.box(track, track.h / 2, s[Role::SurfaceStrong]);
    if (share > 0)
      scene.box({track.x, track.y, std::max(track.h, track.w * share), track.h}, track.h / 2, s[Role::Text]);
  };
  return row(of(canvas(bar).width(grow()),
                text(fmt::format("{:.0f} %", share * 100), {16, Face::Mono, Role::Text, Align::Right}).width(px(60))),
             10);
}

Node foot(const ExportDialog& dialog) {
  const auto wide = [](Node node) { return std::move(node).width(px(140)); };
  if (dialog.busy)
    return row(
        of(progress(dialog.share).width(grow()),
           wide(button("Stop", {"export:stop", "Stops it; nothing is left half written (Esc)", means(StopExport{})},
                       Fill::Round))),
        24);
  std::string size = dialog.order.what == ExportWhat::Lesson ? "One page, nothing else needed" : dialog.estimate;
  if (size.empty() && dialog.fault.empty()) size = "Measuring…";
  return row(of(text(size, {18, Face::Sans, dialog.too_large ? Role::WrongText : Role::Text}).width(grow()),
                wide(button("Cancel", runs("escape", "Nothing is written (Esc)"), Fill::Solid)),
                wide(button("Save", {"export:write", "Writes it", means(WriteExport{})}, Fill::Round))),
             10);
}

}  // namespace

void layout_export(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& s) {
  const ExportDialog& dialog = view.exporting;
  const ExportOrder& order = dialog.order;
  std::vector<Node> lines = of(line("What", segments(what_choices(session, view))));
  if (order.what == ExportWhat::Steps) lines.push_back(line("Steps", steps_line(session, view)));
  lines.push_back(line("Format", segments(format_choices(order))));
  if (order.what != ExportWhat::Lesson && order.format != ExportFormat::Csv) {
    lines.push_back(line("Size", size_line(view)));
    lines.push_back(line("Theme", segments(theme_choices(order))));
    lines.push_back(line("Footer", segments({choice("footer/on", "Link, seed, device",
                                                    "A line at the foot of the picture", Footer{true}, order.footer),
                                             choice("footer/off", "None", "", Footer{false}, !order.footer)})));
  }
  if (dialog.places.size() > 1) lines.push_back(line("Folder", segments(folder_choices(dialog))));
  lines.push_back(
      line("File", field_of(view, "field:export-file", dialog.file, "picture.svg", "A name, or a path of its own")));
  // Where it goes, or what is wrong.
  Node note = dialog.fault.empty()
                  ? text(export_path(dialog).string(), {14, Face::Mono, Role::TextSecondary}).height(px(24))
                  : fault_text(dialog.fault, 16, 2);
  lines.push_back(row(of(spacer(px(kNames)), std::move(note).width(grow())), 0, Across::Start).height(px(48)));
  show_overlay(scene, view, window, s, 0.25f,
               card(column(of(title_row("Export"), spacer(px(16)), column(std::move(lines), 10), spacer(px(4)),
                              foot(dialog).height(px(44)))),
                    between(0, 760), {28, 22}));
}

}  // namespace tilewalk
