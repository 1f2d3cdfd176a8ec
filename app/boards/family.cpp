// The family tree of fused attention: three lanes along time, whom each member descends from, and who wraps whom for
// the one that is picked. The knobs fade what does not pass.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/model/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 6> kGpuWords{"any", "T4", "A100", "H100", "B200", "5090"};
constexpr std::array<int, 6> kGpuCc{0, 75, 80, 90, 100, 120};
constexpr std::array<std::string_view, 4> kOnly{"all", "exact", "training", "decode"};
constexpr int kFirstYear = 2018;
constexpr size_t kMostNamed = 5;  // of a year's new ones, in the sentence above
constexpr std::array<std::string_view, 9> kYears{"2018", "2019", "2020", "2021", "2022",
                                                 "2023", "2024", "2025", "2026"};
constexpr auto kKnobs = std::to_array<Knob>({
    choice_knob("gpu", "Runs on", kGpuWords, 0, "By compute capability"),
    choice_knob("year", "Up to", kYears, 8, "What was there by then"),
    choice_knob("only", "Show", kOnly, 0, "Only what computes softmax attention exactly, trains, or decodes"),
});
// Ideas were there before the kernels, relatives came after: they share a lane.
constexpr std::array<std::string_view, 3> kLanes{"Ideas, relatives", "Kernels", "Libraries"};
size_t lane_of(const FamilyMember& member) {
  return member.kind == FamilyKind::Kernel ? 1 : member.kind == FamilyKind::Library ? 2 : 0;
}

FamilyFilter filter_of(const Exhibit& view) {
  FamilyFilter filter;
  filter.cc = kGpuCc[size_t(view.knob("gpu"))];
  filter.year = kFirstYear + int(view.knob("year"));
  const auto only = size_t(view.knob("only"));
  filter.exact = only == 1, filter.training = only == 2, filter.decode = only == 3;
  return filter;
}

std::string picked_id(const BoardState& state) {
  const auto found = state.cells.find("picked");
  if (found != state.cells.end() && family_member(found->second)) return found->second;
  // FlashAttention as far as it had come by then.
  const int year = kFirstYear + int(knob_value(kFamilyBoard, state, "year"));
  for (const char* id : {"fa2", "fa1"})
    if (family_member(id)->year <= year) return id;
  return "online-softmax";
}

// Not there yet in the year that is on show: it has a place, but no name.
bool is_later(const Exhibit& view, const FamilyMember& member) { return member.year > filter_of(view).year; }

const FamilyMember& picked(const Exhibit& view) { return *family_member(picked_id(view.state)); }

int64_t shown(const Exhibit& view) {
  return std::ranges::count_if(family(), [&](const FamilyMember& m) { return passes(m, filter_of(view)); });
}

std::vector<Reading> readings(const Exhibit& view) {
  return {{"shown",
           "Members that pass",
           {double(shown(view)), {}, Origin::Computed, "counted in lessons/data/family.toml"}}};
}

std::string caption(const Exhibit& view) {
  const int64_t count = shown(view);
  if (count == int64_t(family().size())) return "One idea, many kernels. Press one to see its kin.";
  const auto gpu = size_t(view.knob("gpu"));
  if (gpu == 0 && view.knob("only") == 0) {
    const int year = filter_of(view).year;
    std::vector<std::string> fresh;
    for (const FamilyMember& member : family())
      if (member.year == year) fresh.push_back(member.title);
    const std::string words = fresh.empty()               ? "None is new."
                              : fresh.size() > kMostNamed ? fmt::format("{} are new.", fresh.size())
                                                          : fmt::format("New: {}.", fmt::join(fresh, ", "));
    return fmt::format("In {} there are {} of the tree's {}. {}", year, count, family().size(), words);
  }
  constexpr auto kDoes =
      std::to_array<std::string_view>({"", "compute softmax attention exactly", "train", "serve decoding"});
  std::string does(kDoes[size_t(view.knob("only"))]);
  if (gpu > 0)
    does += fmt::format("{}run on compute capability {}.{}", does.empty() ? "" : " and ", kGpuCc[gpu] / 10,
                        kGpuCc[gpu] % 10);
  return fmt::format("{} of the tree's {} members {}.", count, family().size(), does);
}

constexpr float kPad = 9, kGap = 7;  // design pixels: in a box beside its text, and between boxes

struct Place {
  const FamilyMember* member;
  Rect rect;
};

// The largest text at which every lane has room for its members.
float text_size(const BoardView& view, float width) {
  const Style& st = view.style;
  for (const float size : {st.body(), st.number()}) {
    std::array<float, kLanes.size()> wanted{};
    for (const FamilyMember& member : family())
      wanted[lane_of(member)] += text_width(member.title, Face::SansBold, size) + st.px(2 * kPad + kGap);
    if (std::ranges::max(wanted) <= width) return size;
  }
  return st.small();
}

// Every member on its lane, as near to its place in time as its neighbours let it.
std::vector<Place> places(const BoardView& view, Rect area, float size) {
  const Style& st = view.style;
  const auto all = family();
  const float lane = area.h / float(kLanes.size()), h = std::min(2 * size + st.px(8), lane * 0.6f);
  const float pad = st.px(kPad), least_gap = st.px(kGap);
  std::vector<Place> out;
  for (size_t k = 0; k < kLanes.size(); ++k) {
    const size_t first = out.size();
    for (size_t i = 0; i < all.size(); ++i) {
      if (lane_of(all[i]) != k) continue;
      const float w = text_width(all[i].title, Face::SansBold, size) + 2 * pad;
      const float x = area.x + (float(i) + 0.5f) / float(all.size()) * area.w - w / 2;
      out.push_back({&all[i], {x, area.y + lane * (float(k) + 0.5f) - h / 2, w, h}});
    }
    float left = area.x;
    for (size_t i = first; i < out.size(); ++i) {
      out[i].rect.x = std::max(out[i].rect.x, left);
      left = out[i].rect.right() + least_gap;
    }
    float right = area.right();
    for (size_t i = out.size(); i-- > first;) {
      out[i].rect.x = std::min(out[i].rect.x, right - out[i].rect.w);
      right = out[i].rect.x - least_gap;
    }
  }
  return out;
}

// A line from one member to another: straight between lanes and to a neighbour, over the heads of those in between.
void connect(const BoardView& view, const std::vector<Place>& all, std::string_view from, std::string_view to,
             Color color, float width, bool dashed, bool arrow) {
  const auto place = [&](std::string_view id) {
    return std::ranges::find_if(all, [&](const Place& p) { return p.member->id == id; });
  };
  const auto start = place(from), end = place(to);
  if (start == all.end() || end == all.end()) return;
  const Rect a = start->rect, b = end->rect;
  const float dash = dashed ? view.px(6) : 0;
  if (lane_of(*start->member) == lane_of(*end->member)) {
    const auto between = std::ranges::count_if(all, [&](const Place& p) {
      return lane_of(*p.member) == lane_of(*start->member) && p.rect.x > std::min(a.x, b.x) &&
             p.rect.x < std::max(a.x, b.x);
    });
    if (between == 0) {
      view.line({a.right(), a.center().y}, {b.x, b.center().y}, color, width, dash, arrow);
      return;
    }
    const float over = a.y - view.px(7), x0 = a.center().x + a.w * 0.25f, x1 = b.center().x - b.w * 0.25f;
    view.line({x0, a.y}, {x0, over}, color, width, dash);
    view.line({x0, over}, {x1, over}, color, width, dash);
    view.line({x1, over}, {x1, b.y}, color, width, dash, arrow);
    return;
  }
  // Where many lines meet one box they come in side by side.
  const bool down = a.center().y < b.center().y;
  const float lean = std::clamp((a.center().x - b.center().x) * 0.15f, -0.35f * b.w, 0.35f * b.w);
  view.line({a.center().x, down ? a.bottom() : a.y}, {b.center().x + lean, down ? b.y : b.bottom()}, color, width, dash,
            arrow);
}

// The picked one: what it is, from where it is known, and whom it wraps or who wraps it.
void layout_card(const BoardView& view, Rect area, const FamilyMember& member) {
  const Style& st = view.style;
  const float head = st.px(30), date = st.px(150);
  view.text({area.x, area.y, area.w - date, head}, member.title, Face::SansBold, st.heading(), Role::AccentText);
  view.text({area.right() - date, area.y, date, head}, member.date, Face::Sans, st.number(), Role::Text, Align::Right);
  std::vector<std::string> words;
  words.push_back(member.exact ? "exact" : "another function");
  words.push_back(member.training ? "training" : "no training");
  if (member.decode) words.push_back("decode");
  if (member.most_cc > 0)
    words.push_back(fmt::format("compute capability {}.{} to {}.{}", member.least_cc / 10, member.least_cc % 10,
                                member.most_cc / 10, member.most_cc % 10));
  if (member.least_training_cc > 0)
    words.push_back(fmt::format("backward from {}.{}", member.least_training_cc / 10, member.least_training_cc % 10));
  const auto titles = [](const std::vector<std::string>& ids) {
    std::vector<std::string> out;
    for (const std::string& id : ids) out.push_back(family_member(id)->title);
    return out;
  };
  if (!member.wraps.empty()) words.push_back(fmt::format("calls {}", fmt::join(titles(member.wraps), ", ")));
  if (const auto by = wrapped_by(member.id); !by.empty())
    words.push_back(fmt::format("called by {}", fmt::join(titles(by), ", ")));
  const std::string fits = fmt::format("{}", fmt::join(words, " · "));
  float y = area.y + head;
  // A room reads it from its last row: as large as it fits, without the source, which the speaker's side has.
  for (const float design : {26.0f, 24.0f, 22.0f, 20.0f}) {
    const float size = st.px(design), row = size * 1.35f;
    const auto high = [&](const std::string& text) {
      return row * float(wrap_text(text, Face::Sans, size, area.w).size()) + 1;
    };
    if (view.hands || head + high(member.text) + high(fits) + st.px(2) > area.h) continue;
    y += text_block(view, {area.x, y, area.w, high(member.text)}, member.text, Face::Sans, size, Role::Text);
    text_block(view, {area.x, y + st.px(2), area.w, high(fits)}, fits, Face::Sans, size, Role::Text);
    return;
  }
  y += text_block(view, {area.x, y, area.w, st.number() * 1.35f * 2 + 1}, member.text, Face::Sans, st.number(),
                  Role::Text);
  const float small = area.h >= st.px(150) ? st.number() : st.small(), line = small * 1.35f;
  y += text_block(view, {area.x, y + st.px(2), area.w, 2 * line + 1}, fits, Face::Sans, small, Role::Text) + st.px(2);
  view.text({area.x, y, area.w, line}, member.source, Face::Sans, small, Role::TextSecondary);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const float card = area.h >= st.px(520) ? st.px(164) : std::min(st.px(136), area.h * 0.4f),
              names = std::min(st.px(84), area.w * 0.13f);
  const Rect tree{area.x + names, area.y, area.w - names, area.h - card - st.px(10)};
  const float size = text_size(view, tree.w);
  const std::vector<Place> all = places(view, tree, size);
  const FamilyFilter filter = filter_of(view);
  const FamilyMember& chosen = picked(view);

  const float lane = tree.h / float(kLanes.size());
  for (size_t k = 0; k < kLanes.size(); ++k) {
    const Rect row{area.x, tree.y + lane * float(k), area.w, lane};
    if (k > 0) view.line({row.x, row.y}, {row.right(), row.y}, Role::Line, st.px(1));
    const float line = st.small() * 1.35f, two = k == 0 ? 2 * line : line;
    text_block(view, {row.x, row.center().y - two / 2, names - st.px(6), two + 1}, kLanes[k], Face::Sans, st.small(),
               Role::TextSecondary);
  }
  // Lines lead to what is there by then, and to the one that is picked.
  std::vector<Place> there = all;
  std::erase_if(there, [&](const Place& p) { return is_later(view, *p.member) && p.member->id != chosen.id; });
  for (const Place& place : there)
    for (const std::string& from : place.member->from)
      connect(view, there, from, place.member->id, view[Role::Border], st.px(1.5f), false, false);
  const float width = st.px(2.5f);
  for (const std::string& from : chosen.from)
    connect(view, there, from, chosen.id, view[Role::Text], width, false, true);
  // From the one who calls to the kernel that is called.
  for (const std::string& id : chosen.wraps) connect(view, there, chosen.id, id, view[Role::Accent], width, true, true);
  for (const std::string& id : wrapped_by(chosen.id))
    connect(view, there, id, chosen.id, view[Role::Accent], width, true, true);
  for (const Place& place : all) {
    const FamilyMember& member = *place.member;
    const std::string id = "board:member/" + member.id;
    const bool now = member.id == chosen.id, in = passes(member, filter);
    const Rect r = place.rect;
    if (now)
      view.box(r, st.r_small(), Role::Inverse);
    else
      view.box(r, st.r_small(), Role::Background, in ? Role::Text : Role::Ghost,
               st.px(in && view.view.hover == id ? 3 : 1.5f), in ? 0 : st.px(4));
    if (now || !is_later(view, member))
      view.label(r, member.title, in ? Face::SansBold : Face::Sans, size,
                 now  ? view[Role::InverseText]
                 : in ? view[Role::Text]
                      : view[Role::TextSecondary],
                 Align::Center);
    view.region(r, id,
                fmt::format("{}, {}: {}{}", member.title, member.date, member.text,
                            in                       ? ""
                            : is_later(view, member) ? " Not there yet in the year that is on show."
                                                     : " Left out by the knobs."));
  }
  // One stop for the keyboard: the picked one, which arrows move along the tree.
  const auto now = std::ranges::find(all, &chosen, &Place::member);
  view.region(now->rect, "board:picked", fmt::format("{} (arrows go to others)", chosen.title), true, st.r_small());
  view.line({area.x, area.bottom() - card - st.px(4)}, {area.right(), area.bottom() - card - st.px(4)}, Role::Border,
            st.px(1));
  layout_card(view, {area.x, area.bottom() - card, area.w, card}, chosen);
}

std::string act(std::string_view id, Vec2, bool dragged, BoardState& state) {
  const std::string_view prefix = "board:member/";
  if (!dragged && id.starts_with(prefix)) state.cells["picked"] = std::string(id.substr(prefix.size()));
  return {};
}

// Arrow keys: to the member before or after in time; up and down through the same lane.
std::string nudge(std::string_view, int right, int up, BoardState& state) {
  const auto all = family();
  const auto at = std::ranges::find(all, picked_id(state), &FamilyMember::id) - all.begin();
  const auto step = std::ptrdiff_t(right != 0 ? right : -up);
  for (auto next = at + step; next >= 0 && next < std::ptrdiff_t(all.size()); next += step) {
    if (up != 0 && lane_of(all[size_t(next)]) != lane_of(all[size_t(at)])) continue;
    state.cells["picked"] = all[size_t(next)].id;
    break;
  }
  return {};
}

}  // namespace

const Board kFamilyBoard{"family", "The family tree", kKnobs, layout, caption, readings, act, nudge};

}  // namespace tilewalk
