// A user's tensors, from a .npy or a .safetensors file: what is in it (without loading data), and one batch and head of
// one tensor as numbers. Only what is asked for is read, so a file may be larger than memory.
//
// Axes are [N, d], [H, N, d] or [B, H, N, d], row-major. Indices count from 0 in code and from 1 in messages.
// Every failure is an IoError whose what() is one sentence: which file, what is wrong, what to do.
#pragma once

#include "core/attention/format.h"
#include "core/attention/matrix.h"
#include "core/io/file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct TensorInfo {
  std::string name;              // of a .npy file: the file's name without its ending
  std::string dtype;             // as .safetensors spells it: "F32"; also those that cannot be loaded: "I64"
  std::optional<Format> format;  // absent where this dtype cannot be loaded from this format
  std::vector<int64_t> shape;    // no entry is negative; the product of all fits the file
  uint64_t offset = 0;           // of the first byte, in the file
  uint64_t bytes = 0;
};

// What a file's header says, checked against the file's size.
struct TensorIndex {
  std::vector<TensorInfo> tensors;              // in natural order of their names: layer2 before layer10
  std::map<std::string, std::string> metadata;  // empty for .npy
};

// The four axes of a tensor; missing leading axes count 1.
struct TensorAxes {
  int64_t batches = 1, heads = 1, rows = 1, cols = 1;
};

// One batch and head. Every value is finite.
struct Slice {
  Matrix values;                    // [N, d], exactly the file's numbers
  Format format = Format::Float32;  // in which the file holds them
};

// A slice of more values than this is refused: 2^26 is N = 524288 at d = 128.
inline constexpr int64_t most_slice_values = int64_t{1} << 26;

class TensorFile {
 public:
  // Reads the header only. Which of the two formats it is, the content says, not the name.
  explicit TensorFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return file_.path(); }
  const std::vector<TensorInfo>& tensors() const { return index_.tensors; }
  const std::map<std::string, std::string>& metadata() const { return index_.metadata; }

  // The tensor of that name; an empty name means the only one. IoError naming those that are there.
  const TensorInfo& find(std::string_view name) const;

  // IoError where the tensor cannot be used: its dtype, its number of axes, an axis of 0.
  TensorAxes axes(std::string_view name) const;

  // Also IoError for an index out of range, for NaN and for infinity.
  Slice load(std::string_view name, int64_t batch = 0, int64_t head = 0) const;

 private:
  InputFile file_;
  TensorIndex index_;
};

}  // namespace tilewalk
