// The published tables (lessons/data/published.toml), one at a time: a line for each kernel over N, and below them the
// figures themselves. Whose they are stands beside them; none is this program's.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "core/io/number.h"
#include "core/machine/words.h"
#include "core/quantity/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr auto kTables = std::to_array<std::string_view>({"fa2-a100", "fa2-h100", "fa3-forward", "fa3-backward",
                                                          "fa3-fp8", "h200-torch", "h200-upstream", "fa1-forward",
                                                          "fa1-forward-backward", "fa2-training", "fa3-ablation"});
constexpr auto kTableWords = std::to_array<std::string_view>(
    {"A100, both passes", "H100, both passes", "H100, forward", "H100, backward", "H100, FP8", "H200, PyTorch",
     "H200, upstream", "A100, FA1 in ms", "A100, FA1, both in ms", "A100, training", "H100, ablation"});
constexpr std::array<std::string_view, 3> kSizes{"64", "128", "256"};
constexpr std::array<std::string_view, 2> kMasks{"full", "causal"};
// The length that is spoken of; "last": the longest one.
constexpr auto kLengths = std::to_array<std::string_view>({"last", "512", "1k", "2k", "4k", "8k", "16k"});
constexpr auto kKnobs = std::to_array<Knob>({
    choice_knob("at", "", kLengths, 0, "The length that is spoken of"),
    choice_knob("table", "Table", kTableWords, 0, "Who measured what", kTables),
    choice_knob("d", "Head dimension d", kSizes, 1, "Where the table has it"),
    choice_knob("mask", "Mask", kMasks, 0, "Where the table has it"),
});

// What the keys of rows begin with, the longer ones first.
constexpr auto kNames = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"train_a100_1b3_2k", "GPT-3 1.3B, 2K"},
    {"train_a100_1b3_8k", "GPT-3 1.3B, 8K"},
    {"train_a100_2b7_2k", "GPT-3 2.7B, 2K"},
    {"train_a100_2b7_8k", "GPT-3 2.7B, 8K"},
    {"fa3_ablation_full", "FA3"},
    {"fa3_ablation_no_pipeline", "without pipelining"},
    {"fa3_ablation_no_specialization", "without specialization"},
    {"triton_fp8", "Triton, FP8"},
    {"cudnn_fp8", "cuDNN, FP8"},
    {"fa3_fp8", "FA3, FP8"},
    {"fa2_torch", "FA2"},
    {"memeff", "memory-efficient"},
    {"pytorch", "PyTorch"},
    {"eager", "eager"},
    {"xformers", "xFormers"},
    {"triton", "Triton"},
    {"cudnn", "cuDNN"},
    {"fa1", "FA1"},
    {"fa2", "FA2"},
    {"fa3", "FA3"},
});
std::string_view name_of(std::string_view key) {
  for (const auto& [begin, words] : kNames)
    if (key.starts_with(begin)) return words;
  return key;
}

const PublishedTable& table_of(const Exhibit& view) { return *published_table(kTables[size_t(view.knob("table"))]); }

// "16k" is 16384; nothing where a column is no length.
std::optional<double> length_of(std::string_view at) {
  const auto value = take_number<int>(at);
  if (!value || (!at.empty() && at != "k")) return std::nullopt;
  return at.empty() ? *value : *value * 1024.0;
}
bool over_lengths(const PublishedTable& table) {
  return table.at.size() > 1 && length_of(table.at.front()).has_value();
}

const PublishedTable* lender_of(const PublishedTable& table) {
  return table.beside ? published_table(table.beside->table) : nullptr;
}
const PublishedTable& owner_of(const Exhibit& view, const PublishedRow& row) {
  const PublishedTable& table = table_of(view);
  const PublishedTable* lender = lender_of(table);
  const bool lent = lender && std::ranges::any_of(lender->rows, [&](const auto& each) { return &each == &row; });
  return lent ? *lender : table;
}

// The rows for d and the mask; all of them where the table has one d only.
std::vector<const PublishedRow*> rows_of(const Exhibit& view) {
  const std::string suffix = fmt::format("_d{}{}", kSizes[size_t(view.knob("d"))], view.on("mask") ? "_causal" : "");
  std::vector<const PublishedRow*> out;
  for (const PublishedRow& row : table_of(view).rows)
    if (row.key.ends_with(suffix) || row.key.find("_d") == std::string::npos) out.push_back(&row);
  if (const PublishedTable* lender = lender_of(table_of(view)))
    for (const PublishedRow& row : lender->rows)
      if (row.key.starts_with(table_of(view).beside->rows) && row.key.ends_with(suffix)) out.push_back(&row);
  return out;
}

bool times(const PublishedTable& table) { return table.unit == "s"; }  // less is better
double shown(const PublishedTable& table, double value) { return times(table) ? value * 1e3 : value / 1e12; }
std::string_view unit_words(const PublishedTable& table) { return times(table) ? "ms" : "TFLOP/s"; }
std::string figure(const PublishedTable& table, double value) {
  if (std::isnan(value)) return "OOM";
  const double v = shown(table, value);
  return times(table) ? fmt::format("{:.{}f}", v, v < 10 ? 2 : 1) : with_commas(int64_t(std::lround(v)));
}
std::string column_words(const PublishedTable& table, size_t c) {
  if (const auto n = length_of(table.at[c])) return with_commas(int64_t(*n));
  if (table.id == "fa2-training") return c == 0 ? "without FA" : c == 1 ? "FA1" : "FA2";
  return std::string(unit_words(table));
}

// First and last among the rows in the column that is spoken of, else in the last one that has figures for all of them
// to be compared in.
struct Lead {
  const PublishedRow *best = nullptr, *worst = nullptr;
  size_t column = 0;
};
Lead lead_of(const Exhibit& view) {
  const PublishedTable& table = table_of(view);
  std::vector<const PublishedRow*> rows = rows_of(view);
  Lead out;
  if (rows.empty()) return out;
  out.column = table.at.size() - 1;
  const auto whole = [&] {
    return std::ranges::none_of(rows, [&](auto* r) { return std::isnan(r->values[out.column]); });
  };
  while (out.column > 0 && !whole()) --out.column;
  const auto named = std::ranges::find(table.at, kLengths[size_t(view.knob("at"))]);
  if (named != table.at.end()) out.column = size_t(named - table.at.begin());
  std::erase_if(rows, [&](auto* r) { return std::isnan(r->values[out.column]); });  // out of memory is no figure
  if (rows.empty()) return out;
  const auto by = [&](const PublishedRow* r) { return times(table) ? -r->values[out.column] : r->values[out.column]; };
  out.best = *std::ranges::max_element(rows, {}, by);
  out.worst = *std::ranges::min_element(rows, {}, by);
  return out;
}

std::vector<Reading> readings(const Exhibit& view) {
  const PublishedTable& table = table_of(view);
  const Lead lead = lead_of(view);
  const double best = lead.best ? lead.best->values[lead.column] : 0,
               worst = lead.worst ? lead.worst->values[lead.column] : 1;
  std::string source = table.source;
  if (lead.best && &owner_of(view, *lead.best) != &table) source += "; " + owner_of(view, *lead.best).source;
  return {{"best", "First", {best, table.unit, table.origin, source}},
          {"ratio", "First over last", {times(table) ? worst / best : best / worst, {}, table.origin, source}}};
}

std::string caption(const Exhibit& view) {
  const PublishedTable& table = table_of(view);
  const Lead lead = lead_of(view);
  if (!lead.best)
    return fmt::format("This table has nothing for d = {}, {} mask.", kSizes[size_t(view.knob("d"))],
                       kMasks[size_t(view.knob("mask"))]);
  if (view.covered("best") || !over_lengths(table)) return table.title + ".";
  const std::string first = fmt::format("At N = {}, {}", column_words(table, lead.column), name_of(lead.best->key)),
                    best = figure(table, lead.best->values[lead.column]);
  const double ratio = reading_of(readings(view), "ratio").quantity.value;
  if (times(table))
    return fmt::format("{} takes {} ms; {} takes {:.1f} times as long.", first, best, name_of(lead.worst->key), ratio);
  return fmt::format("{} reaches {} TFLOP/s, {:.1f} times {}'s {}.", first, best, ratio, name_of(lead.worst->key),
                     figure(table, lead.worst->values[lead.column]));
}

// FlashAttention's own stand out.
Paint ink_of(std::string_view key) {
  if (key.starts_with("fa3")) return Role::AccentText;
  if (key.starts_with("fa2")) return Role::Text;
  if (key.starts_with("fa1")) return Tensor::O;
  return Role::TextSecondary;
}

void layout_chart(const BoardView& view, Rect area, const std::vector<const PublishedRow*>& rows) {
  const Style& st = view.style;
  const PublishedTable& table = table_of(view);
  double most = 0;
  for (const PublishedRow* row : rows)
    for (double v : row->values)
      if (!std::isnan(v)) most = std::max(most, shown(table, v));
  const float names = st.px(150), left = st.px(84), below = st.px(48);
  const float above = st.px(36);  // of the vertical axis: its title
  const Rect plot{area.x + left, area.y + above, area.w - left - names, area.h - below - above};
  const Axis x{*length_of(table.at.front()), *length_of(table.at.back()), Axis::Scale::Log2, plot.x, plot.right()};
  const Axis y{0, most * 1.05, Axis::Scale::Linear, plot.bottom(), plot.y};
  draw_axis(view, plot, x, true, "count", "Sequence length N");
  draw_axis(view, plot, y, false, "count", unit_words(table));

  // A name at the end of each line, as near to it as the others let it be.
  struct Name {
    float y;
    const PublishedRow* row;
  };
  std::vector<Name> ends;
  for (const PublishedRow* row : rows) {
    const Color color = view.ink(ink_of(row->key));
    const float width = st.px(row->key.starts_with("fa") ? 3.5f : 2);
    std::optional<Vec2> before;
    for (size_t c = 0; c < table.at.size(); ++c) {
      if (std::isnan(row->values[c])) continue;
      const Vec2 at{x.at(*length_of(table.at[c])), y.at(shown(table, row->values[c]))};
      if (before) view.line(*before, at, color, width);
      view.box({at.x - st.px(4), at.y - st.px(4), st.px(8), st.px(8)}, st.px(4), Role::Background, color, st.px(2));
      before = at;
    }
    if (before) ends.push_back({before->y, row});
  }
  std::ranges::sort(ends, {}, &Name::y);
  const float line = st.px(22);
  float least = plot.y;
  for (Name& name : ends) name.y = std::max(name.y, least + line / 2), least = name.y + line / 2;
  float deepest = plot.bottom();
  for (size_t k = ends.size(); k-- > 0;)
    ends[k].y = std::min(ends[k].y, deepest - line / 2), deepest = ends[k].y - line / 2;
  for (const Name& name : ends)
    view.text({plot.right() + st.px(12), name.y - line / 2, names - st.px(12), line}, name_of(name.row->key),
              name.row->key.starts_with("fa") ? Face::SansBold : Face::Sans, st.number(), ink_of(name.row->key));
}

void layout_figures(const BoardView& view, Rect area, const std::vector<const PublishedRow*>& rows) {
  const Style& st = view.style;
  const PublishedTable& table = table_of(view);
  // As large as there is room for: below a chart in the size of its words, alone on a wall for the last row of it.
  const float line = std::min(st.px(64), area.h / float(rows.size() + 1));
  const float size = std::clamp(line * 0.42f, st.number(), st.heading());
  const float name = std::min(st.px(190) * size / st.number(), area.w * 0.28f);
  const float column = std::min((area.w - name) / float(table.at.size()), st.px(150));
  const size_t marked = over_lengths(table) ? lead_of(view).column : table.at.size();
  const auto cell = [&](size_t r, size_t c) {
    return Rect{area.x + name + column * float(c), area.y + line * float(r), column - st.px(10), line};
  };
  if (marked < table.at.size()) {
    const Rect column_of{cell(0, marked).x, area.y, column - st.px(4), line * float(rows.size() + 1)};
    view.box(column_of, st.r_small(), Role::SurfaceStrong, Role::Text, st.px(2));
  }
  view.text({area.x, area.y, name, line}, over_lengths(table) ? fmt::format("{} at N =", unit_words(table)) : "",
            Face::Sans, size, Role::TextSecondary);
  for (size_t c = 0; c < table.at.size(); ++c)
    view.text(cell(0, c), column_words(table, c), Face::Sans, size, Role::TextSecondary, Align::Right);
  view.line({area.x, area.y + line}, {area.x + name + column * float(table.at.size()), area.y + line}, Role::Border,
            st.px(1));
  for (size_t r = 0; r < rows.size(); ++r) {
    const PublishedRow& row = *rows[r];
    view.text({area.x, cell(r + 1, 0).y, name - st.px(8), line}, name_of(row.key),
              row.key.starts_with("fa") ? Face::SansBold : Face::Sans, size, ink_of(row.key));
    for (size_t c = 0; c < table.at.size(); ++c) {
      const std::string words = figure(table, row.values[c]);
      view.text(cell(r + 1, c), words, c == marked ? Face::MonoBold : Face::Mono, size,
                std::isnan(row.values[c]) ? Role::TextSecondary : Role::Text, Align::Right);
      view.region(cell(r + 1, c), fmt::format("figure:{}/{}", row.key, c),
                  std::isnan(row.values[c])
                      ? fmt::format("{}: out of memory. {}", name_of(row.key), table.source)
                      : fmt::format("{}: {} {}, {} ({})", name_of(row.key), words, unit_words(table),
                                    name_of(table.origin), owner_of(view, row).source));
    }
  }
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const PublishedTable& table = table_of(view);
  const std::vector<const PublishedRow*> rows = rows_of(view);
  const float head = st.px(28);
  view.text({area.x, area.y, area.w, head}, table.title, Face::SansBold, st.body(), Role::Text);
  view.text({area.x, area.y + head, area.w, head},
            fmt::format("{} {}: {}{}", table.origin == Origin::Recorded ? "◆" : "◇", name_of(table.origin),
                        table.source, table.beside ? "; " + table.beside->words : std::string()),
            Face::Sans, st.number(), Role::TextSecondary);
  if (rows.empty()) return;
  const Rect rest{area.x, area.y + 2 * head + st.px(10), area.w, area.h - 2 * head - st.px(10)};
  if (view.covered("best")) return plate(view, rest);
  const float wanted = st.px(32) * float(rows.size() + 1);  // below a chart
  const bool chart = over_lengths(table) && rest.h - wanted > st.px(210);
  if (chart) layout_chart(view, {rest.x, rest.y, rest.w, rest.h - wanted - st.px(14)}, rows);
  layout_figures(view, {rest.x, chart ? rest.bottom() - wanted : rest.y, rest.w, chart ? wanted : rest.h - st.px(8)},
                 rows);
}

}  // namespace

const Board kPublishedBoard{"published", "Published figures", kKnobs, layout, caption, readings};

}  // namespace tilewalk
