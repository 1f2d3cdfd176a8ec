// The numbers that lessons name, against the papers' and the worked ones. Bytes are of one head in fp16.
#include "core/lesson/functions/arguments.h"
#include "core/quantity/quantity.h"

#include "core/io/embedded.h"
#include "core/run/run_json.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tilewalk::test_quantities {

namespace {

Quantity quantity(const std::string& text) {
  CAPTURE(text);
  const Evaluated result = evaluate(text);
  if (!result.quantity) FAIL_CHECK(result.fault);
  return result.quantity.value_or(Quantity{});
}
double value(const std::string& text) { return quantity(text).value; }
std::string shown(const std::string& text, std::string_view format) {
  return format_quantity(quantity(text), format).value_or("no such format");
}
std::string fault(const std::string& text) {
  const Evaluated result = evaluate(text);
  CHECK_FALSE(result.quantity);
  return result.fault;
}

}  // namespace

TEST_CASE("traffic of the forward pass, with the tiles of the paper and of the kernels") {
  CHECK(value("traffic(standard, N=1024, d=64)") == 8'912'896);
  CHECK(value("traffic(standard, N=2048, d=128)") == 35'651'584);
  CHECK(value("traffic(standard, N=4096, d=64)") == 136'314'880);
  CHECK(value("traffic(standard, N=4096, d=128)") == 138'412'032);
  CHECK(value("traffic(standard, N=131072, d=128)") == 137'573'171'200);
  CHECK(value("traffic(fa1, N=1024, d=64)") == 1'490'944);
  CHECK(value("traffic(fa1, N=2048, d=128)") == 18'710'528);
  CHECK(value("traffic(fa1, N=2048, d=128, init=1)") == 18'710'528 + 540'672);
  CHECK(value("traffic(fa1, N=4096, d=64)") == 19'070'976);
  CHECK(value("traffic(fa1, N=4096, d=128)") == 72'744'960);
  CHECK(value("traffic(fa1, N=131072, d=128)") == 70'252'494'848);
  CHECK(value("traffic(fa1, N=1024, d=64, Bc=256)") == 1'900'544);
  CHECK(value("traffic(fa1, N=2048, d=128, Bc=128)") == 26'738'688);
  CHECK(value("traffic(fa1, N=4096, d=64, Bc=256)") == 27'262'976);
  CHECK(value("traffic(fa2, N=1024, d=64)") == 2'363'392);
  CHECK(value("traffic(fa2, N=2048, d=128)") == 17'833'984);
  CHECK(value("traffic(fa2, N=4096, d=64)") == 34'619'392);
  CHECK(value("traffic(fa2, N=4096, d=128)") == 69'222'400);
  CHECK(value("traffic(fa2, N=131072, d=128)") == 68'787'109'888);
  CHECK(value("traffic(fa2, N=2048, d=128, mask=causal)") == 9'969'664);
  CHECK(value("traffic(fa2, N=4096, d=64, mask=causal)") == 18'366'464);
  CHECK(value("traffic(fa2, N=4096, d=128, mask=causal)") == 36'716'544);
  CHECK(value("traffic(fa2, N=131072, d=128, mask=causal)") == 34'460'925'952);
  CHECK(value("traffic(fa3, N=2048, d=128, mask=causal)") == 9'969'664);
  CHECK(value("traffic(fa3, N=4096, d=64, mask=causal)") == 13'647'872);
  CHECK(value("compulsory(N=1024, d=64)") == 528'384);
  CHECK(value("compulsory(N=2048, d=128)") == 2'105'344);
  CHECK(value("compulsory(N=4096, d=64)") == 2'113'536);
  CHECK(value("compulsory(N=4096, d=128)") == 4'210'688);
  CHECK(value("compulsory(N=131072, d=128)") == 134'742'016);
  CHECK(value("traffic(fa2, N=4096, d=128, B=4, H=16)") == 64 * 69'222'400.0);
  CHECK(value("loads(fa2, N=4096, d=128, B=4, H=16, variant=kernel)") == 4'362'076'160);
  CHECK(value("loads(fa2, N=4096, d=128) + stores(fa2, N=4096, d=128)") == 69'222'400);
  CHECK(value("tile_traffic(fa2, N=4096, d=128)") == 69'222'400);
  CHECK(value("tile_traffic(standard, N=4096, d=64)") > value("traffic(standard, N=4096, d=64)"));
  CHECK(value("moved(standard, S, N=4096, d=64) + moved(standard, P, N=4096, d=64)") == 134'217'728);
  CHECK(quantity("traffic(fa2, N=1024, d=64)").unit == "byte");
  CHECK(quantity("traffic(fa2, N=1024, d=64)").origin == Origin::Computed);
  // FA1 reads Q and O once for every K/V tile, FA2 once.
  CHECK(shown("traffic(standard, N=4096, d=64) / traffic(fa1, N=4096, d=64)", "digits:2") == "7.15");
  CHECK(shown("traffic(standard, N=4096, d=64) / traffic(fa2, N=4096, d=64)", "digits:2") == "3.94");
  CHECK(value("traffic(fa2, N=4096, d=64, Bc=64) == traffic(fa2, N=4096, d=64, Bc=128)") == 1);
}

TEST_CASE("traffic of the backward pass") {
  CHECK(value("traffic(standard-backward, N=4096, d=128)") == 243'269'632);
  CHECK(value("traffic(fa1-backward, N=4096, d=128)") == 120'258'560);
  CHECK(value("traffic(fa1-backward, N=4096, d=128, init=1)") == 120'258'560 + 3'145'728);
  CHECK(value("traffic(fa2-backward, N=4096, d=128)") == 146'817'024);
  CHECK(value("compulsory(N=4096, d=128, pass=backward)") == 8'404'992);
  CHECK(value("traffic(standard-backward, N=4096, d=64)") == 239'075'328);
  CHECK(value("traffic(fa1-backward, N=4096, d=64)") == 31'293'440);
  CHECK(value("traffic(fa2-backward, N=4096, d=64)") == 73'940'992);
  CHECK(value("compulsory(N=4096, d=64, pass=backward)") == 4'210'688);
  CHECK(value("traffic(standard-backward, N=2048, d=128)") == 62'914'560);
  CHECK(value("traffic(fa1-backward, N=2048, d=128)") == 31'113'216);
  CHECK(value("traffic(fa2-backward, N=2048, d=128)") == 39'591'936);
  CHECK(value("compulsory(N=2048, d=128, pass=backward)") == 4'202'496);
  CHECK(value("matrix_flop(fa2-backward, N=4096, d=128) / matrix_flop(standard-backward, N=4096, d=128)") == 1.25);
}

TEST_CASE("whole tensors") {
  CHECK(shown("mem(S, N=131072)", "binary") == "32 GiB");
  CHECK(shown("mem(Q, N=131072, d=128)", "binary") == "32 MiB");
  CHECK(value("mem(L, N=131072)") == 512 * 1024);
  CHECK(shown("mem(S, N=32768)", "binary") == "2 GiB");
  CHECK(shown("mem(S, N=32768, H=32)", "binary") == "64 GiB");
  CHECK(shown("mem(S, N=32768, H=32) + mem(P, N=32768, H=32)", "binary") == "128 GiB");
  CHECK(shown("mem(L, N=32768, H=32)", "binary") == "4 MiB");
  CHECK(shown("mem(S, N=2048)", "binary") == "8 MiB");
  CHECK(value("mem(P, N=4096)") == 33'554'432);
  CHECK(value("mem(O, N=4096, d=128) + mem(L, N=4096)") == 1'064'960);
}

TEST_CASE("FLOP, exponentials and intensity") {
  CHECK(shown("flop(N=2048, d=128)", "") == "2.15 GFLOP");
  CHECK(shown("flop(N=2048, d=128, pass=backward) / 1e9", "digits:3") == "5.369");
  CHECK(shown("flop(N=4096, d=64) / 1e9", "digits:3") == "4.295");
  CHECK(shown("flop(N=4096, d=128) / 1e9", "digits:3") == "8.590");
  CHECK(shown("flop(N=131072, d=128) / 1e12", "digits:3") == "8.796");
  CHECK(value("flop(N=4096, d=64, mask=causal)") == value("flop(N=4096, d=64) / 2"));
  CHECK(value("matrix_flop(fa2, N=4096, d=64, mask=causal)") == 528.0 * 4 * 128 * 128 * 64);
  CHECK(shown("intensity(standard, N=4096, d=64)", "digits:1") == "31.5");
  CHECK(shown("intensity(standard, N=2048, d=128)", "digits:1") == "60.2");
  CHECK(shown("intensity(standard, N=4096, d=128)", "digits:1") == "62.1");
  CHECK(value("exps(standard, N=4096, d=64)") == 4096.0 * 4096);
  CHECK(value("exps(fa2, N=4096, d=128)") == 4096.0 * (4096 + 64));
  // An exponential takes 256 / 4d of the matrix products' time on an H100.
  CHECK(shown("4096 ^ 2 / gpu(h100, exp_rate) / (flop(N=4096, d=128) / gpu(h100, tensor_rate))", "digits:2") == "0.50");
  CHECK(value("moved(fa2, O, N=4096, d=64)") == 2.0 * 4096 * 64);
}

TEST_CASE("tiles and thread blocks") {
  CHECK(value("tiles(all, N=4096, Br=128, Bc=128, mask=causal)") == 1024);
  CHECK(value("tiles(visited, N=4096, Br=128, Bc=128, mask=causal)") == 528);
  CHECK(value("tiles(masked, N=4096, Br=128, Bc=128, mask=causal)") == 32);
  CHECK(value("tiles(full, N=4096, Br=128, Bc=128, mask=causal)") == 496);
  CHECK(value("tiles(skipped, N=4096, Br=128, Bc=128, mask=causal)") == 496);
  CHECK(value("tiles(visited, N=4096, Br=128, Bc=64, mask=causal)") == 1056);
  CHECK(value("tiles(all, N=4096, Br=128, Bc=64, mask=causal)") == 2048);
  CHECK(value("tiles(masked, N=4096, Br=128, Bc=64, mask=causal)") == 64);
  CHECK(value("tiles(visited, N=2048, Br=128, Bc=64, mask=causal)") == 272);
  CHECK(value("tiles(masked, N=2048, Br=128, Bc=64, mask=causal)") == 32);
  CHECK(value("tiles(visited, N=1024, Br=128, Bc=128, mask=causal)") == 36);
  CHECK(value("tiles(masked, N=1024, Br=128, Bc=128, mask=causal)") == 8);
  for (const char* kind : {"masked", "full", "skipped"})
    CHECK(value(fmt::format("tiles({}, N=12, Br=4, Bc=4, mask=causal)", kind)) == 3);
  CHECK(value("tiles(visited, N=1024, Br=128, Bc=128)") == 64);
  CHECK(value("tiles(masked, N=100, Br=32, Bc=32)") == 0);
  CHECK(value("tiles(visible, N=4096, Br=128, Bc=128, mask=causal)") == 4096.0 * 4097 / 2);
  const std::string waste =
      "tiles(cells, N={0}, Br=128, Bc=128, mask=causal) / tiles(visible, N={0}, Br=128, Bc=128, mask=causal) - 1";
  CHECK(shown(fmt::format(fmt::runtime(waste), 4096), "percent") == "3.10 %");
  CHECK(shown(fmt::format(fmt::runtime(waste), 1024), "percent") == "12.4 %");
  CHECK(value("blocks(fa1, N=16384, B=1, H=16)") == 16);
  CHECK(value("blocks(fa2, N=4096, Br=128, B=1, H=16)") == 512);
  CHECK(value("blocks(fa2-backward, N=4096, Br=64, H=16)") == 512);
}

TEST_CASE("tile counts agree with the tiling, one by one") {
  for (const int64_t n_q : {1, 7, 12, 16, 33})
    for (const int64_t n_k : {1, 5, 12, 16, 40})
      for (const int64_t br : {1, 3, 4, 8})
        for (const int64_t bc : {1, 2, 4, 7}) {
          for (const char* mask : {"full", "causal"}) {
            Problem p{.n_q = n_q, .n_k = n_k, .br = br, .bc = bc, .mask = *mask_named(mask)};
            const Tiling t(p);
            int64_t kinds[3] = {}, visible = 0;
            for (int64_t i = 0; i < t.tr; ++i)
              for (int64_t j = 0; j < t.tc; ++j) ++kinds[int(t.kind(i, j))];
            for (int64_t r = 0; r < n_q; ++r)
              for (int64_t c = 0; c < n_k; ++c) visible += t.visible(r, c);
            const std::string rest = fmt::format(", Nq={}, Nk={}, Br={}, Bc={}, mask={})", n_q, n_k, br, bc, mask);
            CAPTURE(rest);
            CHECK(value("tiles(skipped" + rest) == double(kinds[0]));
            CHECK(value("tiles(masked" + rest) == double(kinds[1]));
            CHECK(value("tiles(full" + rest) == double(kinds[2]));
            CHECK(value("tiles(visible" + rest) == double(visible));
          }
        }
}

TEST_CASE("what a thread block holds") {
  CHECK(value("smem(fa2, N=4096, Br=128, Bc=64, d=128)") == 65'536);
  CHECK(value("smem(fa2, N=4096, Br=128, Bc=128, d=64)") == 48 * 1024);
  CHECK(value("smem(fa2, N=4096, Br=256, Bc=256, d=128)") == 192 * 1024);
  CHECK(value("smem(fa2, N=4096, Br=256, Bc=256, d=128) > gpu(a100-80, smem_per_block)") == 1);
  CHECK(value("smem(fa3, N=4096, Br=128, Bc=176, d=128)") == 208 * 1024);
  CHECK(value("accumulators(Br=128, Bc=64, d=128)") == 64 + 128);
  CHECK(value("accumulators(Br=128, Bc=128, d=64)") == 128 + 64);
  CHECK(value("accumulators(Br=256, Bc=64, d=64)") == 256);
  CHECK(value("registers(fa2, N=4096, Br=128, Bc=64, d=128) >= 128 * (64 + 128) * 4") == 1);
  CHECK(value("fa1_tiles(Bc, d=64)") == 384);
  CHECK(value("fa1_tiles(Br, d=64)") == 64);
  CHECK(value("fa1_tiles(Bc, d=128)") == 192);
  CHECK(value("fa1_tiles(Br, d=128)") == 128);
  CHECK(value("fa1_tiles(Bc, d=256)") == 96);
  CHECK(value("fa1_tiles(Br, d=256)") == 96);
  CHECK(value("machine(paper, sram_bytes)") == 192 * 1024);
  // The largest N whose S fits in one thread block of an A100.
  CHECK(value("floor(sqrt(gpu(a100-80, smem_per_block) / 2))") == 288);
  CHECK(fault("accumulators(Br=0)") == "accumulators: Br is 0; it must be a whole number from 1 to 1024.");
}

TEST_CASE("rooflines") {
  CHECK(shown("gpu(a100-80, ridge)", "digits:0") == "153");
  CHECK(shown("gpu(h100, ridge)", "digits:0") == "295");
  CHECK(shown("gpu(h200, ridge)", "digits:0") == "206");
  CHECK(shown("gpu(a100-40, sram_rate) / 1e12", "digits:2") == "19.49");
  CHECK(shown("gpu(a100-80, sram_rate) / gpu(a100-80, dram_rate)", "digits:1") == "9.6");
  CHECK(shown("traffic(standard, N=4096, d=64) / gpu(a100-80, dram_rate)", "") == "66.9 µs");
  CHECK(shown("flop(N=4096, d=64) / gpu(a100-80, tensor_rate)", "time") == "13.8 µs");
  CHECK(shown("4096^2 / gpu(a100-80, exp_rate)", "time") == "6.89 µs");
  CHECK(shown("compulsory(N=4096, d=64) / gpu(a100-80, dram_rate)", "time") == "1.04 µs");
  CHECK(shown("traffic(standard, N=4096, d=128) / gpu(h100, dram_rate)", "time") == "41.3 µs");
  CHECK(shown("flop(N=4096, d=128) / gpu(h100, tensor_rate)", "time") == "8.68 µs");
  CHECK(shown("2 * gpu(a100-80, ridge) / 64", "ratio") == "4.8×");
  CHECK(shown("2 * 0.6 * gpu(a100-80, ridge) / 128", "digits:2") == "1.43");
  CHECK(shown("2 * gpu(h100, ridge)", "digits:0") == "591");
  CHECK(shown("2 * gpu(a100-80, ridge)", "digits:0") == "306");
  CHECK(quantity("gpu(a100-80, dram_rate)").origin == Origin::Published);
  CHECK(quantity("gpu(a100-80, dram_rate)").source.find("datasheet") != std::string::npos);
  CHECK(quantity("gpu(h200, dram_bytes)").source.find("as many bytes as its driver reports") != std::string::npos);
  CHECK(quantity("traffic(standard, N=4096, d=64) / gpu(a100-80, dram_rate)").origin == Origin::Model);
  CHECK(quantity("dram(fa2, N=1024, d=64)").origin == Origin::Model);
  CHECK(value("dram(fa2, N=1024, d=64)") == 528'384);
  CHECK(fault("gpu(a200, ridge)").starts_with("gpu: \"a200\" is no GPU of the catalogue; there are v100, "));
  CHECK(fault("gpu(h100, speed)").starts_with("gpu: \"speed\" is no field of a GPU; there are tensor_rate, "));
  CHECK(fault("gpu(a100-80, fp8_rate)").ends_with("has no fp8."));
}

TEST_CASE("one row on paper, out of the simulator") {
  const auto at = [](std::string_view what, std::string_view where, std::string_view more = "") {
    return shown(fmt::format("walk(micro, {}, at='{}'{})", what, where, more), "digits:6");
  };
  CHECK(at("m", "row max of K tile 1") == "2.000000");
  CHECK(at("l", "row sum of K tile 1") == "1.367879");
  CHECK(at("o2", "accumulate of K tile 1") == "0.367879");
  CHECK(at("m", "row max of K tile 2") == "4.000000");
  CHECK(at("alpha", "row max of K tile 2") == "0.135335");
  CHECK(at("p2", "exponentiate of K tile 2") == "0.367879");
  CHECK(at("l", "row sum of K tile 2") == "1.553002");
  CHECK(at("o1", "accumulate of K tile 2") == "1.871094");
  CHECK(at("o2", "accumulate of K tile 2") == "1.049787");
  CHECK(shown("walk(micro, o1)", "digits:6") == "1.204824");
  CHECK(shown("walk(micro, o2)", "digits:6") == "0.675973");
  CHECK(shown("walk(micro, L)", "digits:6") == "4.440190");
  CHECK(at("o1", "normalize of K tile 1", ", schedule=fa1") == "0.731059");
  CHECK(at("o2", "normalize of K tile 1", ", schedule=fa1") == "0.268941");
  CHECK(shown("walk(micro, o1, schedule=fa1)", "digits:6") == "1.204824");
  CHECK(shown("walk(micro, p1, schedule=standard)", "digits:6") == "0.643914");
  CHECK(shown("walk(micro, l, at='row sum of K tile 2', fault=no-rescale)", "digits:6") == "2.735759");
  CHECK(shown("walk(micro, o1, fault=no-rescale)", "digits:6") == "1.000000");
  CHECK(shown("walk(micro, o2, fault=no-rescale)", "digits:6") == "0.500000");
  CHECK(shown("walk(micro, o1, fault=no-rescale-o)", "digits:6") == "1.761594");
  CHECK(shown("walk(micro, o2, fault=no-rescale-o)", "digits:6") == "0.880797");
  // Whatever row is asked for, the step is one of its own tile.
  CHECK(value("walk(toy, l, at='last row sum', row=1)") != value("walk(toy, l, at='last row sum', row=16)"));
  CHECK(fault("walk(micro, m, at='first rescale of K tile 9')") ==
        "walk: no step of this walk is \"first rescale of K tile 9\".");
  CHECK(fault("walk(micro, m, at='nonsense')").starts_with("walk: \"nonsense\" names no step."));
  CHECK(fault("walk(micro, o3)").starts_with("walk: \"o3\" has no value there"));
  CHECK(fault("walk(micro, m, N=8)") == "walk: N, d and seed cannot be chosen: the numbers of micro are written down.");
  CHECK(fault("walk(toy, m, row=17)") == "walk: row is 17; it must be a whole number from 1 to 16.");
}

TEST_CASE("the backward pass of one row on paper, and the merge of its halves") {
  const auto at = [](std::string_view what, std::string_view where) {
    return shown(fmt::format("walk(micro, {}, at='{}', schedule=fa2-backward)", what, where), "digits:6");
  };
  CHECK(at("D", "first dot O") == "1.204824");
  CHECK(at("dp1", "gradient P of K tile 1") == "1.000000");
  CHECK(at("dp2", "gradient P of K tile 2") == "2.000000");
  CHECK(at("ds1", "gradient S of K tile 1") == "−0.017849");
  CHECK(at("ds2", "gradient S of K tile 1") == "−0.038625");
  CHECK(at("ds1", "gradient S of K tile 2") == "−0.131889");
  CHECK(at("ds2", "gradient S of K tile 2") == "0.188363");
  const std::string l1 = "(walk(micro, m, at='row max of K tile 1') + log(walk(micro, l, at='row sum of K tile 1')))";
  CHECK(shown(l1, "digits:6") == "2.313262");
  CHECK(shown("exp(" + l1 + " - walk(micro, L))", "digits:6") == "0.119203");
  CHECK(shown("1 - exp(" + l1 + " - walk(micro, L))", "digits:6") == "0.880797");
}

TEST_CASE("which kernel a call runs") {
  CHECK(value("picks(fa2, flash-attn, gpu=h100)") == 1);
  CHECK(value("picks(efficient, sdpa, gpu=a100-80, dtype=fp32)") == 1);
  CHECK(value("picks(efficient, sdpa, gpu=a100-80, mask=float)") == 1);
  CHECK(value("picks(fa2, sdpa, gpu=a100-80, mask=float)") == 0);
  CHECK(value("picks(cudnn, sdpa, torch='2.11', gpu=h200)") == 1);
}

TEST_CASE("recordings are read from the files that come with the program") {
  for (const char* file : {"assets/recordings/h200.json", "assets/recordings/h200-pytorch.json",
                           "assets/recordings/h200-backward.json", "assets/recordings/h200-pytorch-backward.json"}) {
    std::string wrong;
    CHECK(read_recording(embedded_file(file), wrong));
    CHECK(wrong.empty());
  }
  const Quantity time = quantity("recorded(fa2, time, N=4096, d=128)");
  CHECK(time.unit == "s");
  CHECK(time.origin == Origin::Recorded);
  CHECK(time.source.starts_with("NVIDIA H200, 2026-11-29: fa2 at B = 4, H = 16, N = 4096, d = 128"));
  CHECK(time.value > 1e-4);
  CHECK(time.value < 1e-2);
  CHECK(value("recorded(fa2, heads, N=4096, d=128)") == 64);
  CHECK(value("recorded(fa2, time, N=4096, d=128)") > value("recorded(fa3, time, N=4096, d=128)"));
  CHECK(value("recorded(fa2, tflops, N=4096, d=128) * recorded(fa2, time, N=4096, d=128)") ==
        doctest::Approx(value("flop(N=4096, d=128, B=4, H=16)")));
  // The loads are counted, and what the counter saw is within a thousandth.
  CHECK(value("recorded(fa2, l2, N=4096, d=128) / loads(fa2, N=4096, d=128, B=4, H=16, variant=kernel)") ==
        doctest::Approx(1).epsilon(1e-3));
  CHECK(quantity("recorded(pytorch-cudnn, time, N=1024, d=128)").origin == Origin::Recorded);
  // The backward pass under the same label is another kernel.
  CHECK(value("recorded(pytorch-cudnn-backward, time, N=4096, d=128)") >
        1.5 * value("recorded(pytorch-cudnn, time, N=4096, d=128)"));
  CHECK(value("recorded(fa3-backward, l2, N=4096, d=128)") > value("recorded(fa3, l2, N=4096, d=128)"));
  CHECK(fault("recorded(fa2, time, N=1000, d=128)") ==
        "recorded: no recording holds \"fa2\" at N = 1000, d = 128, full mask.");
  CHECK(fault("recorded(fa2, watts, N=4096, d=128)").starts_with("recorded: \"watts\" is not recorded"));
}

TEST_CASE("every function is listed with its arguments and a sentence") {
  CHECK(quantity_functions().size() > 20);
  for (const QuantityFunction& function : quantity_functions()) {
    CAPTURE(std::string(function.name));
    CHECK_FALSE(function.arguments.empty());
    CHECK(function.meaning.ends_with('.'));
    CHECK(std::ranges::count(quantity_functions(), function.name, &QuantityFunction::name) == 1);
  }
}

}  // namespace tilewalk::test_quantities
