#include "app/boards/ring_recorded.h"

#include "app/boards/kit.h"
#include "core/run/shipped.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr float kLine = 24;  // design pixels

std::string source_of(const RingResult& ring) {
  const RingSpec& spec = ring.spec;
  return fmt::format("{} x {}, {}: H = {}, d = {}, {}, {}", spec.gpus, ring.provenance.gpu,
                     ring.provenance.date.substr(0, 10), spec.problem.heads, spec.problem.d,
                     name_of(spec.problem.format), ring.transport);
}

}  // namespace

std::vector<RecordedRing> recorded_rings(int64_t devices, int64_t tokens, Mask mask) {
  std::vector<RecordedRing> out;
  RingSpec spec;
  spec.gpus = int(devices);
  spec.problem.n_q = spec.problem.n_k = tokens;
  spec.problem.d = 128;
  spec.problem.mask = mask;
  const auto add = [&](std::string id, RingSplit split, RingTransfer transfer, int spare, std::string label) {
    spec.split = split;
    spec.transfer = transfer;
    spec.spare = spare;
    const RingResult* const ring = shipped_ring(spec);
    if (!ring) return;
    if (spare) label += fmt::format(", {} SMs left free", ring->spec.spare);
    out.push_back({std::move(id), std::move(label), ring});
  };
  if (mask == Mask::Causal) {
    add("hidden", RingSplit::Shards, RingTransfer::CopyEngines, 0, "neighbours");
    add("hidden_zigzag", RingSplit::Zigzag, RingTransfer::CopyEngines, 0, "zigzag, as kernels stripe");
    return out;
  }
  add("hidden", RingSplit::Shards, RingTransfer::CopyEngines, 0, "copy engines");
  add("hidden_nccl", RingSplit::Shards, RingTransfer::Nccl, 0, "NCCL");
  add("hidden_spare", RingSplit::Shards, RingTransfer::Nccl, 1, "NCCL");
  return out;
}

std::vector<Reading> readings_of(const std::vector<RecordedRing>& rings) {
  std::vector<Reading> out;
  for (const auto& [id, label, ring] : rings) {
    const RingTimes& t = *ring->times;
    const std::string source = source_of(*ring);
    const auto recorded = [&](const char* what, std::string words, double value, const char* unit) {
      out.push_back({id + what, label + words, {value, unit, Origin::Recorded, source}});
    };
    recorded("", ": transfer hidden", hidden_share(t), "");
    recorded("_together", ": the ring", t.together.median * 1e-3, "s");
    recorded("_attention", ": attention alone", t.attention.median * 1e-3, "s");
    recorded("_transfer", ": transfer alone", transfer_ms(t) * 1e-3, "s");
    if (!ring->link) continue;
    recorded("_sent", ": sent by a GPU", *std::ranges::max_element(ring->link->sent), "byte");
    out.push_back({id + "_predicted",
                   label + ": predicted to be sent",
                   {double(ring_bytes(ring->spec)), "byte", Origin::Computed, "(P - 1) H (N / P) d 2 b"}});
  }
  return out;
}

float recorded_ring_height(const BoardView& view, const std::vector<RecordedRing>& rings) {
  return view.px(kLine) * float(1 + rings.size());
}

void layout_recorded_rings(const BoardView& view, Rect area, const std::vector<RecordedRing>& rings) {
  const Style& st = view.style;
  const Rect head{area.x, area.y, area.w, st.px(kLine)};
  if (rings.empty()) {
    view.text(head, "No ring of so many GPUs and tokens is recorded; 2 and 4 with 131,072 are.", Face::Sans, st.small(),
              Role::TextSecondary);
    return;
  }
  const RingResult& first = *rings.front().ring;
  view.text(head,
            fmt::format("◆ Recorded: {} × {}, {}, {} heads, d = {}; attention, and what the transfer adds to it",
                        first.spec.gpus, first.provenance.gpu, first.provenance.date.substr(0, 10),
                        first.spec.problem.heads, first.spec.problem.d),
            Face::SansBold, st.small(), Role::Text);
  double most = 0;
  for (const RecordedRing& each : rings) most = std::max(most, each.ring->times->together.median);
  const float name = area.w * 0.24f, words = area.w * 0.32f;
  for (size_t k = 0; k < rings.size(); ++k) {
    const auto& [id, label, ring] = rings[k];
    const RingTimes& t = *ring->times;
    const Rect line{area.x, head.bottom() + st.px(kLine) * float(k), area.w, st.px(kLine)};
    view.text({line.x, line.y, name - st.px(8), line.h}, label, Face::Sans, st.small(), Role::Text);
    const Rect rest{line.x + name, line.y + st.px(3), line.w - name, line.h - st.px(6)};
    if (view.covered(id)) {
      plate(view, rest);
      continue;
    }
    const Rect track{rest.x, rest.y, rest.w - words, rest.h};
    bar(view, track, float(t.together.median / most), Tensor::K, BarLook::Recorded);
    bar(view, track, float(std::min(t.attention.median, t.together.median) / most), Tensor::S, BarLook::Recorded);
    view.text(
        {track.right() + st.px(10), line.y, words - st.px(10), line.h},
        fmt::format("{}, {} hidden", amount(t.together.median * 1e-3, "s"), amount(hidden_share(t), "", "percent")),
        Face::SansBold, st.small(), Role::Text);
    view.region({line.x + name, line.y, line.w - name, line.h}, "reading:" + id,
                fmt::format("{}: {} of attention, {} of transfer, together {} (recorded)", label,
                            amount(t.attention.median * 1e-3, "s"), amount(transfer_ms(t) * 1e-3, "s"),
                            amount(t.together.median * 1e-3, "s")));
  }
}

}  // namespace tilewalk
