#include "app/boards/roofs_knob.h"

#include "app/text/text.h"

#include <fmt/format.h>

namespace tilewalk {

Knob roofs_knob(std::string_view initial) {
  constexpr std::string_view kMeasured = "-measured";
  auto at = offered_named(initial);
  // Where its measured roofs are not there, the datasheet's.
  if (!at && initial.ends_with(kMeasured)) at = offered_named(initial.substr(0, initial.size() - kMeasured.size()));
  return {"gpu",
          "GPU",
          Knob::Kind::Choice,
          0,
          double(offered_count()) - 1,
          double(at.value_or(0)),
          1,
          {},
          {},
          "Whose roofs. SXM: the form of a server's GPUs",
          {},
          offered_gpus};
}

const OfferedGpu& gpu_chosen(const Exhibit& view) { return offered_gpu(size_t(view.knob("gpu"))); }

std::optional<Roofs> roofs_chosen(const Exhibit& view) { return gpu_chosen(view).roofs; }

namespace {

bool worker_lost(const GpuStatus& gpu) {
  return !gpu.usable() && (gpu.state == GpuState::Failed || gpu.state == GpuState::RemoteLost);
}

}  // namespace

std::string no_roofs(const OfferedGpu& chosen, const GpuStatus& gpu) {
  if (!chosen.fault.empty()) return chosen.fault;
  if (worker_lost(gpu)) return gpu.what;
  if (!gpu.usable()) return "No GPU is connected here. Choose one of the catalogue, below.";
  if (gpu.in_class)
    return "The roofs of the class's GPU are not measured by a page. Choose one of the catalogue, below.";
  if (gpu.measuring)
    return fmt::format("This GPU is being measured: {} of {} roofs are ready.",
                       gpu.ceilings ? gpu.ceilings->ceilings.size() : 0, gpu.measuring);
  return gpu.state == GpuState::Running ? "The GPU is at work. Its roofs can be measured after that."
                                        : "This GPU's roofs have not been measured yet. That takes some 20 seconds.";
}
std::string no_roofs(const Exhibit& view) { return no_roofs(gpu_chosen(view), view.view.gpu.status); }

void layout_no_roofs(const BoardView& view, Rect area) {
  const GpuStatus& gpu = view.view.gpu.status;
  const bool lost = worker_lost(gpu);
  if (!view.hands || !gpu_chosen(view).fault.empty() || gpu.measuring > 0 || gpu.state == GpuState::Running) return;
  if ((!gpu.usable() && !lost) || gpu.in_class) return;
  const Style& st = view.style;
  const std::string words = lost ? "Start the GPU worker anew" : "Measure this GPU's roofs";
  const float w = text_width(words, Face::SansBold, st.body()) + st.px(48), h = st.px(52);
  const Rect button{area.center().x - w / 2, area.center().y - h / 2, w, h};
  const std::string id = lost ? "command:gpu-reconnect" : "command:gpu-ceilings";
  view.box(button, st.r_medium(), Role::Inverse);
  view.label(button, words, Face::SansBold, st.body(), Role::InverseText, Align::Center);
  view.region(button, id,
              lost ? "Its roofs can be measured once it is there"
                   : "Copies, reads, products and exponentials at full speed; no attention kernel",
              true, st.r_medium());
}

bool leads_to_no_roofs(const Knob& knob, double value, const GpuStatus& gpu) {
  if (knob.offered != offered_gpus) return false;
  const OfferedGpu& led_to = offered_gpu(size_t(value));
  return !led_to.roofs && (!led_to.fault.empty() || !gpu.usable() || gpu.in_class);
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
