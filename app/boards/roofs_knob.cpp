#include "app/boards/roofs_knob.h"

#include "app/text/text.h"
#include "core/model/gpus.h"
#include "core/roofline/catalogue.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr std::string_view kMeasured = "-measured", kThis = "this";

struct Choices {
  std::vector<std::string> words, ids;
  std::vector<std::string_view> word_views, id_views;  // what a knob keeps
};

// The catalogue in its order; behind a GPU that was measured its measured roofs; this computer's last.
const Choices& choices() {
  static const Choices all = [] {
    Choices out;
    const auto add = [&](std::string word, std::string id) {
      out.words.push_back(std::move(word));
      out.ids.push_back(std::move(id));
    };
    const auto& measured = shipped_ceilings();
    for (const GpuSpec& gpu : gpus()) {
      add(gpu.title, gpu.id);
      if (measured && same_gpu(roofs_of(gpu), measured->provenance))
        add(gpu.title + ", measured", gpu.id + std::string(kMeasured));
    }
    add("This GPU", std::string(kThis));
    out.word_views.assign(out.words.begin(), out.words.end());
    out.id_views.assign(out.ids.begin(), out.ids.end());
    return out;
  }();
  return all;
}

}  // namespace

Knob roofs_knob(std::string_view initial) {
  const Choices& all = choices();
  auto at = std::ranges::find(all.ids, initial);
  // Where its measured roofs are not there, the datasheet's.
  if (at == all.ids.end() && initial.ends_with(kMeasured))
    at = std::ranges::find(all.ids, initial.substr(0, initial.size() - kMeasured.size()));
  return {"gpu", "GPU", Knob::Kind::Choice, 0, double(all.ids.size()) - 1,
          at == all.ids.end() ? 0.0 : double(at - all.ids.begin()), 1, all.word_views, {}, "Whose roofs",
          all.id_views};
}

std::optional<Roofs> roofs_chosen(const BoardView& view) {
  const std::string_view id = choices().ids[size_t(view.knob("gpu"))];
  if (id == kThis) {
    const GpuStatus& gpu = view.view.gpu.status;  // a few of its roofs would make a wrong model
    return gpu.ceilings && !gpu.measuring ? std::optional(roofs_of(*gpu.ceilings, Origin::Measured)) : std::nullopt;
  }
  if (id.ends_with(kMeasured)) return roofs_of(*shipped_ceilings(), Origin::Recorded);
  return roofs_of(*gpu_named(id));
}

std::string no_roofs(const BoardView& view) {
  const GpuStatus& gpu = view.view.gpu.status;
  if (!gpu.usable()) return "No GPU is connected here. Choose one of the catalogue, below.";
  if (gpu.measuring)
    return fmt::format("This GPU is being measured: {} of {} roofs are ready.",
                       gpu.ceilings ? gpu.ceilings->ceilings.size() : 0, gpu.measuring);
  return gpu.state == GpuState::Running ? "The GPU is at work. Its roofs can be measured after that."
                                        : "This GPU's roofs have not been measured yet. That takes some 20 seconds.";
}

void layout_no_roofs(Scene& scene, const BoardView& view, Rect area) {
  const GpuStatus& gpu = view.view.gpu.status;
  if (!gpu.usable() || gpu.measuring || gpu.state == GpuState::Running) return;
  const Style& st = view.style;
  const std::string words = "Measure this GPU's roofs";
  const float w = text_width(words, Face::SansBold, st.body()) + st.px(48), h = st.px(52);
  const Rect button{area.center().x - w / 2, area.center().y - h / 2, w, h};
  const std::string id = "command:gpu-ceilings";
  scene.box(button, st.r_medium(), view[Role::Inverse]);
  scene.label(button, words, Face::SansBold, st.body(), view[Role::InverseText], Align::Center);
  scene.region(button, id, "Copies, reads, products and exponentials at full speed; no attention kernel", true);
  scene.regions.back().focus_radius = st.r_medium();
}

bool same_gpu(const Roofs& roofs, const Provenance& run) {
  constexpr std::string_view kVendor = "NVIDIA ";
  std::string_view name = run.gpu;
  if (name.starts_with(kVendor)) name.remove_prefix(kVendor.size());
  // "H200" is the catalogue's "H200 SXM", but "H100" is no "H100 PCIe": the multiprocessors tell.
  const std::string_view title = roofs.title;
  const bool named = title.find(name) != std::string_view::npos || name.find(title) != std::string_view::npos;
  return !name.empty() && named && roofs.cc == 10 * run.major + run.minor && roofs.sms == run.multiprocessors;
}

}  // namespace tilewalk
