#include "app/boards/gpu_offer.h"

#include "app/boards/roofs_knob.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

struct Offer {
  std::vector<OfferedGpu> all;
  size_t this_gpu = 0, shipped = 0;  // its place, and how many there are before a person's own
  std::shared_ptr<const Ceilings> measured;
  Choices choices;
  std::set<std::string, std::less<>> words;  // all that ever were: a knob's words are views
};

void make_choices(Offer& offer) {
  const auto view_of = [&](const std::string& text) -> std::string_view { return *offer.words.insert(text).first; };
  offer.choices = {};
  for (const OfferedGpu& gpu : offer.all) {
    offer.choices.words.push_back(view_of(gpu.word));
    offer.choices.ids.push_back(view_of(gpu.id));
  }
}

// The catalogue in its order, behind a GPU that was measured its measured roofs; this computer's last.
Offer shipped_offer() {
  Offer out;
  const auto& measured = shipped_ceilings();
  for (const GpuSpec& gpu : gpus()) {
    out.all.push_back({gpu.id, gpu.title, roofs_of(gpu), {}});
    if (measured && same_gpu(*out.all.back().roofs, measured->provenance))
      out.all.push_back({gpu.id + "-measured", gpu.title + ", measured", roofs_of(*measured, Origin::Recorded), {}});
  }
  out.this_gpu = out.all.size();
  out.all.push_back({std::string(kThisGpu), "This GPU", {}, {}});
  out.shipped = out.all.size();
  make_choices(out);
  return out;
}

Offer& offer() {
  static Offer all = shipped_offer();
  return all;
}

// Of "<file>:<line>: [[gpu]] <id>: <what>"; empty where the sentence is of the whole file.
std::string entry_of(std::string_view fault) {
  constexpr std::string_view kEntry = "[[gpu]] ";
  const size_t begin = fault.find(kEntry);
  if (begin == std::string_view::npos) return {};
  const size_t end = fault.find(": ", begin);
  return std::string(fault.substr(begin + kEntry.size(), end - begin - kEntry.size()));
}

}  // namespace

const Choices& offered_gpus() { return offer().choices; }
size_t offered_count() { return offer().all.size(); }
const OfferedGpu& offered_gpu(size_t choice) { return offer().all[std::min(choice, offer().all.size() - 1)]; }

std::optional<size_t> offered_named(std::string_view id) {
  const std::vector<OfferedGpu>& all = offer().all;
  for (size_t k = 0; k < all.size(); ++k)
    if (all[k].id == id) return k;
  return std::nullopt;
}

void offer_own_gpus(const Catalogue& catalogue) {
  Offer& now = offer();
  now.all.resize(now.shipped);
  for (const Catalogue::Entry& entry : catalogue.entries) {
    if (!entry.own) continue;
    const bool taken = offered_named(entry.gpu.id).has_value();
    now.all.push_back(
        {entry.gpu.id + (taken ? "-own" : ""), entry.gpu.title + (taken ? ", yours" : ""), roofs_of(entry.gpu), {}});
  }
  for (const std::string& fault : catalogue.faults) {
    const std::string entry = entry_of(fault);
    now.all.push_back(
        {entry.empty() ? "gpus.toml" : entry, (entry.empty() ? "gpus.toml" : entry) + ", not read", {}, fault});
  }
  make_choices(now);
}

bool offer_this_gpu(const GpuStatus& status) {
  Offer& now = offer();
  // Half of its roofs would make a wrong model: those of a measurement that is under way, was stopped or failed.
  const std::shared_ptr<const Ceilings> measured = status.measuring == 0 ? status.ceilings : nullptr;
  if (measured == now.measured) return false;
  now.measured = measured;
  std::optional<Roofs> roofs;
  // The launch, the last of them, is not among the rates that are asked for below: only the count tells that it lacks.
  if (measured && measured->ceilings.size() == size_t(kCeilingCount)) roofs = roofs_of(*measured, Origin::Measured);
  if (roofs && !std::ranges::all_of(roofs->rates, [](const auto& rate) { return rate.has_value(); })) roofs.reset();
  now.all[now.this_gpu].word = roofs ? "■ This GPU" : "This GPU";
  now.all[now.this_gpu].roofs = std::move(roofs);
  make_choices(now);
  return true;
}

}  // namespace tilewalk
