#include "app/export/pictures.h"

#include "app/boards/board.h"
#include "app/panels/panels.h"
#include "app/session/lesson_moves.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/playback.h"
#include "app/session/transport.h"
#include "app/scene/style.h"
#include "app/state/inputs_words.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// As text in the stage's picture grows with it; see app/panels/stage_picture.cpp.
float scale_of(const ExportOrder& order) {
  return std::max(1.0f, std::min(float(order.size.width) / 1280, float(order.size.height) / 800));
}

// The view as it is shown: at rest, without overlays, in the order's colours, at that moment.
ViewState shown(const Session& session, const ViewState& view, const ExportOrder& order, int64_t moment) {
  ViewState out = view;
  out.theme = order.theme;
  out.playing = false;
  out.phase = 1;
  out.hover.clear(), out.focus.clear(), out.notice.clear();
  out.focus_ring = false;
  out.hover_for = -1;
  close_overlays(out);
  out.rail_over = out.column_over = false;
  if (order.what == ExportWhat::Charts) out.gpu.enlarged = true;
  if (order.what == ExportWhat::Steps) {
    if (what_moves(session, view) == Moves::Board) {
      seek_board(session, out, int(moment));
      if (moment == board_steps(session, view)) out.board.covered.clear();  // nobody asks any more: it ends resolved
    } else {
      seek(session.walk(), out, moment);
    }
    out.phase = 1;
  }
  if (order.what == ExportWhat::Window) {
    out.monitor_scale = 1;
    out.scale = std::min(float(order.size.width) / 1920, float(order.size.height) / 1080);
  }
  return out;
}

// A link in pieces that fit the width, cut before a "&"; never shortened, as half a link leads nowhere.
std::vector<std::string> link_lines(const std::string& link, float size, float width) {
  std::vector<std::string> lines{""};
  for (size_t at = 0; at < link.size();) {
    const size_t end = std::min(link.find('&', at + 1), link.size());
    const std::string piece = link.substr(at, end - at);
    if (!lines.back().empty() && text_width(lines.back() + piece, Face::Mono, size) > width) lines.emplace_back();
    lines.back() += piece;
    at = end;
  }
  return lines;
}

struct Footer {
  FooterWords words;
  std::vector<std::string> lines;
  float height = 0, size = 0, pitch = 0, side = 0;
};

Footer footer_of(const Session& session, const ViewState& view, const ExportOrder& order) {
  const Style style(order.theme, scale_of(order));
  Footer out;
  out.words = footer_words(session, view);
  out.size = style.small(), out.pitch = style.px(20), out.side = style.px(24);
  const float right = text_width(out.words.right, Face::Sans, out.size) + style.px(24);
  out.lines = link_lines(out.words.link, out.size, float(order.size.width) - 2 * out.side - right);
  out.height = std::round(float(out.lines.size()) * out.pitch + style.px(16));
  return out;
}

void draw_footer(Scene& scene, const Footer& footer, const ExportOrder& order) {
  const Style style(order.theme, scale_of(order));
  const float width = float(order.size.width), top = float(order.size.height) - footer.height;
  scene.line({footer.side, top}, {width - footer.side, top}, style[Role::Line], style.px(1));
  float y = top + style.px(8);
  for (const std::string& line : footer.lines) {
    scene.label({footer.side, y, width - 2 * footer.side, footer.pitch}, line, Face::Mono, footer.size,
                style[Role::TextSecondary]);
    y += footer.pitch;
  }
  scene.label({footer.side, top + style.px(8), width - 2 * footer.side, footer.pitch}, footer.words.right, Face::Sans,
              footer.size, style[Role::TextSecondary], Align::Right);
}

// The device of what is on show, where anything of a GPU is: of a recording with its mark.
std::string device_words(const Session& session, const ViewState& view) {
  if (view.gpu.enlarged && view.gpu.board) {
    const GpuBoard& board = *view.gpu.board;
    const bool recorded = board.shows_recorded();
    const auto& run = recorded ? board.recorded : board.live;
    if (run)
      return fmt::format("{}{}, {}", recorded ? "◆ " : "", run->provenance.gpu, run->provenance.date.substr(0, 10));
  }
  const Board* board = board_named(view.board.board);
  if (!board || !board->readings) return {};
  for (const Reading& reading : board->readings({view.board, session, view, *board}))
    if (reading.quantity.origin == Origin::Recorded) return "◆ recorded on a GPU";
  return {};
}

}  // namespace

FooterWords footer_words(const Session& session, const ViewState& view) {
  FooterWords out{link_here(session, view).text, {}};
  const auto add = [&](const std::string& words) {
    if (!words.empty()) out.right += (out.right.empty() ? "" : "  ·  ") + words;
  };
  if (view.board.board.empty()) add(inputs_words(session));
  add(device_words(session, view));
  return out;
}

std::vector<int64_t> moments_of(const Session& session, const ViewState& view, const ExportOrder& order) {
  if (order.what != ExportWhat::Steps) return {view.playhead};
  const Moves moves = what_moves(session, view);
  std::vector<int64_t> out;
  if (moves == Moves::Board) {
    const int64_t last = std::min<int64_t>(order.steps.to, board_steps(session, view));
    for (int64_t step = order.steps.from; step <= last; ++step) out.push_back(step);
  } else if (moves == Moves::Walk) {
    const Replay& replay = session.walk().replay;
    const int64_t last = std::min(order.steps.to, replay.length());
    for (int64_t at = order.steps.from; at <= last;) {
      out.push_back(at);
      if (at == last) break;
      at = std::min(last, unit_forward(replay.steps(), at, order.unit));
    }
    // What stands still shows a GIF's first picture alone, and before the first step nothing is on chip.
    if (order.format == ExportFormat::Gif && out.size() > 1 && out.front() == 0) out.erase(out.begin());
  }
  return out;
}

std::string why_not(const Session& session, const ViewState& view, const ExportOrder& order) {
  if (order.what == ExportWhat::Lesson && !beat_on_show(view))
    return "No lesson is open; open one to take it away as a page.";
  if (order.what == ExportWhat::Steps) {
    const Moves moves = what_moves(session, view);
    if (moves != Moves::Walk && moves != Moves::Board)
      return "What is on the stage has no steps; take the stage alone.";
    const int64_t length = moves == Moves::Walk ? session.walk().replay.length() : board_steps(session, view);
    if (order.steps.from > length)
      return fmt::format("There are {} steps; the range begins behind them, at {}.", length, order.steps.from);
  }
  if (order.format == ExportFormat::Csv && numbers_of(session, view, order).empty())
    return "There are no numbers on the stage to save.";
  return {};
}

std::string numbers_of(const Session& session, const ViewState& view, const ExportOrder& order) {
  return stage_numbers(session, shown(session, view, order, view.playhead));
}

StagePicture picture_at(Session& session, const ViewState& view, const ExportOrder& order, int64_t moment) {
  const ViewState now = shown(session, view, order, moment);
  const Vec2 size{float(order.size.width), float(order.size.height)};
  const Footer footer = order.footer ? footer_of(session, now, order) : Footer{};
  const Vec2 room{size.x, size.y - footer.height};
  StagePicture out = order.what == ExportWhat::Window ? StagePicture{layout_window(session, now, room), "Tilewalk",
                                                                     stage_picture(session, now, room).description}
                                                      : stage_picture(session, now, room);
  out.scene.size = size;
  if (order.footer) draw_footer(out.scene, footer, order);
  return out;
}

}  // namespace tilewalk
