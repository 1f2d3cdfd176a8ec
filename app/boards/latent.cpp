// What a token leaves in the cache of one layer, to scale: K and V of every head (MHA), of a few (GQA), of one (MQA),
// or one latent and a shared RoPE key (MLA); and what MLA's cache is where K and V are made first and kept. Sizes are
// DeepSeek-V2's (lessons/data/published.toml).
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/machine/step.h"
#include "core/machine/words.h"
#include "core/quantity/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kKeeps{"the latent", "K and V"}, kKeepIds{"latent", "heads"};
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("N", "Tokens N", 1024, 1048576, 131072, "Tokens in the cache"),
    power_knob("groups", "K/V heads of GQA", 2, 64, 8, "Query heads share them in groups"),
    choice_knob("keep", "MLA keeps", kKeeps, 0,
                "The latent, or what is made of it: K, a copy of the RoPE key with each, and V", kKeepIds),
});

double of_paper(std::string_view key) {
  const std::optional<Quantity> quantity = published(key);
  return quantity ? quantity->value : 0;
}

struct Kept {
  std::string_view id, name;
  double values;  // a token and layer
  double keys;    // of them in K; none in a latent
};
std::array<Kept, 4> kept_of(const Exhibit& view) {
  const double heads = of_paper("mla_heads"), size = of_paper("mla_head_size"), groups = view.knob("groups"),
               latent = of_paper("mla_latent"), rope = of_paper("mla_rope");
  return {{{"mha", "MHA", 2 * heads * size, heads * size},
           {"gqa", "GQA", 2 * groups * size, groups * size},
           {"mqa", "MQA", 2 * size, size},
           view.on("keep") ? Kept{"mla", "MLA", heads * (size + rope) + heads * size, heads * (size + rope)}
                           : Kept{"mla", "MLA", latent + rope, 0}}};
}

std::vector<Reading> readings(const Exhibit& view) {
  const std::array<Kept, 4> all = kept_of(view);
  const std::array<std::string_view, 4> sources{
      "2 × heads × head dimension", "2 × K/V heads × head dimension", "2 × head dimension",
      view.on("keep") ? "heads × (head dimension + RoPE key + head dimension)" : "latent + RoPE key"};
  std::vector<Reading> out;
  for (size_t k = 0; k < all.size(); ++k) {
    const std::string source = std::string(sources[k]) + ", DeepSeek-V2's sizes, arXiv:2405.04434";
    out.push_back({std::string(all[k].id),
                   fmt::format("{}, values a token", all[k].name),
                   {all[k].values, {}, Origin::Published, source}});
    out.push_back({std::string(all[k].id) + "_bytes",
                   fmt::format("{}, cache of a layer", all[k].name),
                   {all[k].values * 2 * view.knob("N"), "byte", Origin::Published, "values × N × 2 bytes, " + source}});
  }
  out.push_back({"ratio",
                 "MHA over MLA",
                 {all[0].values / all[3].values, {}, Origin::Published, "values a token, arXiv:2405.04434"}});
  return out;
}

std::string caption(const Exhibit& view) {
  const std::array<Kept, 4> all = kept_of(view);
  if (view.on("keep") && !view.covered("mla"))
    return fmt::format("K and V of every head: {} values; MHA keeps {}.", with_commas(int64_t(all[3].values)),
                       with_commas(int64_t(all[0].values)));
  if (view.covered("mla") || view.covered("ratio"))
    return "Areas to scale: what one token leaves in the cache of one layer.";
  return fmt::format("MLA keeps {} values a token where every head's K and V would be {}.",
                     with_commas(int64_t(all[3].values)), with_commas(int64_t(all[0].values)));
}

// "32,768", and of the first one what it counts.
void label_values(const BoardView& view, Rect slot, int64_t values, bool in_words) {
  const Style& st = view.style;
  const std::string number = with_commas(values);
  const float size = view.view.present.on ? st.display() : st.title();
  const float w = text_width(number, Face::MonoBold, size) + st.px(12);
  view.text({slot.x, slot.y, std::min(slot.w, w), slot.h}, number, Face::MonoBold, size, Role::Text);
  if (in_words && slot.w > w)
    view.text({slot.x + w, slot.y, slot.w - w, slot.h}, "values a token", Face::Sans, st.number(), Role::TextSecondary);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const std::array<Kept, 4> kept = kept_of(view);
  const std::vector<Reading> all = readings(view);
  const float words = std::clamp(area.h * 0.26f, st.px(84), st.px(120));
  const float room = area.h - words, least = std::min(area.w / 6, st.px(124)), gap = st.px(12);
  // One scale for all of them: the largest at which squares and words stand side by side.
  const auto wide = [&](float scale, double values) { return std::max(least, scale * float(std::sqrt(values))); };
  float scale = room / float(std::sqrt(std::max(kept[0].values, kept[3].values)));
  const auto needed = [&] {
    float sum = 0;
    for (const Kept& each : kept) sum += wide(scale, each.values) + gap;
    return sum;
  };
  while (needed() > area.w && scale > 0.01f) scale *= 0.97f;
  float next = area.x;
  for (size_t k = 0; k < kept.size(); ++k) {
    const float x = next, w = wide(scale, kept[k].values);
    next += w + gap;
    const float side = std::max(st.px(3), scale * float(std::sqrt(kept[k].values)));
    const Rect square{x, area.y + room - side, side, side};
    const bool latent = kept[k].keys == 0;
    const float key_h = side * float(kept[k].keys / kept[k].values);
    if (view.covered(kept[k].id)) {
      plate(view, {x, area.y + room - st.px(60), st.px(60), st.px(60)});
    } else if (latent) {
      view.box(square, st.px(2), Tensor::S);
    } else {
      view.box({square.x, square.y, square.w, key_h - st.px(0.5f)}, st.px(2), Tensor::K);
      view.box({square.x, square.y + key_h + st.px(0.5f), square.w, square.h - key_h - st.px(0.5f)}, st.px(2),
               Tensor::V);
    }
    // What the colours are, where there is room for it.
    if (side > st.px(120) && !latent && !view.covered(kept[k].id))
      for (const Tensor t : {Tensor::K, Tensor::V})
        view.label({square.x + st.px(12), square.y + st.px(8) + (t == Tensor::V ? key_h : 0), st.px(30), st.px(30)},
                   symbol_of(t), Face::SansBold, st.heading(), st.palette.label_on(t));
    const float line = words / 4;
    const float y = area.y + room + line * 0.2f;
    const float name = text_width(kept[k].name, Face::SansBold, st.body()) + st.px(8);
    view.text({x, y, w, line}, kept[k].name, Face::SansBold, st.body(), Role::Text);
    // Of what a latent's number is the sum.
    if (latent && !view.covered(kept[k].id))
      view.text({x + name, y, w - name, line},
                fmt::format("{:.0f} + {:.0f}", of_paper("mla_latent"), of_paper("mla_rope")), Face::Sans, st.number(),
                Role::TextSecondary);
    const Reading &values = reading_of(all, kept[k].id), &bytes = reading_of(all, std::string(kept[k].id) + "_bytes");
    const Rect number{x, y + line, w, line * 1.4f};
    if (view.covered(values.id))
      plate(view, {number.x, number.y, st.px(80), number.h});
    else
      label_values(view, number, int64_t(values.quantity.value), k == 0);
    const std::string size = amount(bytes.quantity.value, "byte", "binary");
    if (!view.covered(values.id) && !view.covered(bytes.id))
      view.text({x, y + line * 2.5f, w, line}, k == 0 ? fmt::format("{} a layer, fp16", size) : size, Face::Mono,
                st.number(), Role::TextSecondary);
    reading_region(view, {x, y, w, line * 3.5f}, values);
  }
}

}  // namespace

const Board kLatentBoard{.id = "latent",
                         .title = "What a token leaves behind",
                         .knobs = kKnobs,
                         .layout = layout,
                         .caption = caption,
                         .readings = readings,
                         .fixed = "B 1 · 128 heads · d 128 · fp16"};

}  // namespace tilewalk
