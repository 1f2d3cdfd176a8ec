// The dispatch simulator: what was measured on an H200, what the sources say, and that every back end that does not run
// has its reason.
#include "core/model/dispatch.h"

#include "core/machine/gpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tilewalk::test_dispatch {

namespace {

AttentionCall on(const char* gpu) {
  AttentionCall call;
  const GpuSpec* spec = gpu_named(gpu);
  REQUIRE(spec);
  call.cc = spec->cc;
  return call;
}

AttentionCall with(AttentionCall call, auto change) {
  change(call);
  return call;
}

std::optional<Backend> winner(const AttentionCall& call) { return dispatch(call).winner; }

std::string reason(const AttentionCall& call, Backend backend) {
  const Dispatch result = dispatch(call);
  for (const Candidate& candidate : result.tried)
    if (candidate.backend == backend) return candidate.reason;
  return "not listed";
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what an H200 picked with PyTorch 2.11") {
  const AttentionCall call = on("h200");
  const auto picks = [&](Backend backend, const char* kernel, auto change) {
    const Dispatch result = dispatch(with(call, change));
    REQUIRE(result.winner);
    CHECK(*result.winner == backend);
    CAPTURE(result.kernel);
    CHECK(contains(result.kernel, kernel));
  };
  const char* wgmma = "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma";
  picks(Backend::Cudnn, wgmma, [](AttentionCall&) {});
  picks(Backend::Cudnn, wgmma, [](AttentionCall& c) { c.mask = CallMask::Causal; });
  picks(Backend::Cudnn, wgmma, [](AttentionCall& c) { c.mask = CallMask::Bool; });
  picks(Backend::Cudnn, wgmma, [](AttentionCall& c) { c.d = 192; });
  picks(Backend::Cudnn, wgmma, [](AttentionCall& c) { c.d = 256; });
  picks(Backend::Cudnn, wgmma, [](AttentionCall& c) { c.kv_heads = 4; });
  picks(Backend::Cudnn, "sm80_flash_fprop_wmma", [](AttentionCall& c) { c.n_q = 1; });
  picks(Backend::Efficient, "fmha_cutlassF_f32_", [](AttentionCall& c) { c.dtype = CallDtype::Fp32; });
  picks(Backend::Efficient, "32x128_gmem", [](AttentionCall& c) { c.d = 264; });
  picks(Backend::Fa2, "pytorch_flash::flash_fwd_kernel", [](AttentionCall& c) { c.d = 100; });
  picks(Backend::Fa2, "Flash_fwd_kernel_traits<128, 128, 64, 4", [](AttentionCall& c) { c.only = Backend::Fa2; });
  picks(Backend::Fa2, "flash_fwd_splitkv_kernel", [](AttentionCall& c) { c.only = Backend::Fa2, c.n_q = 1; });
  picks(Backend::Efficient, "f16_aligned_64x128_rf_sm80", [](AttentionCall& c) { c.only = Backend::Efficient; });

  const Dispatch odd = dispatch(with(call, [](AttentionCall& c) { c.d = 100; }));
  REQUIRE(!odd.notes.empty());
  CHECK(contains(odd.notes[0], "100 to 104"));
  CHECK(odd.op == "aten::_scaled_dot_product_flash_attention");
}

TEST_CASE("the names that a profiler shows, by kernel and by PyTorch's operator") {
  struct Row {
    const char* gpu;
    EntryPoint entry;
    std::optional<Backend> only;
    int64_t d, n_q;
    CallDtype dtype;
    Backend runs;
    std::vector<const char*> fragments;
    const char* op;  // empty: not PyTorch's
  };
  using enum Backend;
  const auto half = CallDtype::Fp16;
  const auto sdpa = EntryPoint::Sdpa;
  const char* flash = "aten::_scaled_dot_product_flash_attention";
  const char* efficient = "aten::_scaled_dot_product_efficient_attention";
  const char* cudnn = "aten::_scaled_dot_product_cudnn_attention";
  const char* math = "aten::_scaled_dot_product_attention_math";
  const std::vector<Row> rows{
      {"h200",
       sdpa,
       Fa2,
       128,
       4096,
       half,
       Fa2,
       {"pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4"},
       flash},
      {"a100-80",
       sdpa,
       {},
       64,
       4096,
       half,
       Fa2,
       {"pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4"},
       flash},
      {"h200", sdpa, Fa2, 128, 1, half, Fa2, {"pytorch_flash::flash_fwd_splitkv_kernel", "_combine_kernel"}, flash},
      {"h200", EntryPoint::FlashAttn, {}, 128, 4096, half, Fa2, {"flash::flash_fwd_kernel<"}, ""},
      {"h200", EntryPoint::HfFlash2, {}, 128, 4096, half, Fa2, {"flash::flash_fwd_kernel<"}, ""},
      {"h200",
       EntryPoint::FlashInterface,
       {},
       128,
       4096,
       half,
       Fa3,
       {"cutlass::device_kernel<flash::enable_sm90", "flash::FlashAttnFwdSm90<"},
       ""},
      {"b200", EntryPoint::FlashCute, {}, 128, 4096, half, Fa4, {"flash_attncute"}, ""},
      {"h200", sdpa, {}, 128, 4096, half, Cudnn, {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma"}, cudnn},
      {"h200", sdpa, {}, 128, 1, half, Cudnn, {"sm80_flash_fprop_wmma", "lean_reduction_kernel"}, cudnn},
      {"h200", sdpa, Efficient, 128, 4096, half, Efficient, {"fmha_cutlassF_f16_aligned_64x128_rf_sm80"}, efficient},
      {"h200", sdpa, {}, 128, 4096, CallDtype::Fp32, Efficient, {"fmha_cutlassF_f32_"}, efficient},
      {"h200", sdpa, {}, 264, 4096, half, Efficient, {"32x128_gmem"}, efficient},
      {"h200",
       sdpa,
       Math,
       128,
       4096,
       half,
       Math,
       {"product (gemm)", "softmax_warp_forward", "cunn_SoftMaxForward"},
       math},
      {"h200", sdpa, Math, 128, 1, half, Math, {"gemvx"}, math},
  };
  for (const Row& row : rows) {
    AttentionCall call = on(row.gpu);
    call.entry = row.entry, call.only = row.only, call.d = row.d, call.n_q = row.n_q, call.dtype = row.dtype;
    const Dispatch result = dispatch(call);
    CAPTURE(result.kernel);
    CHECK(result.winner == row.runs);
    for (const char* fragment : row.fragments) CHECK_MESSAGE(contains(result.kernel, fragment), fragment);
    CHECK(result.op == row.op);
    if (row.entry == EntryPoint::FlashAttn) CHECK(result.kernel.starts_with("flash::"));  // not PyTorch's copy
  }
}

TEST_CASE("where the chip is the reason, it is said, and the name says what runs") {
  CHECK(contains(reason(on("rtx4090"), Backend::Cudnn), "this is 8.9"));
  CHECK(contains(reason(on("a100-80"), Backend::Cudnn), "this is 8.0"));
  CHECK(contains(reason(with(on("h200"), [](auto& c) { c.only = Backend::Fa2; }), Backend::Cudnn), "sdpa_kernel"));
  CHECK(contains(reason(on("rtx4090"), Backend::Fa3), "9.0; this is 8.9"));
  CHECK(contains(reason(on("b200"), Backend::Fa3), "9.0; this is 10.0"));
  CHECK(contains(reason(on("h100"), Backend::Fa3), "Only when asked for"));
  const auto name = [](const char* gpu, EntryPoint entry) {
    return dispatch(with(on(gpu), [&](auto& c) { c.entry = entry; })).name;
  };
  CHECK(name("h100", EntryPoint::FlashInterface) == "FA3");
  CHECK(name("a100-80", EntryPoint::FlashInterface) == "plain FA3");
  CHECK(name("a100-80", EntryPoint::HfFlash3) == "plain FA3");
  CHECK(name("b200", EntryPoint::HfFlash3).empty());
  CHECK(name("a100-80", EntryPoint::Sdpa) == "FA2");
}

TEST_CASE("the questions of the lesson") {
  AttentionCall h100 = on("h100");
  h100.entry = EntryPoint::FlashAttn;
  CHECK(winner(h100) == Backend::Fa2);
  CHECK(contains(reason(h100, Backend::Fa3), "flash_attn_interface"));

  AttentionCall a100 = on("a100-80");
  CHECK(winner(a100) == Backend::Fa2);
  CHECK(winner(with(a100, [](auto& c) { c.dtype = CallDtype::Fp32; })) == Backend::Efficient);
  CHECK(winner(with(a100, [](auto& c) { c.mask = CallMask::Float; })) == Backend::Efficient);
  CHECK(winner(on("rtx4090")) == Backend::Fa2);
  CHECK(winner(on("b200")) == Backend::Cudnn);
  CHECK(winner(on("t4")) == Backend::Efficient);

  for (int entry = 0; entry < kEntryPointCount; ++entry)
    CHECK(contains(std::string(title_of(EntryPoint(entry))), "attn_implementation") ==
          (EntryPoint(entry) >= EntryPoint::HfEager));
  AttentionCall hf = on("a100-80");
  hf.entry = EntryPoint::HfSdpa;
  CHECK(winner(hf) == Backend::Fa2);
  CHECK(winner(with(hf, [](auto& c) { c.mask = CallMask::Bool; })) == Backend::Efficient);  // padding
  hf.entry = EntryPoint::HfFlash2;
  CHECK(winner(hf) == Backend::Fa2);
  hf.entry = EntryPoint::HfEager;
  CHECK(winner(hf) == Backend::Math);
  hf.entry = EntryPoint::HfFlash4;
  CHECK(!winner(hf));
}

TEST_CASE("FA4's package: forward from 8.0 to 12.1, backward from 9.0 on") {
  for (const int cc : {75, 80, 86, 89, 90, 100, 103, 110, 120, 121, 130}) {
    CAPTURE(cc);
    AttentionCall call = on("b200");
    call.entry = EntryPoint::FlashCute, call.cc = cc;
    const bool forward = cc >= 80 && cc <= 121;
    CHECK((winner(call) == Backend::Fa4) == forward);
    call.grad = true;
    CHECK((winner(call) == Backend::Fa4) == (forward && cc >= 90));
    call.grad = false, call.dtype = CallDtype::Fp8;
    CHECK((winner(call) == Backend::Fa4) == (cc / 10 == 10));
    call.dtype = CallDtype::Fp16, call.d = 256;
    CHECK((winner(call) == Backend::Fa4) == forward);
    call.d = 192;
    CHECK((winner(call) == Backend::Fa4) == (forward && cc / 10 != 10 && cc / 10 != 11));
    call.d_v = 128;
    CHECK((winner(call) == Backend::Fa4) == forward);
    call.entry = EntryPoint::HfFlash4, call.d = 128;
    CHECK((winner(call) == Backend::Fa4) == (forward && cc >= 90));
  }
  AttentionCall call = on("rtx4090");
  call.entry = EntryPoint::FlashCute;
  CHECK(dispatch(call).name == "plain FA4");
  CHECK(dispatch(with(call, [](auto& c) { c.cc = 100; })).name == "FA4");
}

TEST_CASE("releases: FA1, FA2, cuDNN first, last, and first again") {
  const auto on_h100 = [](const char* release) {
    return winner(with(on("h100"), [&](auto& c) { c.torch = release, c.d = 64, c.batch = 16; }));
  };
  CHECK(on_h100("2.1") == Backend::Fa1);
  CHECK(on_h100("2.2") == Backend::Fa2);
  CHECK(on_h100("2.5.0") == Backend::Cudnn);
  CHECK(on_h100("2.5.1") == Backend::Fa2);
  CHECK(on_h100("2.8") == Backend::Fa2);
  CHECK(on_h100("2.10") == Backend::Fa2);
  CHECK(on_h100("2.11") == Backend::Cudnn);
  CHECK(on_h100("main") == Backend::Cudnn);
  CHECK(on_h100("0.1") == Backend::Cudnn);  // not known: as 2.11
  CHECK(winner(with(on("h200"), [](auto& c) { c.cudnn_last = true; })) == Backend::Fa2);
  CHECK(winner(with(on("h200"), [](auto& c) { c.cudnn = 91500; })) == Backend::Fa2);
  CHECK(winner(with(on("h200"), [](auto& c) { c.cudnn = 91501; })) == Backend::Cudnn);

  // What was not checked against a wheel is said with the answer.
  const auto notes = [](const char* release) {
    return dispatch(with(on("h100"), [&](auto& c) { c.torch = release; })).notes;
  };
  const auto doubtful = [&](const char* release) {
    for (const std::string& note : notes(release))
      if (note.starts_with("Not checked: ")) return true;
    return false;
  };
  for (const char* release : {"2.5.0", "2.5.1", "2.8", "2.10", "main"}) CHECK_MESSAGE(doubtful(release), release);
  CHECK_FALSE(doubtful("2.11"));  // measured
  CHECK_FALSE(doubtful("2.2"));   // does not call cuDNN

  // 2.1: FA1 up to 128, on T4 too, trains only 64 on the small chips; large heads go to memory-efficient first.
  AttentionCall old = on("t4");
  old.torch = "2.1";
  old.d = 64;
  CHECK(winner(old) == Backend::Fa1);
  CHECK(winner(with(old, [](auto& c) { c.d = 128; })) == Backend::Efficient);
  CHECK(contains(reason(with(old, [](auto& c) { c.cc = 86, c.grad = true, c.d = 128; }), Backend::Fa1), "train"));
  CHECK(contains(reason(with(old, [](auto& c) { c.d = 136; }), Backend::Fa1), "up to 128"));
  CHECK(contains(reason(with(old, [](auto& c) { c.torch = "2.2"; }), Backend::Fa2), "8.0 to 9.0"));
  CHECK(contains(reason(with(on("b200"), [](auto& c) { c.torch = "2.5.1"; }), Backend::Fa2), "this is 10.0"));
}

TEST_CASE("what flash refuses, and who takes it") {
  const AttentionCall call = on("a100-80");
  const auto refuses = [&](std::string_view words, std::optional<Backend> next, auto change) {
    const AttentionCall changed = with(call, change);
    CAPTURE(words);
    CHECK(contains(reason(changed, Backend::Fa2), words));
    CHECK(winner(changed) == next);
  };
  refuses("attn_mask", Backend::Efficient, [](auto& c) { c.mask = CallMask::Bool; });
  refuses("attn_mask", Backend::Efficient, [](auto& c) { c.mask = CallMask::Float; });
  refuses("up to 256", Backend::Efficient, [](auto& c) { c.d = 264; });
  refuses("one head dimension", Backend::Efficient, [](auto& c) { c.d = 192, c.d_v = 128; });
  refuses("N_q ≠ N_k", Backend::Efficient, [](auto& c) { c.mask = CallMask::Causal, c.n_q = 128; });
  refuses("not fp32", Backend::Efficient, [](auto& c) { c.dtype = CallDtype::Fp32; });
  refuses("not fp8", std::nullopt, [](auto& c) { c.dtype = CallDtype::Fp8; });
  refuses("sdpa_kernel", Backend::Math, [](auto& c) { c.only = Backend::Math; });
  refuses("up to 256", Backend::Math, [](auto& c) { c.d = 260; });  // neither a multiple of 8

  const auto small = [&](int64_t d, double dropout) {
    return reason(with(on("rtx4090"), [&](auto& c) { c.grad = true, c.d = d, c.dropout = dropout; }), Backend::Fa2);
  };
  CHECK(small(192, 0).empty());
  CHECK(contains(small(200, 0), "does not train head dimension 200"));
  CHECK(small(232, 0).empty());
  CHECK(contains(small(232, 0.1), "with dropout"));
  CHECK(reason(with(call, [](auto& c) { c.grad = true, c.d = 200; }), Backend::Fa2).empty());
}

TEST_CASE("what cuDNN refuses on an H200") {
  const auto why = [](auto change) { return reason(with(on("h200"), change), Backend::Cudnn); };
  CHECK(contains(why([](auto& c) { c.deterministic = true; }), "deterministic"));
  CHECK(contains(why([](auto& c) { c.n_k = 1; }), "single key"));
  CHECK(contains(why([](auto& c) { c.d = 100; }), "multiples of 8"));
  CHECK(contains(why([](auto& c) { c.d = 264; }), "up to 256"));
  CHECK(contains(why([](auto& c) { c.batch = 65536; }), "65,535"));
  CHECK(contains(why([](auto& c) { c.cudnn = 91200, c.dropout = 0.125; }), "not asked for dropout"));
  CHECK(contains(why([](auto& c) { c.torch = "main", c.dropout = 0.1; }), "sixteenths"));
  CHECK(why([](auto& c) { c.torch = "main", c.dropout = 0.125; }).empty());
  CHECK(contains(why([](auto& c) { c.torch = "main", c.d = 192; }), "up to 128"));
  CHECK(why([](auto& c) { c.torch = "main", c.d = 192, c.d_v = 128; }).empty());
  CHECK(why([](auto& c) { c.torch = "main", c.d = 256, c.cudnn = 92300; }).empty());
  CHECK(contains(why([](auto& c) { c.n_q = 1, c.dropout = 0.5; }), "with dropout"));
  CHECK(contains(why([](auto& c) { c.torch = "2.5.0", c.n_q = 1; }), "single query"));
  CHECK(contains(reason(with(on("b200"), [](auto& c) { c.d = 256; }), Backend::Cudnn), "up to 128"));
  CHECK(reason(with(on("b200"), [](auto& c) { c.d = 192, c.d_v = 128; }), Backend::Cudnn).empty());
}

TEST_CASE("grouped heads: memory-efficient refuses them in releases, takes them in main") {
  AttentionCall call = on("a100-80");
  call.kv_heads = 4;
  CHECK(winner(call) == Backend::Fa2);
  call.mask = CallMask::Bool;
  CHECK(winner(call) == Backend::Math);  // on an A100 cuDNN stands behind math, which never refuses
  CHECK(contains(reason(call, Backend::Cudnn), "math is asked first"));
  call.torch = "main";
  CHECK(winner(call) == Backend::Efficient);
  call.torch = "2.2";
  CHECK(!winner(call));
  CHECK(contains(dispatch(call).error, "No available kernel"));
}

TEST_CASE("packages") {
  AttentionCall fa3 = on("h100");
  fa3.entry = EntryPoint::FlashInterface;
  CHECK(winner(fa3) == Backend::Fa3);
  CHECK(contains(dispatch(fa3).kernel, "FlashAttnFwdSm90"));
  fa3.dtype = CallDtype::Fp8;
  CHECK(winner(fa3) == Backend::Fa3);
  CHECK(!winner(with(fa3, [](auto& c) { c.grad = true; })));
  CHECK(!winner(with(on("h100"), [](auto& c) { c.entry = EntryPoint::FlashInterface, c.dropout = 0.1; })));
  CHECK(!winner(with(on("b200"), [](auto& c) { c.entry = EntryPoint::FlashInterface; })));
  const Dispatch ampere = dispatch(with(on("a100-80"), [](auto& c) { c.entry = EntryPoint::FlashInterface; }));
  CHECK(contains(ampere.kernel, "FlashAttnFwdSm80"));
  CHECK(contains(ampere.notes.at(0), "none of the overlap"));

  AttentionCall fa2 = on("t4");
  fa2.entry = EntryPoint::FlashAttn;
  CHECK(contains(reason(fa2, Backend::Fa2), "7.5"));
  CHECK(contains(dispatch(fa2).error, "no other kernel"));
  CHECK(winner(with(on("b200"), [](auto& c) { c.entry = EntryPoint::FlashCute; })) == Backend::Fa4);
  CHECK(contains(
      reason(with(on("h100"), [](auto& c) { c.entry = EntryPoint::FlashAttn, c.mask = CallMask::Bool; }), Backend::Fa2),
      "no mask argument"));

  AttentionCall x = on("h100");
  x.entry = EntryPoint::Xformers;
  CHECK(winner(x) == Backend::Fa3);
  CHECK(winner(with(x, [](auto& c) { c.dtype = CallDtype::Fp32; })) == Backend::Efficient);
  CHECK(winner(with(x, [](auto& c) { c.mask = CallMask::Float; })) == Backend::Efficient);
  CHECK(winner(with(x, [](auto& c) { c.dropout = 0.1; })) == Backend::Fa2);
  CHECK(winner(with(x, [](auto& c) { c.cc = 100; })) == Backend::Fa2);
  CHECK(!winner(with(x, [](auto& c) { c.cc = 100, c.dtype = CallDtype::Fp32; })));
  CHECK(!winner(with(x, [](auto& c) { c.cc = 70; })));
  const Dispatch decode = dispatch(with(x, [](auto& c) { c.n_q = 1, c.batch = 1, c.heads = 32, c.kv_heads = 8; }));
  CHECK(decode.winner == Backend::Fa2);
  CHECK(decode.tried[1].backend == Backend::TritonSplitK);
}

TEST_CASE("every call has one winner or an error, and a reason for every other") {
  size_t calls = 0;
  for (int entry = 0; entry < kEntryPointCount; ++entry)
    for (const TorchRelease& release : torch_releases())
      for (const GpuSpec& gpu : gpus())
        for (int dtype = 0; dtype < 4; ++dtype)
          for (int mask = 0; mask < 4; ++mask)
            for (int64_t d : {64, 100, 128, 192, 256, 264})
              for (int shape = 0; shape < 4; ++shape) {
                AttentionCall call;
                call.entry = EntryPoint(entry);
                call.torch = release.id;
                call.cc = gpu.cc;
                call.dtype = CallDtype(dtype);
                call.mask = CallMask(mask);
                call.d = d;
                call.n_q = shape == 1 ? 1 : 4096;
                call.grad = shape == 2;
                call.kv_heads = shape == 3 ? 4 : 0;
                const Dispatch result = dispatch(call);
                ++calls;
                bool fine = result.winner.has_value() == result.error.empty() &&
                            result.winner.has_value() != result.kernel.empty() && result.asked <= result.tried.size();
                for (const Candidate& candidate : result.tried) {
                  fine &= (result.winner == candidate.backend) == candidate.reason.empty();
                  fine &= candidate.reason.empty() || candidate.reason.ends_with('.');
                  fine &= std::ranges::count(result.tried, candidate.backend, &Candidate::backend) == 1;
                }
                if (!fine) {
                  CAPTURE(title_of(call.entry));
                  CAPTURE(release.id);
                  CAPTURE(gpu.id);
                  FAIL_CHECK(name_of(call.dtype), " ", name_of(call.mask), " ", d, " shape ", shape);
                }
              }
  CHECK(calls > 400000);
}

}  // namespace tilewalk::test_dispatch
