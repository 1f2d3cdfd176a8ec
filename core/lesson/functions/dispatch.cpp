// Which kernel a call runs, and how many relatives pass: questions of lessons 12 and 13.
#include "core/lesson/functions/arguments.h"

#include "core/io/printable.h"
#include "core/machine/gpus.h"
#include "core/model/dispatch.h"
#include "core/model/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tilewalk {
namespace {

constexpr std::array<std::pair<std::string_view, Backend>, kBackendCount> kBackends{{{"cudnn", Backend::Cudnn},
                                                                                     {"fa1", Backend::Fa1},
                                                                                     {"fa2", Backend::Fa2},
                                                                                     {"fa3", Backend::Fa3},
                                                                                     {"fa4", Backend::Fa4},
                                                                                     {"efficient", Backend::Efficient},
                                                                                     {"split-k", Backend::TritonSplitK},
                                                                                     {"flex", Backend::Flex},
                                                                                     {"math", Backend::Math}}};
constexpr std::array<std::pair<std::string_view, EntryPoint>, kEntryPointCount> kEntries{
    {{"sdpa", EntryPoint::Sdpa},
     {"flash-attn", EntryPoint::FlashAttn},
     {"flash-attn-interface", EntryPoint::FlashInterface},
     {"flash-attn-cute", EntryPoint::FlashCute},
     {"xformers", EntryPoint::Xformers},
     {"hf-eager", EntryPoint::HfEager},
     {"hf-sdpa", EntryPoint::HfSdpa},
     {"hf-fa2", EntryPoint::HfFlash2},
     {"hf-fa3", EntryPoint::HfFlash3},
     {"hf-fa4", EntryPoint::HfFlash4},
     {"hf-flex", EntryPoint::HfFlex}}};
constexpr std::array<std::string_view, 4> kDtypes{"fp16", "bf16", "fp32", "fp8"};
constexpr std::array<std::string_view, 4> kMasks{"none", "causal", "bool", "float"};

template <class Table>
auto named(Arguments& a, const Table& table, std::string_view word, std::string_view what) {
  for (const auto& [name, value] : table)
    if (name == word) return value;
  a.fail(fmt::format("{} is no {}.", in_quotes(word, 40), what));
  return table[0].second;
}

size_t place(Arguments& a, const std::array<std::string_view, 4>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found != words.end()) return size_t(found - words.begin());
  a.fail(fmt::format("{} is none of {}.", in_quotes(word, 40), fmt::join(words, ", ")));
  return 0;
}

AttentionCall call_asked(Arguments& a, std::string_view entry) {
  constexpr int64_t most = int64_t{1} << 40;
  AttentionCall call;
  call.entry = named(a, kEntries, entry, "entry point");
  call.torch = a.word("torch", "2.11");
  if (!torch_release(call.torch))
    a.fail(fmt::format("{} is no PyTorch release that is known here.", in_quotes(call.torch, 40)));
  const std::string_view gpu = a.word("gpu", "h100");
  if (const GpuSpec* spec = gpu_named(gpu))
    call.cc = spec->cc;
  else
    a.fail(fmt::format("{} is no GPU of the catalogue.", in_quotes(gpu, 40)));
  call.dtype = CallDtype(place(a, kDtypes, a.word("dtype", "fp16")));
  call.mask = CallMask(place(a, kMasks, a.word("mask", "none")));
  call.d = a.whole("d", 128, 1, 4096);
  call.d_v = a.whole("dv", 0, 0, 4096);
  call.n_q = a.whole("Nq", call.n_q, 1, most);
  call.n_k = a.whole("Nk", call.n_k, 1, most);
  call.kv_heads = a.whole("kv", 0, 0, call.heads);
  call.dropout = a.number("dropout", 0);
  call.grad = a.number("grad", 0) != 0;
  return call;
}

Evaluated picks(std::span<const Argument> all) {
  Arguments a(all);
  const std::string_view wanted = a.word(0);
  const AttentionCall call = call_asked(a, a.word(1));
  const bool nothing = wanted == "nothing";
  const Backend backend = nothing ? Backend::Math : named(a, kBackends, wanted, "back end");
  if (a.failed()) return failed(a.fault);
  const Dispatch result = dispatch(call);
  const bool yes = nothing ? !result.winner : result.winner == backend;
  return whole_quantity(yes, "",
                        fmt::format("{}, PyTorch {}: {}", title_of(call.entry), call.torch,
                                    result.winner ? title_of(*result.winner) : "nothing runs"));
}

Evaluated relatives(std::span<const Argument> all) {
  Arguments a(all);
  FamilyFilter filter;
  filter.cc = int(a.number("cc", 0) * 10 + 0.5);
  filter.year = int(a.whole("year", 9999, 0, 9999));
  filter.exact = a.number("exact", 0) != 0;
  filter.training = a.number("training", 0) != 0;
  filter.decode = a.number("decode", 0) != 0;
  if (a.failed()) return failed(a.fault);
  const auto count = std::ranges::count_if(family(), [&](const FamilyMember& m) { return passes(m, filter); });
  return whole_quantity(double(count), "", "counted in lessons/data/family.toml");
}

constexpr QuantityFunction kDispatchFunctions[] = {
    {"picks", "BACKEND, ENTRY, torch=WORD, gpu=WORD, dtype=WORD, d=, dv=, mask=WORD, Nq=, Nk=, kv=, dropout=, grad=",
     "1 where the call runs this back end (cudnn, fa1, fa2, fa3, fa4, efficient, split-k, flex, math, nothing). Entry "
     "points: sdpa, flash-attn, flash-attn-interface, flash-attn-cute, xformers, hf-eager, hf-sdpa, hf-fa2 and on; "
     "torch='2.11', gpu=h100, fp16 and d = 128 unless given.",
     picks},
    {"relatives", "cc=, year=, exact=, training=, decode=",
     "Members of the family tree that run on a compute capability, were there by a year, are exact, train, decode.",
     relatives},
};

}  // namespace

std::span<const QuantityFunction> dispatch_functions() { return kDispatchFunctions; }

}  // namespace tilewalk
