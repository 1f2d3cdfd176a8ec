// The Problem tab: what is walked, as a form. Each refusal stands under the control that it is about; what is too large
// to animate is counted at the end of the form. Where the column is low the form is cut into pages.
#include "app/panels/cards.h"
#include "app/panels/form.h"
#include "app/panels/own_tensors_page.h"
#include "app/session/fields.h"
#include "app/session/own_tensors.h"
#include "app/state/why_a_model.h"
#include "core/attention/presets.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace tilewalk {
namespace {

using namespace ui;

Node label(std::string words, Face face = Face::Sans) { return text(std::move(words), {16, face}); }

// The form in groups, lengths in design pixels but for `width`.
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
        wide_(width >= column.px(400)),
        label_(wide_ ? 116 : 92) {
    start();
    sizes();
    method();
    numbers();
  }

  // The groups first .. last; on a page, what stands refused on another one is said too.
  Node of_groups(int first = 0, int last = kGroups - 1) const {
    std::vector<Node> lines;
    for (int group = first; group <= last; ++group)
      for (const Node& line : groups_[size_t(group)]) lines.push_back(line);
    if (last - first + 1 < kGroups && !plain_)
      for (const auto& [field, message] : column_.view.refused)
        if (const auto at = group_of_.find(field); at == group_of_.end() || at->second < first || at->second > last)
          lines.push_back(column(of(spacer(px(gap_)), note_node(message, true))));
    return list(std::move(lines), 0);
  }
  float height(int first = 0, int last = kGroups - 1) const {
    return height_of(of_groups(first, last), width_, column_.style.scale);
  }

 private:
  static constexpr int kHeadsAtOnce = 16;  // more have a place to type

  void add(float gap, Node node) { groups_[size_t(group_)].push_back(column(of(spacer(px(gap)), std::move(node)))); }
  float rest() const { return width_ - column_.px(label_); }
  // A line of the form: its label, and what can be done.
  void line(std::string words, Node control) {
    add(gap_, row(of(label(std::move(words)).width(px(label_ - 8)).height(px(control_)), spacer(px(8)),
                     std::move(control).width(grow())),
                  0, Across::Start));
  }

  void heading(int group, std::string title) {
    group_ = group;
    add(group == 0 ? gap_ : gap_ * 2 + 2, label(std::move(title), Face::SansBold).height(px(24)));
  }

  void note(std::string words, bool refusal = false) { add(4, note_node(std::move(words), refusal)); }

  // The refusals of some fields, each said once.
  void refusals(std::initializer_list<std::string_view> fields) {
    if (plain_) return;
    for (std::string_view field : fields) group_of_[std::string(field)] = group_;
    std::vector<std::string> said;
    for (std::string_view field : fields) {
      const auto refused = column_.view.refused.find(std::string(field));
      if (refused == column_.view.refused.end() || std::ranges::find(said, refused->second) != said.end()) continue;
      said.push_back(refused->second);
      note(refused->second, true);
    }
  }

  void choice(std::string field, std::string words, const std::vector<Option>& options) {
    chosen(field, std::move(words), options, choice_value(column_.session, column_.view, field));
  }
  void chosen(std::string field, std::string words, const std::vector<Option>& options, std::string_view value) {
    line(std::move(words), segments_node(column_, field, options, value, rest(), control_));
    refusals({field});
  }

  struct FieldRow {
    std::string name, caption, tip;
  };
  Node field(const FieldRow& f) const { return field_node(column_, f.name, f.caption, f.tip, control_); }
  void fields(std::span<const FieldRow> all, size_t columns) {
    std::vector<Node> nodes;
    for (const FieldRow& f : all) nodes.push_back(field(f).width(grow()));
    while (nodes.size() < columns) nodes.push_back(spacer());
    add(gap_, row(std::move(nodes), 10));
  }

  void start() {
    heading(0, "Start from");
    const ViewState& view = column_.view;
    if (!view.board.board.empty()) note("This is the walk's problem. The board's own is set by the knobs below it.");
    const bool typed = column_.session.problem().distribution == Distribution::Custom;
    const std::string preset = choice_value(column_.session, view, "preset");
    std::vector<Chip> chips;
    for (const Preset& p : presets())
      chips.push_back(
          {fmt::format("choice:preset/{}", p.id), std::string(p.title), "Start from this problem", p.id == preset});
    const bool real_head = typed && column_.session.inputs().source.starts_with("induction-head");
    const bool file = !view.file_groups.empty() && typed;
    chips.push_back({"command:real-head", "A real head", "Opens Q, K and V of a trained attention head", real_head});
    chips.push_back(
        {"command:open-file", "Open a file…", "Opens Q, K and V from .npy or .safetensors files", file && !real_head});
    chips.push_back(
        {"command:own-tensors", "From PyTorch", "Shows and copies ten lines that save your model's Q, K and V"});
    add(gap_, chips_node(chips, control_));
    refusals({"preset"});
    if (!file) return;
    std::vector<Option> groups, heads;
    for (size_t k = 0; k < view.file_groups.size(); ++k)
      groups.push_back({std::to_string(k), view.file_groups[k], "Walks this group of Q, K and V"});
    const int all_heads = view.file_heads;
    for (int k = 0; k < all_heads && all_heads <= kHeadsAtOnce; ++k)
      heads.push_back({std::to_string(k), std::to_string(k + 1), fmt::format("Walks head {}", k + 1)});
    const std::string group = std::to_string(view.file_group), head = std::to_string(view.file_head);
    const float beside = rest() * 0.45f, left = rest() - beside - column_.px(66), one = column_.px(control_);
    if (groups.size() > 1 && heads.size() > 1 && segments_height(column_, groups, beside, one) == one &&
        segments_height(column_, heads, left, one) == one) {
      line("Tensors", row(of(segments_node(column_, "layer", groups, group, beside, control_).width(grow(0.45f)),
                             spacer(px(14)), label("Head").width(px(44)), spacer(px(8)),
                             segments_node(column_, "head", heads, head, left, control_).width(grow(0.55f)))));
      refusals({"layer", "head"});
      return;
    }
    if (groups.size() > 1) chosen("layer", "Tensors", groups, group);
    if (heads.size() > 1) chosen("head", "Head", heads, head);
    if (all_heads <= kHeadsAtOnce) return;
    const std::string all = with_commas(int64_t(all_heads));
    line("Head of " + all, field({"head", "", "Which head is walked: 1 to " + all}));
    refusals({"head"});
  }

  void sizes() {
    heading(1, "Sizes");
    const std::array<FieldRow, 5> all{{{"n_q", "N queries", "Rows of Q and O. 4k is 4,096."},
                                       {"n_k", "N keys", "Rows of K and V. 4k is 4,096."},
                                       {"d", "d", "Numbers in a row of Q, K and V: the head dimension"},
                                       {"br", "Br", "Rows of a Q tile"},
                                       {"bc", "Bc", "Rows of a K tile and of a V tile"}}};
    if (width_ >= column_.px(420)) {
      fields(all, 5);
    } else {
      fields(std::span(all).first(3), 3);
      fields(std::span(all).last(2), 3);
    }
    if (column_.session.problem().distribution == Distribution::Custom && !refused({"n_q", "n_k", "d"}))
      note(fmt::format("N and d are those of {}.", column_.session.inputs().source));
    refusals({"n_q", "n_k", "d", "br", "bc", "batch", "heads"});
    if (refused({"n_q", "n_k", "d", "br", "bc"})) return counted();
    const Walk& walk = column_.session.walk();
    const Tiling& t = walk.plan().tiling;
    note(fmt::format("{} × {} tiles, walked in {} steps", with_commas(t.tr), with_commas(t.tc),
                     with_commas(walk.replay.length())));
    footprint(walk);
  }

  bool refused(std::initializer_list<std::string_view> fields) const {
    return !plain_ && std::ranges::any_of(fields, [&](std::string_view field) {
      return column_.view.refused.contains(std::string(field));
    });
  }

  // How full the chip gets: a bar and the two numbers.
  void footprint(const Walk& walk) {
    const int64_t used = walk.fullest.sram_bytes, size = walk.spec.sram_bytes;
    const float part = float(std::clamp(double(used) / double(size), 0.0, 1.0));
    const auto bar = [part](Scene& scene, Rect r, const Style& s) {
      const Rect track{r.x, r.center().y - s.px(4), r.w, s.px(8)};
      scene.box(track, track.h / 2, s[Role::SurfaceStrong], s[Role::Border], s.px(1));
      scene.box({track.x, track.y, std::max(track.w * part, track.h), track.h}, track.h / 2, s[Role::Text]);
    };
    add(2, row(of(text(fmt::format("Tiles take {} of {} bytes of SRAM", with_commas(used), with_commas(size)),
                       {14, Face::Sans, Role::TextSecondary, Align::Left, 0, true})
                      .width(grow()),
                  canvas(bar).width(px(std::min(96.f, width_ / column_.style.scale * 0.22f)))),
               12)
               .height(px(20)));
  }

  // A problem that cannot be walked but can be counted.
  void counted() {
    const auto& count = column_.session.counted();
    if (!count || !wanted_.faults.empty() || !validate(wanted_.setup.problem).empty()) return;
    const Meters& m = count->total;
    const std::pair<std::string, std::string> cells[] = {
        {"L2→SM", bytes_words(m.fill_bytes())},      {"SM→L2", bytes_words(m.drain_bytes())},
        {"two-level", bytes_words(m.paper_bytes())}, {"matrix FLOP", big_words(m.matrix_flop)},
        {"exponentials", big_words(m.exponentials)}, {"steps", big_words(m.steps)},
    };
    std::vector<Node> lines, three;
    lines.push_back(
        row(of(text(fmt::format("Counted only, one head of {}", schedule_of(wanted_.setup).name),
                    {16, Face::SansBold, Role::Text, Align::Left, 0, true})
                   .width(grow()),
               chips_node({{"choice:pending/drop", "Drop", "Forgets the sizes that cannot be walked"}}, 26)),
            10)
            .height(px(26)));
    lines.push_back(spacer(px(4)));
    for (const auto& [what, number] : cells) {
      const Font font{14, Face::Sans, Role::TextSecondary, Align::Left, 0, true};
      three.push_back(column(of(text(number, {16, Face::MonoBold, Role::Text, Align::Left, 0, true}).height(px(22)),
                                text(what, font).height(px(20))))
                          .width(grow()));
      if (three.size() == 3) lines.push_back(row(std::exchange(three, {}), 8));
    }
    add(8, column(std::move(lines)).padding(10, 10).on({.fill = Role::Surface, .radius = 10}));
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
    const FieldRow seed{"seed", "", "Which random numbers: a whole number"},
        scale{"scale", "", "What scores are multiplied by; empty is 1/√d"};
    if (wide_)
      line("Seed", row(of(field(seed).width(px(rest() / column_.style.scale / 2 - 8)), spacer(px(16)),
                          label("Scale").width(px(48)), spacer(px(8)), field(scale).width(grow()))));
    else
      line("Seed", field(seed)), line("Scale", field(scale));
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
    if (const MachineSpec* machine = machine_named(wanted_.setup.machine))
      if (const std::string model = why_a_model(wanted_.setup.schedule, *machine); !model.empty()) note(model);
  }

  const Column& column_;
  Wanted wanted_;
  float width_, control_, gap_;
  bool plain_, wide_;
  float label_;
  int group_ = 0;
  std::array<std::vector<Node>, kGroups> groups_;
  std::map<std::string, int> group_of_;  // where each field's refusal stands
};

}  // namespace

void layout_problem(const Column& column, Rect area) {
  if (column.view.selection == kOwnTensorsShown) return layout_own_tensors(column, area);
  // Whether there are pages must not depend on what is refused just now: nothing may move away from under the pointer.
  const float spare = column.px(150);
  const Form plain(column, area.w, 28, 4, true);
  const auto fitting = [&](Rect r, int first, int last) {
    for (const auto& [control, gap] : {std::pair{36.f, 8.f}, {30.f, 6.f}, {28.f, 4.f}}) {
      const Form form(column, r.w, control, gap);
      if (control == 28 || form.height(first, last) <= r.h) return column.show(form.of_groups(first, last), r);
    }
  };
  if (plain.height() + spare <= area.h)
    return fitting({area.x, area.y, area.w, area.h - column.px(10)}, 0, Form::kGroups - 1);

  const float room = pages_room(column, area).h;
  const bool three = plain.height(0, 1) + spare <= room && plain.height(2, 2) <= room && plain.height(3, 3) <= room;
  const int open = std::clamp(column.view.page, 0, three ? 2 : 3);
  const Rect rest = three ? layout_pages(column, area, {"Sizes", "Schedule", "Inputs"})
                          : layout_pages(column, area, {"Start", "Sizes", "Method", "Inputs"});
  fitting(rest, !three ? open : open == 0 ? 0 : open + 1, three ? open + 1 : open);
}

}  // namespace tilewalk
