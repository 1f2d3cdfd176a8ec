// Q, K and V from files: what is walked is what the file holds, and every way a file can be wrong has its sentence.
#include "tests/app/cli/run.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace tilewalk::test_inputs {
using nlohmann::json;
using test::contains;
using test::npy;
using test::run;

TEST_CASE("the trained head is walked by its layer and head") {
  const std::string options = "walk --json --causal --unit row --input " + test::real_head();
  const json first = json::parse(run(options).out);
  CHECK(first["problem"]["n_q"] == 64);
  CHECK(first["problem"]["d"] == 32);
  CHECK(first["problem"]["format"] == "fp32");
  CHECK(first["problem"]["distribution"] == "custom");
  CHECK(contains(first["inputs"]["source"].get<std::string>(), "layer0, head 1"));
  CHECK(first["largest_difference_from_float64"].get<double>() < 1e-12);
  const json other = json::parse(run(options + " --layer layer1 --head-index 3").out);
  CHECK(contains(other["inputs"]["source"].get<std::string>(), "layer1, head 3"));
  CHECK(other["inputs"]["hash"] != first["inputs"]["hash"]);
  const json named = json::parse(run(options + " --q layer1.q --k layer1.k --v layer1.v --head-index 3").out);
  CHECK(named["inputs"]["hash"] == other["inputs"]["hash"]);
  CHECK(contains(run("walk --unit row --input " + test::real_head()).out, "2 groups of Q, K and V; --layer"));
}

TEST_CASE("three .npy files are one head") {
  const test::Folder folder;
  const std::string q = folder.write("q.npy", npy("(6, 4)", 24)), k = folder.write("k.npy", npy("(5, 4)", 20)),
                    v = folder.write("v.npy", npy("(5, 4)", 20));
  const json walk = json::parse(run("walk --json --unit row --br 2 --bc 3 --input " + q).out);  // finds its siblings
  CHECK(walk["problem"]["n_q"] == 6);
  CHECK(walk["problem"]["n_k"] == 5);
  CHECK(walk["problem"]["bc"] == 3);
  CHECK(walk["largest_difference_from_float64"].get<double>() < 1e-12);
  const json same = json::parse(run("walk --json --unit row --q-file " + q + " --k-file " + k + " --v-file " + v).out);
  CHECK(same["inputs"]["hash"] == walk["inputs"]["hash"]);
}

TEST_CASE("wrong files are named, with exit code 4") {
  const test::Folder folder;
  const std::string q = folder.write("q.npy", npy("(6, 4)", 24)), k = folder.write("k.npy", npy("(5, 4)", 20)),
                    wide = folder.write("wide.npy", npy("(5, 3)", 15)),
                    cut = folder.write("cut.npy", npy("(6, 4)", 11)), text = folder.write("notes.txt", "Q, K and V\n"),
                    empty = folder.write("empty.npy", "");
  const auto three = [](const std::string& a, const std::string& b, const std::string& c) {
    return "walk --q-file " + a + " --k-file " + b + " --v-file " + c;
  };
  const struct {
    std::string line, word;
  } faults[] = {
      {"walk --input " + (folder / "gone.npy").string(), "is not there"},
      {"walk --input " + text, "neither a .npy nor a .safetensors"},
      {"walk --input " + empty, "empty.npy"},
      {three(q, wide, wide), "both need the same d"},
      {three(q, k, q), "both need the same N"},
      {three(cut, k, k), "cut.npy"},
  };
  for (const auto& fault : faults) {
    const test::Ran ran = run(fault.line);
    INFO(fault.line << "\n" << ran.err);
    CHECK(ran.code == 4);
    CHECK(ran.out.empty());
    CHECK(contains(ran.err, fault.word));
  }
}

TEST_CASE("options that a file decides, or that it lacks, are refused") {
  const test::Folder folder;
  const std::string file = " --input " + test::real_head();
  const std::string large = folder.write("large.npy", [] {
    std::string content = npy("(2, 2)", 4);
    const float huge = 1e9f;
    content.replace(content.size() - 4, 4, reinterpret_cast<const char*>(&huge), 4);
    return content;
  }());
  const struct {
    std::string line, word;
  } faults[] = {
      {"walk --n 8" + file, "--n cannot be chosen"},
      {"walk --d 8" + file, "--d cannot be chosen"},
      {"walk --seed 8" + file, "--seed cannot be chosen"},
      {"walk --distribution normal" + file, "--distribution cannot be chosen"},
      {"walk --preset toy" + file, "either --preset or input files"},
      {"walk --layer layer7" + file, "the file offers \"layer0\", \"layer1\""},
      {"walk --head-index 5" + file, "between 1 and 4"},
      {"walk --batch-index 2" + file, "between 1 and 1"},
      {"walk --q layer0.q" + file, "give --q, --k and --v"},
      {"walk --layer layer0 --q a --k b --v c" + file, "either --layer or"},
      {"walk --q-file a.npy", "give --q-file, --k-file and --v-file"},
      {"walk --q-file a.npy" + file, "not both"},
      {"walk --format fp16 --input " + large, "too large for fp16"},
  };
  for (const auto& fault : faults) {
    const test::Ran ran = run(fault.line);
    INFO(fault.line << "\n" << ran.err);
    CHECK(ran.code == 2);
    CHECK(contains(ran.err, fault.word));
  }
  const test::Ran missing = run("walk --q nope.q --k layer0.k --v layer0.v" + file);
  CHECK(missing.code == 4);
  CHECK(contains(missing.err, "nope.q"));
}

TEST_CASE("predict takes a file's sizes and heads") {
  const json all = json::parse(run("predict --json --input " + test::real_head()).out);
  CHECK(all["problem"]["heads"] == 4);
  CHECK(all["schedules"][0]["all_heads"]["heads"] == 4);
}

}  // namespace tilewalk::test_inputs
