// Q, K and V of one attention head from a user's files: which tensors they probably are, whether they fit together, and
// their numbers. Files are .safetensors, or .npy, one tensor each. See tensor_file.h for formats and axes.
//
// With grouped-query attention K and V have fewer heads than Q; Q head h then uses K/V head h / (heads / kv_heads).
// Indices count from 0 in code and from 1 in messages. Every failure is an IoError of one sentence.
#pragma once

#include "core/attention/inputs.h"
#include "core/io/tensor_file.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace tilewalk {

// A tensor in a file; the name may be empty where the file holds one tensor.
struct TensorPlace {
  std::filesystem::path file;
  std::string name;
};

struct QkvSource {
  TensorPlace q, k, v;
  int64_t batch = 0, head = 0;  // head of Q
};

// Something a person can choose: "layer0", and where its three tensors are.
struct QkvChoice {
  std::string label;
  QkvSource source;
};

// Sizes, known before any data is loaded.
struct QkvSizes {
  int64_t batches = 1, heads = 1, kv_heads = 1;
  int64_t n_q = 0, n_k = 0, d = 0;
};

struct Qkv {
  QkvSizes sizes;
  Inputs inputs;                        // source: "induction-head.safetensors, layer1, head 3"
  Format q_format, k_format, v_format;  // in which the files hold them
};

// The Q, K, V that a list of tensor names offers: names alike but for one word, which is q, k and v ("layer0.q",
// "h.1.k_proj", "value_3", "xq", "Q"). Names ending in weight or bias are no Q, K, V and are passed over.
struct QkvNames {
  std::string label;                 // what the three have in common
  std::array<std::string, 3> names;  // of Q, K, V
};
std::vector<QkvNames> guess_qkv(const std::vector<std::string>& names);

// What the files a person picked offer, never nothing:
// - one .safetensors file: every group of guess_qkv;
// - one .npy file named after its role ("q.npy", "head3_key.npy"): it and its two siblings in the same folder;
// - one file with one tensor: that tensor as Q, K and V alike;
// - three files with one tensor each: by the roles in their names, else in the order Q, K, V.
std::vector<QkvChoice> find_qkv(const std::vector<std::filesystem::path>& files);

// Whether the three fit together: equal d, N of K as of V, heads of K as of V and a divisor of Q's, equal batches.
QkvSizes qkv_sizes(const QkvSource& source);

Qkv load_qkv(const QkvSource& source);

}  // namespace tilewalk
