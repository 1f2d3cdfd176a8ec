// The GPU tab: what the worker is doing, which problem is run, each kernel's time, the chosen kernel's bytes and how
// right its answer is. Where the column is low it has three pages.
#include "app/gpu/run_plan.h"
#include "app/panels/flow.h"
#include "app/panels/gpu_parts.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/prose_text.h"
#include "app/session/gpu_choices.h"
#include "app/session/lesson_moves.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tilewalk {
namespace {

class GpuTab {
 public:
  explicit GpuTab(const Column& column)
      : c_(column), s_(column.style), gpu_(column.view.gpu), words_(gpu_words(gpu_)), control_(column.px(34)) {}

  void lay_out(Rect area) {
    const float gap = px(14), top = area.y + px(12);
    const bool tall = area.h >= px(700);
    low_ = area.h < px(480), roomy_ = area.h >= px(820);
    float y = top;
    y += head({area.x, y, area.w, 0}, tall) + (tall ? gap : px(8));
    y += shape({area.x, y, area.w, 0}) + (tall ? gap : px(8));
    const Rect rest{area.x, y, area.w, area.bottom() - px(10) - y};
    if (!gpu_.board) return;
    if (!gpu_.board->fault.empty()) return layout_note(c_, rest, gpu_.board->fault, true);
    const float foot = px(46), rows = float(gpu_.board->rows.size());
    if (gpu_.shape == GpuShape::Ladder) return ladder(rest);
    if (rest.h >= px(26) + rows * px(34) + px(26) + bytes_height(c_) + checks_height() + foot + 3 * gap) {
      const float checks = checks_height(), bytes = bytes_height(c_) + px(26);
      const float times = std::min(rest.h - checks - bytes - foot - 3 * gap, px(26) + rows * px(56));
      float at = rest.y;
      this->times({rest.x, at, rest.w, times});
      at += times + gap;
      this->bytes({rest.x, at, rest.w, bytes});
      at += bytes + gap;
      this->checks({rest.x, at, rest.w, checks});
      source({rest.x, rest.bottom() - foot, rest.w, foot});
      return;
    }
    const Rect room = layout_pages(c_, {rest.x, rest.y, rest.w, rest.h}, {"Time", "Bytes", "Right?"});
    const float low = low_ ? px(28) : foot;
    Rect page{room.x, room.y, room.w, room.h - low - px(6)};
    switch (std::clamp(c_.view.page, 0, 2)) {
      case 0: layout_times(c_, page, *gpu_.board); break;
      case 1:
        if (const GpuRow* row = chosen_row(gpu_))
          layout_bytes(c_, {page.x, page.y, page.w, std::min(page.h, px(200))}, *row, true);
        break;
      case 2: checks(page); break;
    }
    source({room.x, room.bottom() - low, room.w, low});
  }

  // The rungs' times, then the chosen one's ideas as switches; where it is low, one of them a page.
  void ladder(Rect rest) {
    const float foot = px(46), low = low_ ? px(28) : foot, rows = float(gpu_.board->rows.size());
    if (rest.h < px(26) + rows * px(34) + px(300)) {
      const Rect room = layout_pages(c_, rest, {"Time", "Switches"});
      const Rect page{room.x, room.y, room.w, room.h - low - px(6)};
      if (c_.view.page <= 0)
        layout_times(c_, page, *gpu_.board);
      else
        layout_ladder_switches(c_, page, *gpu_.board);
      return source({room.x, room.bottom() - low, room.w, low});
    }
    const float gap = px(14), times = px(26) + rows * px(40);
    this->times({rest.x, rest.y, rest.w, times});
    Rect below{rest.x, rest.y + times + gap, rest.w, rest.h - times - 2 * gap - foot};
    heading(below, fmt::format("{}, idea by idea", info_of(gpu_.kernel).kernel_name()));
    layout_ladder_switches(c_, below, *gpu_.board);
    source({rest.x, rest.bottom() - foot, rest.w, foot});
  }

 private:
  float px(float p) const { return c_.px(p); }
  void label(Rect r, std::string_view text, Face face, float size, Role role, Align align = Align::Left) {
    fitted_label(c_.scene, s_, r, text, face, size, c_.color(role), align);
  }

  // The state: glyph, headline, sentence, actions; returns its height.
  float head(Rect r, bool tall) {
    float y = r.y;
    label({r.x, y, px(28), px(30)}, words_.glyph, Face::SansBold, s_.heading(), words_.role);
    label({r.x + px(30), y, r.w - px(30) - px(112), px(30)}, words_.headline, Face::SansBold, s_.heading(), Role::Text);
    const std::vector<Chip> large{{"command:gpu-large", gpu_.enlarged ? "Stage (L)" : "Large (L)",
                                   "The charts in place of the stage (L)", gpu_.enlarged}};
    layout_chips(c_, {r.right() - px(104), y, px(104), px(30)}, large, px(30));
    y += px(34);
    if (const float look = look_for({r.x, y, r.w, 0}); look > 0) {
      y += look;
    } else if (!words_.sentence.empty() && !(low_ && gpu_.status.what.empty())) {
      std::vector<std::string> lines = wrap_text(words_.sentence, Face::Sans, s_.small(), r.w);
      const size_t fit = std::min<size_t>(lines.size(), tall ? 4 : low_ || gpu_.status.what.empty() ? 1 : 3);
      for (size_t k = 0; k < fit; ++k) {
        std::string text = lines[k];
        if (k + 1 == fit)
          for (size_t rest = k + 1; rest < lines.size(); ++rest) text += " " + lines[rest];
        c_.scene.label({r.x, y, r.w, px(20)}, ellipsize(text, Face::Sans, s_.small(), r.w), Face::Sans, s_.small(),
                       c_.color(Role::TextSecondary));
        y += px(20);
      }
      c_.scene.region({r.x, r.y + px(34), r.w, y - r.y - px(34)}, "gpu:state", words_.sentence, false);
      y += px(6);
    }
    if (gpu_.status.state == GpuState::Running && gpu_.status.progress.of > 0) {
      const Rect track{r.x, y, r.w, px(8)};
      c_.scene.box(track, track.h / 2, c_.color(Role::SurfaceStrong), c_.color(Role::Border), px(1));
      const float part = float(gpu_.status.progress.done) / float(gpu_.status.progress.of);
      c_.scene.box({track.x, track.y, std::max(track.h, track.w * std::clamp(part, 0.0f, 1.0f)), track.h}, track.h / 2,
                   c_.color(Role::Text));
      y += px(14);
    }
    if (!words_.actions.empty()) {
      const float row = px(32);
      std::vector<Chip> actions = words_.actions;
      while (!tall && actions.size() > 1 && chips_height(c_, actions, r.w, row) > row) actions.pop_back();
      layout_chips(c_, {r.x, y, r.w, row}, actions, row);
      y += chips_height(c_, actions, r.w, row);
    }
    return y - r.y;
  }

  // In a lesson, while the worker needs nobody: what to look for, in place of how the worker is. Returns its height.
  float look_for(Rect r) {
    const std::shared_ptr<const Lesson> lesson = lesson_on_show(c_.view);
    const GpuState state = gpu_.status.state;
    const bool calm = state == GpuState::NoWorker || state == GpuState::NoDriver || state == GpuState::NoDevice ||
                      state == GpuState::Ready;
    const bool there = lesson && lesson->gpu.n > 0 && has_sizes(gpu_.shape) && gpu_.benchmark_n == lesson->gpu.n;
    if (!there || !calm || low_) return 0;
    const ProseWords words = words_of(*lesson, nullptr, "gpu", c_.session, c_.view);
    const ProsePage page{c_.scene, s_, c_.view, words};
    Flow flow;
    set_prose(flow, page, lesson->gpu.look, {r.w, s_.number(), px(22), c_.color(Role::Text), false});
    flow.draw({r.x, r.y, r.w, flow.height() + 1}, r.w, 0);
    return flow.height() + px(8);
  }

  // Which problem: the stage's, or a size at which times mean something.
  float shape(Rect r) {
    float y = r.y;
    const auto segments = [&](std::string_view field, const std::vector<Option>& options, float x = 0, float part = 1) {
      const float width = part * (r.w - (part < 1 ? px(8) : 0));
      layout_segments(c_, {r.x + x, y, width, control_}, field, options, gpu_choice(gpu_, field), control_);
      if (x + width >= r.w - 1) y += segments_height(c_, options, width, control_) + px(6);
    };
    std::vector<Option> shapes{
        {"stage", "Stage", "The very numbers that are walked on the stage"},
        {"benchmark", "Benchmark", "B × N = 16,384 and H × d = 2,048: large enough for times to mean something"},
        {"backward", "Backward", "The same sizes, by the kernels that make dQ, dK and dV"},
        {"fp8", "FP8", "The same sizes at d = 128, by FA3 in 16 bits and in eight"},
        {"decode", "Decode", "One query a head against many cached keys: Flash-Decoding"},
        {"ladder", "Ladder", "Five kernels, one idea more a rung, and each idea as a switch"}};
    std::vector<Option> brief = shapes;  // where that makes them one line
    brief[1].title = "Bench", brief[2].title = "Back";
    if (segments_height(c_, brief, r.w, control_) < segments_height(c_, shapes, r.w, control_)) shapes = brief;
    segments("gpu-shape", shapes);
    const auto sizes = [](std::span<const int64_t> all) {
      std::vector<Option> out;
      for (int64_t n : all)
        out.push_back({std::to_string(n), n < 1024 ? std::to_string(n) : fmt::format("{}k", n / 1024),
                       fmt::format("N = {}", with_commas(n))});
      return out;
    };
    if (has_sizes(gpu_.shape)) segments("gpu-n", sizes(kBenchmarkN));
    const std::vector<Option> groups{{"1", "own", "Each head of Q has its own K and V"},
                                     {"4", "4 share", "Grouped queries: four heads of Q read the same K and V"},
                                     {"8", "8 share", "Grouped queries: eight heads of Q read the same K and V"}};
    if (gpu_.shape == GpuShape::Decode) {
      segments("gpu-decode-n", sizes(kDecodeN), 0, 0.45f);
      segments("gpu-group", groups, 0.45f * (r.w - px(8)) + px(8), 0.55f);
    } else if (has_groups(gpu_.shape) && roomy_) {
      segments("gpu-group", groups);
    }
    if (gpu_.shape == GpuShape::Ladder) {
      layout_ladder_choice(c_, {r.x, y, r.w, control_});
      y += control_ + px(6);
    }
    if (gpu_.board && !low_) {
      const Problem& p = gpu_.board->spec.problem;
      const std::string n = p.n_q == p.n_k ? fmt::format("N {}", with_commas(p.n_q))
                                           : fmt::format("Nq {} Nk {}", with_commas(p.n_q), with_commas(p.n_k));
      const int64_t padded = std::max(p.d, padded_d(Method::Fa3, p.d));
      const std::string d = padded == p.d ? fmt::format("d {}", p.d) : fmt::format("d {} padded to {}", p.d, padded);
      const std::string rest =
          fmt::format(" · H {} · {} · {} · {} · {}{}", p.heads, n, d, name_of(p.mask), name_of(p.format),
                      gpu_.shape == GpuShape::Backward      ? " · backward"
                      : group_of(gpu_.board->spec) > 1      ? fmt::format(" · {} of K, V", gpu_.board->spec.kv_heads)
                      : c_.moment.walk->schedule.backward() ? " · forward"
                                                            : "");
      // Where there is room it is said that a longer sequence takes fewer of them, or that the board's is another one.
      const bool beside_board = gpu_.shape == GpuShape::Stage && !c_.view.board.board.empty();
      const std::string b = fmt::format("B {}", p.batch),
                        why = beside_board            ? "The walk's " + b
                              : has_sizes(gpu_.shape) ? fmt::format("{} = {}/N", b, with_commas(p.batch * p.n_q))
                                                      : b;
      const bool fits = text_width(why + rest, Face::Sans, s_.small()) <= r.w;
      label({r.x, y, r.w, px(20)}, (fits ? why : b) + rest, Face::Sans, s_.small(), Role::TextSecondary);
      y += px(20);
    }
    return y - r.y;
  }

  void heading(Rect& r, std::string_view title) {
    label({r.x, r.y, r.w, px(24)}, title, Face::SansBold, s_.number(), Role::TextSecondary);
    r = {r.x, r.y + px(26), r.w, r.h - px(26)};
  }

  void times(Rect r) {
    heading(r, "Time of one launch" + l2_words(*gpu_.board));
    layout_times(c_, r, *gpu_.board);
  }

  void bytes(Rect r) {
    const GpuRow* row = chosen_row(gpu_);
    if (!row) return;
    const bool wide = row->kernel == Method::Standard && keeps_wide_scores(gpu_.board->spec.problem);
    heading(r, fmt::format("Bytes of {}{}: outline predicted, {}", row->name, wide ? ", S in fp32" : "",
                           row->bytes_recorded ? "hatched recorded" : "solid measured"));
    layout_bytes(c_, r, *row, false);
  }

  float checks_height() const { return px(26 + 4 * 24); }

  void checks(Rect r) {
    const GpuRow* row = chosen_row(gpu_);
    if (!row) return;
    heading(r, fmt::format("Is {} right, and how near its limits?", row->name));
    const auto line = [&](std::string_view what, std::string_view said, Role role = Role::Text) {
      const float left = px(128);
      label({r.x, r.y, left, px(24)}, what, Face::Sans, s_.number(), Role::TextSecondary);
      label({r.x + left, r.y, r.w - left, px(24)}, said, Face::Sans, s_.number(), role);
      r.y += px(24);
    };
    if (row->result && row->result->errors) {
      const Errors& e = *row->result->errors;
      line("float64",
           fmt::format("{} worst row {}, all {} (of {} rows)", e.passed ? "✓" : "✕", error_words(e.worst_row),
                       error_words(e.whole), with_commas(e.rows)),
           e.passed ? Role::RightText : Role::WrongText);
    } else if (!row->refused.empty()) {
      line("float64", "✕ " + row->refused, Role::WrongText);
    } else {
      line("float64", "not measured yet", Role::TextSecondary);
    }
    if (const std::string cost = cost_words(*row); is_beside(row->kernel)) {
      line(row->kernel == Method::SplitKv ? "splits" : "eight bits cost", cost.empty() ? "not known" : cost,
           cost.empty() ? Role::TextSecondary : Role::Text);
    } else if (row->simulator) {
      const AgainstSimulator& a = *row->simulator;
      std::string said;
      const auto add = [&](std::string_view name, const std::optional<double>& value) {
        if (value) said += fmt::format("{}{} {}", said.empty() ? "off by at most " : ", ", name, error_words(*value));
      };
      add("O", a.o), add("L", a.lse), add("m", a.m), add("l", a.l);
      line("the simulator", said.empty() ? "nothing to compare" : said);
    } else {
      const bool has = row->result && !row->result->o.empty();
      line("the simulator",
           !has              ? "no O in this result"
           : row->comparable ? "being computed"
                             : "recorded on other inputs",
           Role::TextSecondary);
    }
    const std::string model = model_words(*row, *gpu_.board);
    if (!model.empty()) c_.scene.region({r.x, r.y, r.w, px(24)}, "gpu:model", model_tip(*row, *gpu_.board), false);
    line("model's time", model.empty() ? "not known here" : model, model.empty() ? Role::TextSecondary : Role::Text);
    const std::string share = share_words(*row), slower = slower_words(*row, *gpu_.board);
    if (!slower.empty())
      line("slow, since", slower);
    else
      line("limits", share.empty() ? "not known here" : share, share.empty() ? Role::TextSecondary : Role::Text);
  }

  // Live or recorded, said at all times. A recording's plate is hatched.
  void source(Rect r) {
    const GpuBoard& board = *gpu_.board;
    const bool recorded = board.shows_recorded();
    const bool measured =
        std::ranges::any_of(board.rows, [](const GpuRow& row) { return row.result && !row.recorded; });
    std::string live = measured && !gpu_.recorded ? source_words(board, gpu_, false) : "";
    std::string words = recorded ? source_words(board, gpu_, true) : live;
    if (recorded && !live.empty()) words = live + "; the rest " + words;
    if (words.empty()) words = "Nothing measured or recorded at this shape yet.";
    c_.scene.box(r, s_.r_small(), c_.color(Role::Surface), c_.color(Role::Border), px(recorded ? 1.5f : 0));
    if (recorded) {
      hatch(c_.scene, {r.x + px(2), r.y + px(2), px(22), r.h - px(4)}, c_.color(Role::TextSecondary), px(7), px(1.5f));
      hatch(c_.scene, {r.right() - px(24), r.y + px(2), px(22), r.h - px(4)}, c_.color(Role::TextSecondary), px(7),
            px(1.5f));
    }
    const Rect text = r.inset(px(recorded ? 32 : 12), 0);
    std::vector<std::string> lines = wrap_text(words, Face::SansBold, s_.small(), text.w);
    if (const size_t comma = words.find(", same");
        lines.size() == 2 && recorded && live.empty() && comma != std::string::npos)
      lines = {words.substr(0, comma + 1), words.substr(comma + 2)};
    if (lines.size() == 2 && r.h >= px(44))
      for (size_t k = 0; k < 2; ++k)
        c_.scene.label({text.x, r.y + px(3) + float(k) * px(20), text.w, px(20)},
                       ellipsize(lines[k], Face::SansBold, s_.small(), text.w), Face::SansBold, s_.small(),
                       c_.color(Role::Text));
    else
      label(text, words, Face::SansBold, s_.number(), Role::Text);
    if (const auto& run = board.live; !live.empty() && measured_when(*run, gpu_) == "now")
      if (const std::string moment = moment_words(run->provenance.date, gpu_.asked_at); !moment.empty())
        words += ". Measured at " + moment;
    c_.scene.region(r, "gpu:source", words, false);
  }

  const Column& c_;
  const Style& s_;
  const GpuView& gpu_;
  const GpuWords words_;
  const float control_;
  bool low_ = false;    // so low that only what matters most has room
  bool roomy_ = false;  // also for what few ask for
};

}  // namespace

void layout_gpu(const Column& column, Rect area) { GpuTab(column).lay_out(area); }

}  // namespace tilewalk
