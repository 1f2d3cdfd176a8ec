#include "app/panels/stage_picture.h"

#include "app/boards/board.h"
#include "app/panels/panels.h"
#include "app/stage/formula.h"
#include "app/stage/stage.h"
#include "core/lesson/control_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// As for a stage of 1280 x 800: larger pictures have larger text.
Style style_for(const ViewState& view, Vec2 size) {
  return Style(view.theme, std::max(1.0f, std::min(size.x / 1280, size.y / 800)));
}

ViewState at_rest(const ViewState& view) {
  ViewState still = view;
  still.phase = 1;
  still.hover.clear();
  still.focus_ring = false;
  return still;
}

// A moment's sentence and its formula; a picture has nothing to press.
std::string said(const Moment& moment, const ViewState& view) {
  const std::string caption = without_controls(moment.words.caption), formula = shown_formula(moment, view);
  return formula.empty() ? caption : caption + " " + formula;
}

// What stands over a walk, or over two beside each other, which have one sentence where they say the same.
std::string said(Session& session, const ViewState& view, const Moment& first) {
  Walk* other = session.other();
  if (!other || !first.step()) return said(first, view);
  const Moment second = matching_moment(*other, first, view);
  const bool alike = !second.waits && second.words.caption == first.words.caption;
  return alike ? said(first, view) : said(first, view) + " " + said(second, view);
}

}  // namespace

StagePicture stage_picture(Session& session, const ViewState& view, Vec2 size) {
  const Board* board = board_named(view.board.board);
  const bool charts = view.gpu.enlarged, review = view.lesson.review;
  const Moment moment = moment_of(session.walk(), at_rest(view));
  if (!charts && !review && !board) {
    return {
        layout_stage_scene(session, view, size),
        fmt::format("{}, step {} of {}", session.walk().schedule.name, view.playhead, session.walk().replay.length()),
        said(session, at_rest(view), moment)};
  }
  const ViewState still = at_rest(view);
  const Style style = style_for(view, size);
  StagePicture out;
  out.scene.size = size;
  out.scene.background = style[Role::Background];
  const Rect area{0, 0, size.x, size.y};
  if (charts) {
    layout_gpu_charts(out.scene, session, moment, still, area, style);
    out.title = "Kernels on the GPU";
  } else if (review) {
    layout_review(out.scene, session, moment, still, area, style);
    out.title = "Questions of all lessons";
  } else {
    layout_board(out.scene, session, still, still.board, area, style, BoardFor::File);
    out.title = board->title;
    out.description = without_controls(board->caption({still.board, session, still, *board}));
  }
  return out;
}

std::string stage_name(const Session& session, const ViewState& view) {
  if (view.gpu.enlarged) return "gpu";
  if (view.lesson.review) return "review";
  if (const Board* board = board_named(view.board.board)) return std::string(board->id);
  return fmt::format("{}-step-{}", session.walk().schedule.key, view.playhead);
}

}  // namespace tilewalk
