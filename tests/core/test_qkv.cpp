#include "core/io/qkv.h"

#include "core/attention/reference.h"
#include "tests/core/io_helpers.h"

namespace tilewalk::test_qkv {
namespace fs = std::filesystem;

namespace {

// A .npy of fp32 whose element i is start + i.
std::string counting(std::vector<int64_t> shape, float start = 0) {
  size_t count = 1;
  std::string text = "(";
  for (const int64_t axis : shape) {
    count *= static_cast<size_t>(axis);
    text += std::to_string(axis) + ", ";
  }
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = start + static_cast<float>(i);
  return npy("<f4", text + ")", bytes_of_values(values));
}

std::vector<std::string> labels(const std::vector<QkvNames>& groups) {
  std::vector<std::string> out;
  for (const QkvNames& group : groups) out.push_back(group.label);
  return out;
}

}  // namespace

TEST_CASE("names tell Q, K and V") {
  using Names = std::vector<std::string>;
  CHECK(labels(guess_qkv({"layer0.k", "layer0.q", "layer0.v", "layer1.k", "layer1.q", "layer1.v"})) ==
        Names{"layer0", "layer1"});
  CHECK(guess_qkv({"layer0.k", "layer0.q", "layer0.v"})[0].names ==
        std::array<std::string, 3>{"layer0.q", "layer0.k", "layer0.v"});
  // An incomplete group is none.
  CHECK(labels(guess_qkv({"layer0.k", "layer0.q", "layer0.v", "layer1.q", "layer1.k"})) == Names{"layer0"});
  CHECK(labels(guess_qkv({"model.layers.0.self_attn.q_proj", "model.layers.0.self_attn.k_proj",
                          "model.layers.0.self_attn.v_proj"})) == Names{"model.layers.0.self_attn"});
  CHECK(labels(guess_qkv({"query", "key", "value"})) == Names{"query, key, value"});
  CHECK(labels(guess_qkv({"Q", "K", "V", "q", "k", "v"})) == Names{"Q, K, V", "q, k, v"});
  CHECK(labels(guess_qkv({"q_states.3", "k_states.3", "v_states.3"})) == Names{"states.3"});
  CHECK(labels(guess_qkv({"layers.4.xq", "layers.4.xk", "layers.4.xv"})) == Names{"layers.4"});
  CHECK(labels(guess_qkv({"layer0q", "layer0k", "layer0v"})) == Names{"layer0"});
  CHECK(labels(guess_qkv({"key_encoder/query", "key_encoder/key", "key_encoder/value"})) == Names{"key_encoder"});
  // Weights and other words are not Q, K, V.
  CHECK(guess_qkv({"h.q_proj.weight", "h.k_proj.weight", "h.v_proj.weight"}).empty());
  CHECK(guess_qkv({"seq", "mask", "conv"}).empty());
  CHECK(guess_qkv({"q", "K", "v"}).empty());
  CHECK(guess_qkv({"", "...", "_"}).empty());
}

TEST_CASE("the shipped sample offers its two layers, and its heads attend as their facts say") {
  const fs::path path = fs::path(TILEWALK_SOURCE_DIR) / "assets/inputs/induction-head.safetensors";
  const std::vector<QkvChoice> choices = find_qkv({path});
  REQUIRE(choices.size() == 2);
  CHECK(choices[0].label == "layer0");
  CHECK(choices[1].label == "layer1");
  const QkvSizes sizes = qkv_sizes(choices[1].source);
  CHECK(sizes.batches == 1);
  CHECK(sizes.heads == 4);
  CHECK(sizes.kv_heads == 4);
  CHECK(sizes.n_q == 64);
  CHECK(sizes.n_k == 64);
  CHECK(sizes.d == 32);

  // Mean weight, over the rows where there is such a key, of the key `back` places before.
  auto mean_weight = [&](const QkvChoice& choice, int64_t head, int64_t back) {
    QkvSource source = choice.source;
    source.head = head;
    const Inputs inputs = load_qkv(source).inputs;
    double sum = 0;
    for (int64_t i = back; i < 64; ++i) {
      double all = 0, there = 0;
      for (int64_t j = 0; j <= i; ++j) {
        double score = 0;
        for (int64_t x = 0; x < 32; ++x) score += inputs.q.at(i, x) * inputs.k.at(j, x);
        const double weight = std::exp(score / std::sqrt(32.0));
        all += weight;
        if (j == i - back) there = weight;
      }
      sum += there / all;
    }
    return sum / static_cast<double>(64 - back);
  };
  CHECK(mean_weight(choices[0], 3, 1) > 0.4);
  CHECK(mean_weight(choices[0], 0, 1) < 0.3);
  for (int64_t head = 0; head < 4; ++head) CHECK(mean_weight(choices[1], head, 20 - 1) > 0.4);

  QkvSource source = choices[1].source;
  source.head = 3;
  const Qkv qkv = load_qkv(source);
  CHECK(qkv.inputs.source == "induction-head.safetensors, layer1, head 4");
  CHECK(qkv.q_format == Format::Float32);
  source.head = 4;
  check_words(sentence_of(path, [&] { load_qkv(source); }), {"no head 5", "layer1.q", "heads 1 to 4"});
}

TEST_CASE("three npy files, or one that has its siblings beside it") {
  const ScratchFolder folder;
  put(folder / "head_q.npy", counting({5, 2}, 0));
  put(folder / "head_k.npy", counting({7, 2}, 100));
  put(folder / "head_v.npy", counting({7, 2}, 200));
  for (const auto& files : std::vector<std::vector<fs::path>>{
           {folder / "head_v.npy"},
           {folder / "head_q.npy"},
           {folder / "head_v.npy", folder / "head_q.npy", folder / "head_k.npy"},
       }) {
    const std::vector<QkvChoice> choices = find_qkv(files);
    REQUIRE(choices.size() == 1);
    const Qkv qkv = load_qkv(choices[0].source);
    CHECK(qkv.sizes.n_q == 5);
    CHECK(qkv.sizes.n_k == 7);
    CHECK(qkv.inputs.q.at(0, 0) == 0);
    CHECK(qkv.inputs.k.at(6, 1) == 113);
    CHECK(qkv.inputs.v.at(0, 0) == 200);
    CHECK(qkv.inputs.source == "head_q.npy");
  }
  CHECK(find_qkv({folder / "head_v.npy"})[0].label == "head");

  // Names that tell nothing: the order given decides.
  put(folder / "x.npy", counting({5, 2}, 0));
  put(folder / "y.npy", counting({7, 2}, 100));
  put(folder / "z.npy", counting({7, 2}, 200));
  CHECK(load_qkv(find_qkv({folder / "x.npy", folder / "y.npy", folder / "z.npy"})[0].source).inputs.v.at(0, 0) == 200);

  const QkvChoice alike = find_qkv({folder / "x.npy"})[0];
  CHECK(alike.label == "x.npy as Q, K and V");
  CHECK(load_qkv(alike.source).inputs.k == load_qkv(alike.source).inputs.q);

  fs::remove(folder / "head_k.npy");
  check_words(sentence_of(folder / "head_q.npy", [&] { find_qkv({folder / "head_q.npy"}); }),
              {"only one of Q, K and V", "\"head_k.npy\" is not beside it"});
  check_words(sentence_of("2 files", [&] { find_qkv({folder / "x.npy", folder / "y.npy"}); }), {"name one"});
  check_words(sentence_of("0 files", [&] { find_qkv({}); }), {"name one"});
}

TEST_CASE("files without Q, K and V say what they hold") {
  const ScratchFolder folder;
  auto file = [&](const char* a, const char* b) {
    return put(folder / "x.safetensors",
               safetensors(std::string("{\"") + a + R"(":{"dtype":"F16","shape":[1,1],"data_offsets":[0,2]},")" + b +
                               R"(":{"dtype":"F16","shape":[1,1],"data_offsets":[2,4]}})",
                           "1234"));
  };
  const fs::path weights = file("h.0.q_proj.weight", "h.0.q_proj.bias");
  check_words(sentence_of(weights, [&] { find_qkv({weights}); }), {"a model's weights"});
  const fs::path other = file("apples", "pears");
  check_words(sentence_of(other, [&] { find_qkv({other}); }), {"no tensors named like", "\"apples\", \"pears\""});
  // By name everything can be chosen.
  CHECK(load_qkv({{other, "apples"}, {other, "pears"}, {other, "pears"}}).inputs.source == "x.safetensors, apples");
}

TEST_CASE("grouped heads of K and V serve several heads of Q") {
  const ScratchFolder folder;
  QkvSource source{{put(folder / "q.npy", counting({2, 4, 3, 2})), ""},
                   {put(folder / "k.npy", counting({2, 2, 3, 2}, 100)), ""},
                   {put(folder / "v.npy", counting({2, 2, 3, 2}, 200)), ""}};
  const QkvSizes sizes = qkv_sizes(source);
  CHECK(sizes.heads == 4);
  CHECK(sizes.kv_heads == 2);
  source.batch = 1;
  for (int64_t head = 0; head < 4; ++head) {
    source.head = head;
    const Qkv qkv = load_qkv(source);
    CHECK(qkv.inputs.q.at(0, 0) == double((4 + head) * 6));
    CHECK(qkv.inputs.k.at(0, 0) == 100.0 + double((2 + head / 2) * 6));
    CHECK(qkv.inputs.v.at(0, 0) == 200.0 + double((2 + head / 2) * 6));
  }
  CHECK(load_qkv(source).inputs.source == "q.npy, batch 2, head 4");
}

TEST_CASE("shapes that do not fit are both named") {
  struct Bad {
    std::vector<int64_t> q, k, v;
    std::vector<std::string> words;
  };
  const Bad list[] = {
      {{4, 8}, {4, 6}, {4, 6}, {"Q (\"q\") has shape [4, 8]", "K (\"k\") has shape [4, 6]", "same d"}},
      {{4, 8}, {5, 8}, {5, 7}, {"K (\"k\") has shape [5, 8]", "V (\"v\") has shape [5, 7]", "same d"}},
      {{4, 8}, {5, 8}, {6, 8}, {"[5, 8]", "[6, 8]", "same N"}},
      {{4, 4, 8}, {2, 5, 8}, {4, 5, 8}, {"[2, 5, 8]", "[4, 5, 8]", "same number of heads"}},
      {{4, 4, 8}, {3, 5, 8}, {3, 5, 8}, {"[4, 4, 8]", "[3, 5, 8]", "multiple"}},
      {{2, 4, 8}, {4, 5, 8}, {4, 5, 8}, {"[2, 4, 8]", "[4, 5, 8]", "multiple"}},
      {{2, 1, 4, 8}, {5, 8}, {5, 8}, {"[2, 1, 4, 8]", "[5, 8]", "number of batches"}},
      {{4, 8}, {5, 8}, {3, 1, 5, 8}, {"[5, 8]", "[3, 1, 5, 8]", "number of batches"}},
      {{8}, {5, 8}, {5, 8}, {"[8]", "1 axis"}},
  };
  const ScratchFolder folder;
  for (const Bad& bad : list) {
    const QkvSource source{{put(folder / "q.npy", counting(bad.q)), ""},
                           {put(folder / "k.npy", counting(bad.k)), ""},
                           {put(folder / "v.npy", counting(bad.v)), ""}};
    check_words(sentence_of(folder.path, [&] { qkv_sizes(source); }), bad.words);
    check_words(sentence_of(folder.path, [&] { load_qkv(source); }), bad.words);
  }
}

}  // namespace tilewalk::test_qkv
