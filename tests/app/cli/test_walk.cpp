// The printed walk: the row on paper to the digit, lines that fit a terminal, and JSON with the same numbers.
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace tilewalk::test_walk {
using nlohmann::json;
using test::contains;
using test::run;

namespace {

// The unit of a JSON walk that ends with that kind of step on key tile j.
json unit_of(const json& walk, const std::string& kind, int j) {
  for (const json& unit : walk.at("steps"))
    if (unit.at("kind") == kind && unit.at("j") == j) return unit;
  FAIL("no " << kind << " on key tile " << j);
  return {};
}

json walked(const std::string& options) {
  const test::Ran ran = run("walk --json " + options);
  REQUIRE(ran.code == 0);
  REQUIRE(ran.err.empty());
  return json::parse(ran.out);
}

double near(const json& value, double expected) { return std::fabs(value.get<double>() - expected); }

}  // namespace

// Set TILEWALK_WRITE_GOLDEN to anything to write the files anew, and read the difference before keeping it.
TEST_CASE("the row on paper is printed as it is kept in golden/") {
  for (const char* schedule : {"fa3", "fa2", "fa1", "standard"}) {
    const std::string path = std::string(TILEWALK_SOURCE_DIR "/tests/app/cli/golden/walk_micro_") + schedule + ".txt";
    const test::Ran ran = run(std::string("walk --preset micro --schedule ") + schedule);
    REQUIRE(ran.code == 0);
    if (std::getenv("TILEWALK_WRITE_GOLDEN")) std::ofstream(path) << ran.out;
    std::ifstream file(path);
    REQUIRE_MESSAGE(file.good(), path);
    std::stringstream kept;
    kept << file.rdbuf();
    CHECK(ran.out == kept.str());
  }
}

TEST_CASE("the row on paper has its numbers, to a millionth") {
  const json fa2 = walked("--preset micro --unit step");
  CHECK(near(unit_of(fa2, "RowMax", 0)["row"]["m"], 2) == 0);
  CHECK(near(unit_of(fa2, "RowSum", 0)["row"]["l"], 1.367879) < 1e-6);
  CHECK(near(unit_of(fa2, "Accumulate", 0)["row"]["o"][1], 0.367879) < 1e-6);
  CHECK(near(unit_of(fa2, "RowMax", 1)["row"]["m"], 4) == 0);
  CHECK(near(unit_of(fa2, "RowMax", 1)["row"]["alpha"], 0.135335) < 1e-6);
  CHECK(near(unit_of(fa2, "RowSum", 1)["row"]["l"], 1.553002) < 1e-6);
  CHECK(near(unit_of(fa2, "Accumulate", 1)["row"]["o"][0], 1.871094) < 1e-6);
  CHECK(near(unit_of(fa2, "Accumulate", 1)["row"]["o"][1], 1.049787) < 1e-6);
  CHECK(near(unit_of(fa2, "Normalize", 1)["row"]["o"][0], 1.204824) < 1e-6);
  CHECK(near(unit_of(fa2, "Normalize", 1)["row"]["o"][1], 0.675973) < 1e-6);
  CHECK(near(unit_of(fa2, "LogSumExp", 1)["row"]["L"], 4.440190) < 1e-6);

  const json fa1 = walked("--preset micro --unit step --schedule fa1");
  CHECK(near(unit_of(fa1, "Normalize", 0)["row"]["o"][0], 0.731059) < 1e-6);
  CHECK(near(unit_of(fa1, "Normalize", 0)["row"]["o"][1], 0.268941) < 1e-6);
  CHECK(near(unit_of(fa1, "Normalize", 1)["row"]["o"][0], 1.204824) < 1e-6);
  CHECK(near(unit_of(fa1, "Normalize", 1)["row"]["o"][1], 0.675973) < 1e-6);
}

TEST_CASE("no line is wider than the terminal, for any schedule and any row") {
  for (const char* options :
       {"--preset toy --row 6", "--preset causal --row 1", "--preset causal --schedule fa1 --variant kernel --row 16",
        "--preset causal --schedule standard --row 7 --unit step", "--n 9 --d 40 --br 5 --bc 7 --distribution outliers",
        "--n-q 9 --n-k 3 --causal --arithmetic kernel --schedule fa1 --unit tile", "--preset toy --unit row",
        "--n 12 --scale-softmax 100000 --d 3", "--n 12 --scale-softmax 0.00001 --schedule fa1"}) {
    const test::Ran ran = run(std::string("walk ") + options);
    INFO(std::string(options));
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
    CHECK(test::widest_line(ran.out) <= 80);
    CHECK(!contains(ran.out, " \n"));    // nothing hangs over the end of a line
    CHECK(!contains(ran.out, "\033["));  // colours are for terminals
    CHECK(contains(ran.out, "O differs from attention in float64 by "));
  }
}

TEST_CASE("colours are there when asked for") {
  std::ostringstream out, err;
  Console console{out, err, true, 80};
  CHECK(run_command_line({"walk", "--preset", "micro"}, console, {}) == 0);
  CHECK(contains(out.str(), "\033[1m"));
}

TEST_CASE("exact arithmetic agrees with float64 attention; kernel arithmetic nearly does") {
  CHECK(contains(run("walk --preset causal --schedule fa1").out, "by less than 1e-12"));
  const json kernel = walked("--preset causal --arithmetic kernel");
  const double gap = kernel.at("largest_difference_from_float64");
  CHECK(gap > 1e-6);
  CHECK(gap < 1e-2);
}

TEST_CASE("parts of a walk are chosen by number, by words and by unit") {
  const json all = walked("--preset toy");
  const int64_t length = all.at("length");
  CHECK(length == 152);
  const json some = walked("--preset toy --unit step --steps 3..7");
  REQUIRE(some.at("steps").size() == 5);
  CHECK(some["steps"][0]["step"] == 2);  // from 0 in JSON
  CHECK(some["steps"][4]["step"] == 6);
  CHECK(walked("--preset toy --unit step --steps 150..").at("steps").size() == 3);
  CHECK(walked("--preset toy --unit step --steps 9").at("steps").size() == 1);

  const json one = walked("--preset toy --unit step --at 'first rescale of Q tile 2'");
  REQUIRE(one.at("steps").size() == 1);
  CHECK(one["steps"][0]["kind"] == "Rescale");
  CHECK(one["steps"][0]["i"] == 1);
  CHECK(walked("--preset toy --unit tile --at 'first rescale of Q tile 2'")["steps"][0]["kinds"].size() == 7);
  CHECK(walked("--preset toy --unit row").at("steps").size() == 4);
  CHECK(walked("--preset toy --at 37")["steps"][0]["step"] == 36);
}

TEST_CASE("JSON follows one row, and its meters end at the whole program's") {
  const json walk = walked("--preset toy --row 6 --unit step");
  CHECK(walk.at("row") == 5);
  CHECK(walk.at("schedule") == "fa2");
  CHECK(walk.at("problem").at("n_q") == 16);
  CHECK(walk.at("inputs").at("hash").get<std::string>().size() == 16);
  int64_t before = 0;
  for (const json& unit : walk.at("steps")) {
    CHECK(unit["row"]["index"] == unit["i"].get<int64_t>() * 4 + 1);
    const int64_t now = unit["meters"]["l2_to_sm_bytes"];
    CHECK(now >= before);
    before = now;
  }
  CHECK(walk["steps"].back()["meters"] == walk["meters"]);
  CHECK(walk["meters"]["l2_to_sm_bytes"] == 16 * 8 * 2 + 4 * 2 * 16 * 8 * 2);
  CHECK(walked("--preset toy --steps 1..3 --unit step")["steps"][2]["row"]["m"] == "-inf");
}

TEST_CASE("a backward walk compares dQ, dK and dV with float64") {
  const std::string problem = "--n 24 --d 8 --br 5 --bc 7 ";
  std::map<std::string, double> largest;
  for (const std::string schedule : {"standard-backward", "fa1-backward", "fa2-backward"}) {
    CAPTURE(schedule);
    const json exact = walked(problem + "--schedule " + schedule);
    CHECK(exact.at("largest_difference_from_float64") < 1e-13);

    const json kernel = walked(problem + "--arithmetic kernel --schedule " + schedule);
    const json& each = kernel.at("differences_from_float64");
    REQUIRE(each.size() == 3);
    double most = 0;
    for (const char* gradient : {"dQ", "dK", "dV"}) {
      CAPTURE(gradient);
      CHECK(each.at(gradient) > 1e-6);  // fp16 elements of about 1
      CHECK(each.at(gradient) < 1e-2);
      most = std::max(most, each.at(gradient).get<double>());
    }
    CHECK(kernel.at("largest_difference_from_float64") == most);
    largest[schedule] = most;
    CHECK(contains(run("walk " + problem + "--schedule " + schedule).out,
                   "dQ, dK and dV differ from attention in float64 by less than 1e-12."));
  }
  CHECK(largest["standard-backward"] != largest["fa1-backward"]);
  CHECK(largest["fa1-backward"] != largest["fa2-backward"]);
  CHECK(largest["fa2-backward"] != largest["standard-backward"]);

  const json forward = walked(problem + "--arithmetic kernel");
  CHECK(forward.at("differences_from_float64").at("O") == forward.at("largest_difference_from_float64"));
  CHECK(forward.at("differences_from_float64").contains("L"));
}

TEST_CASE("JSON of a backward walk has D, dP, dS, dQ, dK and dV of the row") {
  for (const std::string schedule : {"standard-backward", "fa1-backward", "fa2-backward"}) {
    CAPTURE(schedule);
    const json walk = walked("--preset micro --unit step --schedule " + schedule);
    std::map<std::string, int> seen;
    for (const json& unit : walk.at("steps"))
      for (const char* name : {"D", "dO", "dP", "dS", "dQ", "dK", "dV"}) seen[name] += unit["row"].contains(name);
    for (const auto& [name, times] : seen) {
      CAPTURE(name);
      CHECK(times > 0);
    }
    // The row on paper, as in core/test_backward.cpp.
    const json ds = unit_of(walk, "GradientS", 1)["row"];
    CHECK(near(ds["D"], 1.204824) < 1e-6);
    CHECK(near(ds["dS"][0], -0.131889) < 1e-6);
    CHECK(near(ds["dS"][1], 0.188363) < 1e-6);
    CHECK(near(unit_of(walk, "GradientP", 1)["row"]["dP"][1], 2) == 0);
    // dK and dV are rows of the key tile: the row that stands where the followed one does in its own tile.
    const json dv = unit_of(walk, "AccumulateDV", 1)["row"];
    CHECK(dv["key"] == 2);
    CHECK(dv["dV"].size() == 2);
  }
}

TEST_CASE("a program of one's own is walked as a shipped one is") {
  const test::Folder folder;
  const std::string fa2 = TILEWALK_SOURCE_DIR "/core/schedules/fa2.walk";
  json own = walked("--program " + fa2), shipped = walked("--schedule fa2");
  CHECK(own.at("schedule") == "own");
  CHECK(own.at("steps") == shipped.at("steps"));
  CHECK(own.at("code") == shipped.at("code"));
  CHECK(run("walk --program " + fa2 + " --schedule fa2").code == 2);

  const test::Ran wrong = run("walk --program " + folder.write("a.walk", "for each Q tile i:\n  load X[i]\n"));
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "a.walk:2:8: there is nothing to load that is called \"X\""));
  const test::Ran stopped = run("walk --program " + folder.write("b.walk", "for each Q tile i:\n  O = O / l\n"));
  CHECK(stopped.code == 1);
  CHECK(contains(stopped.err, "Normalize needs l of Q tile 1, which is not on chip. `tilewalk check"));
  CHECK(run("walk --program none.walk").code == 4);
  CHECK(contains(run("walk --unit tile --program " TILEWALK_SOURCE_DIR "/core/schedules/fa2-backward.walk").out,
                 "gradients: K/V tile 1 of "));
}

TEST_CASE("a program of one's own is counted and drawn as a shipped one is") {
  const test::Folder folder;
  const std::string fa2 = TILEWALK_SOURCE_DIR "/core/schedules/fa2.walk";
  json own = json::parse(run("predict --json --n 256 --d 64 --program " + fa2).out);
  json shipped = json::parse(run("predict --json --n 256 --d 64 --schedule fa2").out);
  CHECK(own.at("schedules").at(0).at("schedule") == "own");
  own.at("schedules").at(0)["schedule"] = "fa2";
  CHECK(own == shipped);
  CHECK(run("predict --gpu h100 --program " + fa2).code == 2);  // its kernels are not this program
  const auto drawn = [&](const std::string& which) {
    const test::Ran ran = run("export --at 20 --out - " + which);
    CHECK(ran.code == 0);
    return ran.out;
  };
  const std::string picture = drawn("--program " + fa2);
  CHECK(contains(picture, "Own"));
  CHECK(picture.size() > drawn("--schedule fa2").size() - 100);
  CHECK(run("export --out - --program " + folder.write("a.walk", "for each Q tile i:\n  load X[i]\n")).code == 2);
}

TEST_CASE("check says whether a puzzle holds what it promises") {
  const test::Folder folder;
  const std::string shipped = TILEWALK_SOURCE_DIR "/lessons/puzzles/keep-p.puzzle";
  const test::Ran good = run("check " + shipped);
  CHECK(good.code == 0);
  CHECK(contains(good.out, "keep-p.puzzle: good"));
  const test::Ran bad = run("check " + folder.write("x.puzzle", "title = \"x\"\n"));
  CHECK(bad.code == 1);
  CHECK(contains(bad.out, "x.puzzle:"));
  CHECK(run("check none.puzzle").code == 4);
  CHECK(json::parse(run("check --json " + shipped).out).at("files").at(0).at("faults").empty());
}

}  // namespace tilewalk::test_walk
