// The Problem tab: what is walked, as a form. Each refusal stands under the control that it is about; what is too large
// to animate is counted at the end of the form. Where the column is low the form is cut into pages.
#include "app/panels/column_parts.h"
#include "app/session/fields.h"
#include "app/panels/form.h"
#include "app/panels/own_tensors_page.h"
#include "app/session/own_tensors.h"
#include "app/text/text.h"
#include "core/attention/presets.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace tilewalk {
namespace {

// One line of the form: something with a height, and how to draw it.
struct Row {
  int group = 0;
  float height = 0, gap = 0;  // the gap goes above it
  std::function<void(Rect)> draw;
};

class Form {
 public:
  static constexpr int kGroups = 4;  // start, sizes, schedule, inputs
  // A plain form has no refusals: it says how high the form is as a rule.
  Form(const Column& column, float width, float control, float gap, bool plain = false)
      : column_(column),
        wanted_(wanted(column.session, column.view)),
        width_(width),
        control_(control),
        gap_(gap),
        plain_(plain),
        label_(width >= column.px(400) ? column.px(116) : column.px(92)) {
    start();
    sizes();
    method();
    numbers();
  }

  // Of the groups first .. last.
  float height(int first = 0, int last = kGroups) const {
    float total = 0;
    for (const Row& row : rows_)
      if (row.group >= first && row.group <= last) total += row.height + row.gap;
    return total;
  }

  void draw(Rect area, int first = 0, int last = kGroups) const {
    float y = area.y;
    for (const Row& row : rows_) {
      if (row.group < first || row.group > last) continue;
      y += row.gap;
      if (y + row.height > area.bottom() + 0.5f) break;
      row.draw({area.x, y, area.w, row.height});
      y += row.height;
    }
    if (first == 0 && last == kGroups) return;
    // On a page, what stands refused on another one is said here too.
    for (const auto& [field, message] : column_.view.refused) {
      const auto group = groups_.find(field);
      if (group != groups_.end() && group->second >= first && group->second <= last) continue;
      const float height = note_height(column_, message, width_, true);
      y += gap_;
      if (y + height > area.bottom()) return;
      layout_note(column_, {area.x, y, area.w, height}, message, true);
      y += height;
    }
  }

 private:
  static constexpr int kHeadsAtOnce = 16;  // more have a place to type

  void add(float height, float gap, std::function<void(Rect)> draw) {
    rows_.push_back({group_, height, gap, std::move(draw)});
  }

  void heading(int group, std::string title) {
    group_ = group;
    const float gap = rows_.empty() ? gap_ : gap_ * 2 + column_.px(2);
    add(column_.px(24), gap, [this, title](Rect r) {
      column_.scene.label(r, title, Face::SansBold, column_.style.number(), column_.color(Role::Text));
    });
  }

  void note(std::string text, bool refusal = false) {
    if (text.empty()) return;
    add(note_height(column_, text, width_, refusal), column_.px(4),
        [this, text, refusal](Rect r) { layout_note(column_, r, text, refusal); });
  }

  // The refusals of some fields, each said once.
  void refusals(std::initializer_list<std::string_view> fields) {
    if (plain_) return;
    for (std::string_view field : fields) groups_[std::string(field)] = group_;
    std::vector<std::string> said;
    for (std::string_view field : fields) {
      const auto refused = column_.view.refused.find(std::string(field));
      if (refused == column_.view.refused.end()) continue;
      if (std::find(said.begin(), said.end(), refused->second) != said.end()) continue;
      said.push_back(refused->second);
      note(refused->second, true);
    }
  }

  void choice(std::string field, std::string label, std::vector<Option> options) {
    const float width = width_ - label_;
    const std::string chosen = choice_value(column_.session, column_.view, field);
    add(segments_height(column_, options, width, control_), gap_, [this, field, label, options, chosen](Rect r) {
      labelled(r, label, label_, {r.x + label_, r.y, r.w - label_, r.h}, field, options, chosen);
    });
    refusals({field});
  }

  struct FieldRow {
    std::string name, caption, tip;
  };
  void fields(std::vector<FieldRow> row, size_t columns) {
    add(control_ + column_.px(20), gap_, [this, row, columns](Rect r) {
      const float between = column_.px(10), width = (r.w - between * float(columns - 1)) / float(columns);
      for (size_t k = 0; k < row.size(); ++k)
        layout_field(column_, {r.x + float(k) * (width + between), r.y, width, r.h}, row[k].name, row[k].caption,
                     row[k].tip);
    });
  }

  void start() {
    heading(0, "Start from");
    const bool typed = column_.session.problem().distribution == Distribution::Custom;
    const std::string chosen = choice_value(column_.session, column_.view, "preset");
    std::vector<Chip> chips;
    for (const Preset& preset : presets())
      chips.push_back({fmt::format("choice:preset/{}", preset.id), std::string(preset.title), "Start from this problem",
                       preset.id == chosen});
    const bool real_head = typed && column_.session.inputs().source.starts_with("induction-head");
    const bool file = !column_.view.file_groups.empty() && typed;
    chips.push_back({"command:real-head", "A real head", "Opens Q, K and V of a trained attention head", real_head});
    chips.push_back(
        {"command:open-file", "Open a file…", "Opens Q, K and V from .npy or .safetensors files", file && !real_head});
    chips.push_back(
        {"command:own-tensors", "From PyTorch", "Shows and copies ten lines that save your model's Q, K and V"});
    const float row = control_;
    add(chips_height(column_, chips, width_, row), gap_,
        [this, chips, row](Rect r) { layout_chips(column_, r, chips, row); });
    refusals({"preset"});
    if (!file) return;
    std::vector<Option> groups, heads;
    for (size_t k = 0; k < column_.view.file_groups.size(); ++k)
      groups.push_back({std::to_string(k), column_.view.file_groups[k], "Walks this group of Q, K and V"});
    const int all_heads = column_.view.file_heads;
    for (int k = 0; k < all_heads && all_heads <= kHeadsAtOnce; ++k)
      heads.push_back({std::to_string(k), std::to_string(k + 1), fmt::format("Walks head {}", k + 1)});
    const std::string group = std::to_string(column_.view.file_group), head = std::to_string(column_.view.file_head);
    const float beside = (width_ - label_) * 0.45f, rest = width_ - label_ - beside - column_.px(66);
    if (groups.size() > 1 && heads.size() > 1 && segments_height(column_, groups, beside, control_) == control_ &&
        segments_height(column_, heads, rest, control_) == control_) {
      add(control_, gap_, [this, groups, heads, group, head, beside, rest](Rect r) {
        labelled(r, "Tensors", label_, {r.x + label_, r.y, beside, r.h}, "layer", groups, group);
        labelled({r.right() - rest - column_.px(52), r.y, column_.px(52), r.h}, "Head", column_.px(52),
                 {r.right() - rest, r.y, rest, r.h}, "head", heads, head);
      });
      refusals({"layer", "head"});
      return;
    }
    if (groups.size() > 1) file_choice("layer", "Tensors", groups, group);
    if (heads.size() > 1) file_choice("head", "Head", heads, head);
    if (all_heads <= kHeadsAtOnce) return;
    field_line(fmt::format("Head of {}", with_commas(int64_t(all_heads))),
               {"head", "", fmt::format("Which head is walked: 1 to {}", with_commas(int64_t(all_heads)))});
    refusals({"head"});
  }

  void labelled(Rect label, std::string_view words, float width, Rect r, std::string_view field,
                const std::vector<Option>& options, std::string_view chosen) {
    column_.scene.label({label.x, label.y, width - column_.px(8), control_}, words, Face::Sans, column_.style.number(),
                        column_.color(Role::Text));
    layout_segments(column_, r, field, options, chosen, control_);
  }

  void file_choice(std::string field, std::string label, std::vector<Option> options, std::string chosen) {
    add(segments_height(column_, options, width_ - label_, control_), gap_,
        [this, field, label, options, chosen](Rect r) {
          labelled(r, label, label_, {r.x + label_, r.y, r.w - label_, r.h}, field, options, chosen);
        });
    refusals({field});
  }

  void sizes() {
    heading(1, "Sizes");
    const std::vector<FieldRow> all{{"n_q", "N queries", "Rows of Q and O. 4k is 4,096."},
                                    {"n_k", "N keys", "Rows of K and V. 4k is 4,096."},
                                    {"d", "d", "Numbers in a row of Q, K and V: the head dimension"},
                                    {"br", "Br", "Rows of a Q tile"},
                                    {"bc", "Bc", "Rows of a K tile and of a V tile"}};
    if (width_ >= column_.px(420)) {
      fields(all, 5);
    } else {
      fields({all[0], all[1], all[2]}, 3);
      fields({all[3], all[4]}, 3);
    }
    if (column_.session.problem().distribution == Distribution::Custom && !refused({"n_q", "n_k", "d"}))
      note(fmt::format("N and d are those of {}.", column_.session.inputs().source));
    refusals({"n_q", "n_k", "d", "br", "bc", "batch", "heads"});
    if (refused({"n_q", "n_k", "d", "br", "bc"})) {
      counted();
      return;
    }
    const Walk& walk = column_.session.walk();
    const Tiling& t = walk.plan().tiling;
    note(fmt::format("{} × {} tiles, walked in {} steps", with_commas(t.tr), with_commas(t.tc),
                     with_commas(walk.replay.length())));
    footprint(walk);
  }

  bool refused(std::initializer_list<std::string_view> fields) const {
    return !plain_ && std::any_of(fields.begin(), fields.end(), [&](std::string_view field) {
      return column_.view.refused.contains(std::string(field));
    });
  }

  // How full the chip gets: a bar and the two numbers.
  void footprint(const Walk& walk) {
    const int64_t used = walk.fullest.sram_bytes, size = walk.spec.sram_bytes;
    const std::string words = fmt::format("Tiles take {} of {} bytes of SRAM", with_commas(used), with_commas(size));
    add(column_.px(20), column_.px(2), [this, words, used, size](Rect r) {
      const Style& style = column_.style;
      const float bar = std::min(column_.px(96), r.w * 0.22f);
      fitted_label(column_.scene, style, {r.x, r.y, r.w - bar - column_.px(12), r.h}, words, Face::Sans, style.small(),
                   column_.color(Role::TextSecondary));
      const Rect track{r.right() - bar, r.center().y - column_.px(4), bar, column_.px(8)};
      column_.scene.box(track, track.h / 2, column_.color(Role::SurfaceStrong), column_.color(Role::Border),
                        style.px(1));
      const float part = float(std::clamp(double(used) / double(size), 0.0, 1.0));
      column_.scene.box({track.x, track.y, std::max(track.w * part, track.h), track.h}, track.h / 2,
                        column_.color(Role::Text));
    });
  }

  // A problem that cannot be walked but can be counted.
  void counted() {
    const auto& count = column_.session.counted();
    if (!count || !wanted_.faults.empty() || !validate(wanted_.setup.problem).empty()) return;
    const Meters& m = count->total;
    const Schedule& schedule = schedule_of(wanted_.setup);
    const std::vector<std::pair<std::string, std::string>> cells{
        {"L2→SM", bytes_words(m.fill_bytes())},      {"SM→L2", bytes_words(m.drain_bytes())},
        {"two-level", bytes_words(m.paper_bytes())}, {"matrix FLOP", big_words(m.matrix_flop)},
        {"exponentials", big_words(m.exponentials)}, {"steps", big_words(m.steps)},
    };
    const float pad = column_.px(10), head = column_.px(30), cell = column_.px(42);
    add(2 * pad + head + 2 * cell, column_.px(8), [this, cells, pad, head, cell, &schedule](Rect r) {
      const Style& style = column_.style;
      column_.scene.box(r, style.r_medium(), column_.color(Role::Surface));
      const Rect inner = r.inset(pad, pad);
      const std::vector<Chip> back{{"choice:pending/drop", "Drop", "Forgets the sizes that cannot be walked"}};
      const float button = column_.px(72);
      fitted_label(column_.scene, style, {inner.x, inner.y, inner.w - button - pad, column_.px(26)},
                   fmt::format("Counted only, one head of {}", schedule.name), Face::SansBold, style.number(),
                   column_.color(Role::Text));
      layout_chips(column_, {inner.right() - button, inner.y, button, column_.px(26)}, back, column_.px(26));
      for (size_t k = 0; k < cells.size(); ++k) {
        const float width = inner.w / 3;
        const Rect at{inner.x + float(k % 3) * width, inner.y + head + float(k / 3) * cell, width - column_.px(8),
                      cell};
        fitted_label(column_.scene, style, {at.x, at.y, at.w, column_.px(24)}, cells[k].second, Face::MonoBold,
                     style.number(), column_.color(Role::Text));
        fitted_label(column_.scene, style, {at.x, at.y + column_.px(22), at.w, column_.px(20)}, cells[k].first,
                     Face::Sans, style.small(), column_.color(Role::TextSecondary));
      }
    });
  }

  static std::string big_words(int64_t count) {
    if (count < 1000000) return with_commas(count);
    const std::string bytes = bytes_words(count);  // the same three digits
    constexpr std::pair<std::string_view, std::string_view> kUnits[] = {
        {" MB", "·10⁶"}, {" GB", "·10⁹"}, {" TB", "·10¹²"}, {" PB", "·10¹⁵"}};
    for (const auto& [unit, word] : kUnits)
      if (bytes.ends_with(unit)) return bytes.substr(0, bytes.size() - unit.size()) + std::string(word);
    return bytes;
  }

  void method() {
    heading(2, "Schedule");
    const Problem& p = wanted_.setup.problem;
    std::vector<Option> all;
    const bool backward = schedule_of(wanted_.setup).backward();
    choice("direction", "Direction",
           {{"forward", "Forward", "O from Q, K and V"},
            {"backward", "Backward", "dQ, dK and dV from dO and what the forward pass kept"}});
    for (const Schedule& s : backward ? backward_schedules() : schedules()) {
      const std::string name(s.name.substr(0, s.name.find(' ')));  // its direction is said above
      all.push_back({std::string(s.key), name, std::string(s.title)});
    }
    choice("schedule", "Schedule", all);
    choice("variant", "Variant",
           {{"paper", "Paper", "Element sizes and order as the papers have them"},
            {"kernel", "Kernel", "As the GPU kernels do it: last K tile first, fp32 between visits"}});
    std::vector<Option> others{{"none", "None", "One schedule on the stage"}};
    for (const Schedule& s : schedules())
      if (s.id != wanted_.setup.schedule)
        others.push_back(
            {std::string(s.key), std::string(s.name), fmt::format("Shows {} beside it on the same inputs", s.name)});
    if (!backward) choice("compare", "Beside it", others);
    choice("mask", "Mask",
           {{"full", "Full", "Every query sees every key"},
            {"causal", "Causal", "No query sees a key that comes after it"}});
    if (p.mask == Mask::Causal && p.n_q != p.n_k)
      choice("align", "Diagonal",
             {{"bottom-right", "Bottom right", "The last query sees the last key (flash-attn since 2.1)"},
              {"top-left", "Top left", "The first query sees only the first key (PyTorch's is_causal)"}});
  }

  void numbers() {
    heading(3, "Inputs and machine");
    std::vector<Option> inputs{{"normal", "Normal", "Nearly normal numbers from the seed"},
                               {"outliers", "Outliers", "One element in a thousand is very large"},
                               {"integers", "Integers", "Whole numbers from −2 to 2, for paper"}};
    if (column_.session.problem().distribution == Distribution::Custom)
      inputs.push_back(
          {"custom", column_.session.inputs().source == "typed" ? "Typed" : "Own", column_.session.inputs().source});
    choice("distribution", "Inputs", inputs);
    fields_beside("Seed", {"seed", "", "Which random numbers: a whole number"}, "Scale",
                  {"scale", "", "What scores are multiplied by; empty is 1/√d"});
    refusals({"seed", "scale"});
    choice("format", "Format",
           {{"fp16", "fp16", "Q, K, V and O take 2 bytes a number"},
            {"bf16", "bf16", "Q, K, V and O take 2 bytes a number"},
            {"fp32", "fp32", "Q, K, V and O take 4 bytes a number"},
            {"fp64", "fp64", "Q, K, V and O take 8 bytes a number"}});
    choice(
        "arithmetic", "Arithmetic",
        {{"exact", "Exact", "float64 throughout"}, {"kernel", "As a kernel", "P rounded to the format, sums in fp32"}});
    std::vector<Option> specs;
    for (const MachineSpec& m : machines())
      specs.push_back({std::string(m.id), std::string(m.title),
                       fmt::format("{} of SRAM for a block ({})", bytes_words(m.sram_bytes), m.source)});
    choice("machine", "Machine", specs);
  }

  // A field with its label before it; two of them on a line where the column is wide.
  void field_line(std::string label, FieldRow field) {
    add(control_, gap_, [this, label, field](Rect r) {
      column_.scene.label({r.x, r.y, label_ - column_.px(8), r.h}, label, Face::Sans, column_.style.number(),
                          column_.color(Role::Text));
      layout_field(column_, {r.x + label_, r.y, r.w - label_, r.h}, field.name, "", field.tip);
    });
  }

  void fields_beside(std::string a_label, FieldRow a, std::string b_label, FieldRow b) {
    if (width_ < column_.px(400)) {
      field_line(a_label, a);
      field_line(b_label, b);
      return;
    }
    add(control_, gap_, [this, a_label, a, b_label, b](Rect r) {
      const float half = (r.w - label_) / 2, second = std::min(column_.px(64), half * 0.4f);
      const auto label = [&](float x, float w, const std::string& text) {
        column_.scene.label({x, r.y, w, r.h}, text, Face::Sans, column_.style.number(), column_.color(Role::Text));
      };
      label(r.x, label_ - column_.px(8), a_label);
      layout_field(column_, {r.x + label_, r.y, half - column_.px(8), r.h}, a.name, "", a.tip);
      label(r.x + label_ + half + column_.px(8), second - column_.px(8), b_label);
      layout_field(column_, {r.x + label_ + half + second, r.y, half - second, r.h}, b.name, "", b.tip);
    });
  }

  const Column& column_;
  Wanted wanted_;
  float width_, control_, gap_;
  bool plain_;
  float label_;
  int group_ = 0;
  std::vector<Row> rows_;
  std::map<std::string, int> groups_;  // in which each field's refusal stands
};

}  // namespace

void layout_problem(const Column& column, Rect area) {
  if (column.view.selection == kOwnTensorsShown) return layout_own_tensors(column, area);
  // Whether there are pages must not depend on what is refused just now: nothing may move away from under the pointer.
  const float spare = column.px(150);
  const Form plain(column, area.w, column.px(28), column.px(4), true);
  const Form roomy(column, area.w, column.px(36), column.px(8)), close(column, area.w, column.px(30), column.px(6)),
      tight(column, area.w, column.px(28), column.px(4));
  const auto fitting = [&](float height, int first, int last) -> const Form& {
    return roomy.height(first, last) <= height ? roomy : close.height(first, last) <= height ? close : tight;
  };
  if (plain.height() + spare <= area.h) return fitting(area.h - column.px(10), 0, Form::kGroups).draw(area);

  const float room = pages_room(column, area).h;
  const bool three = plain.height(0, 1) + spare <= room && plain.height(2, 2) <= room && plain.height(3, 3) <= room;
  const int open = std::clamp(column.view.page, 0, three ? 2 : 3);
  const Rect rest = three ? layout_pages(column, area, {"Sizes", "Schedule", "Inputs"})
                          : layout_pages(column, area, {"Start", "Sizes", "Method", "Inputs"});
  const int first = !three ? open : open == 0 ? 0 : open + 1, last = three ? open + 1 : open;
  fitting(rest.h, first, last).draw(rest, first, last);
}

}  // namespace tilewalk
