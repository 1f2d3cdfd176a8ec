// Which format a file is, and loading of one slice; the headers are read in npy.cpp and safetensors.cpp.
#include "core/io/tensor_file.h"

#include "core/io/npy.h"
#include "core/io/printable.h"
#include "core/io/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace tilewalk {
namespace {

static_assert(std::endian::native == std::endian::little, "tensor files are little-endian and are read as they are");

// What people save tensors in that is neither of our formats, told by the first bytes.
struct Foreign {
  std::string_view start, what;
};
constexpr Foreign foreign_formats[] = {
    {"PK\x03\x04", "is a zip archive (.npz, or .pt from PyTorch)"},
    {"\x89HDF\r\n", "is an HDF5 file"},
    {"GGUF", "is a GGUF file"},
    {"\x80\x02", "is a pickle (.pt or .pkl)"},
    {"\x80\x04", "is a pickle (.pt or .pkl)"},
    {"\x80\x05", "is a pickle (.pt or .pkl)"},
};

TensorIndex read_index(const InputFile& file) {
  if (file.size() == 0) io_fail(file.path(), "is empty; save or copy it again");
  std::string start(std::min<uint64_t>(file.size(), 32), '\0');
  file.read_at(0, std::as_writable_bytes(std::span(start)));

  if (start.starts_with(npy_magic) || npy_magic.starts_with(start)) return read_npy_index(file);
  if (start.starts_with("version https://git-lfs")) {
    io_fail(file.path(), "is only a Git LFS pointer to the real file; fetch that with git lfs pull");
  }
  // A safetensors header opens after eight bytes of length, always with a brace.
  if (start.size() > 8 && start[8] == '{') return read_safetensors_index(file);
  for (const Foreign& foreign : foreign_formats) {
    if (start.starts_with(foreign.start)) {
      io_fail(file.path(), fmt::format("{}; save Q, K and V as .safetensors or as .npy", foreign.what));
    }
  }
  const auto ending = file.path().extension();
  if (ending == ".npy") {
    io_fail(file.path(), "does not start as a .npy file does (\\x93NUMPY); save it with np.save");
  }
  if (ending == ".safetensors") return read_safetensors_index(file);
  io_fail(file.path(), "is neither a .npy nor a .safetensors file; save Q, K and V as one of these");
}

TensorAxes axes_of(const std::filesystem::path& path, const TensorInfo& info) {
  const auto& shape = info.shape;
  const std::string who = fmt::format("holds tensor {} of shape {}", in_quotes(info.name), shape_text(shape));
  if (shape.size() < 2 || shape.size() > 4) {
    io_fail(path, fmt::format("{}, which has {} {}; reshape it to [N, d], [H, N, d] or [B, H, N, d]", who, shape.size(),
                              shape.size() == 1 ? "axis" : "axes"));
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
    io_fail(path, fmt::format("{}, which has no elements; every axis must be at least 1", who));
  }
  TensorAxes axes;
  axes.cols = shape[shape.size() - 1];
  axes.rows = shape[shape.size() - 2];
  if (shape.size() > 2) axes.heads = shape[shape.size() - 3];
  if (shape.size() > 3) axes.batches = shape[0];
  return axes;
}

void check_index(const std::filesystem::path& path, const TensorInfo& info, std::string_view axis, int64_t index,
                 int64_t count) {
  if (index >= 0 && index < count) return;
  const std::string asked = index < 0 ? fmt::format("{}", index + 1) : fmt::format("{}", uint64_t(index) + 1);
  const std::string_view plural = axis == "batch" ? "batches" : "heads";
  const std::string there = count == 1 ? fmt::format("only {} 1", axis) : fmt::format("{} 1 to {}", plural, count);
  io_fail(path, fmt::format("has no {} {}: its tensor {} of shape {} has {}; choose one of these", axis, asked,
                            in_quotes(info.name), shape_text(info.shape), there));
}

void decode(Format format, const std::byte* in, size_t count, double* out) {
  auto each = [&]<class Raw>(Raw raw, auto&& convert) {
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&raw, in + i * sizeof(Raw), sizeof(Raw));
      out[i] = convert(raw);
    }
  };
  auto as_it_is = [](auto x) { return double{x}; };
  if (format == Format::Float16) each(uint16_t{}, half_to_double);
  if (format == Format::BFloat16) each(uint16_t{}, bfloat16_to_double);
  if (format == Format::Float32) each(float{}, as_it_is);
  if (format == Format::Float64) each(double{}, as_it_is);
}

[[noreturn]] void fail_not_finite(const std::filesystem::path& path, const TensorInfo& info, int64_t batch,
                                  int64_t head, int64_t row, int64_t col, double value) {
  std::string place;
  if (info.shape.size() > 3) place += fmt::format("batch {}, ", batch + 1);
  if (info.shape.size() > 2) place += fmt::format("head {}, ", head + 1);
  place += fmt::format("row {}, column {}", row + 1, col + 1);
  const char* what = std::isnan(value) ? "NaN" : value > 0 ? "infinity" : "minus infinity";
  io_fail(path, fmt::format("holds {} in tensor {} at {} (counted from 1); replace it by a finite number", what,
                            in_quotes(info.name), place));
}

}  // namespace

TensorFile::TensorFile(const std::filesystem::path& path) : file_(path), index_(read_index(file_)) {}

const TensorInfo& TensorFile::find(std::string_view name) const {
  std::vector<std::string> names;
  for (const TensorInfo& info : index_.tensors) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  if (name.empty() && names.size() == 1) return index_.tensors[0];
  const std::string what =
      name.empty() ? fmt::format("holds {} tensors", names.size()) : fmt::format("holds no tensor {}", in_quotes(name));
  io_fail(path(), fmt::format("{}; choose from {}", what, some_of(names)));
}

TensorAxes TensorFile::axes(std::string_view name) const {
  const TensorInfo& info = find(name);
  if (!info.format) {
    io_fail(path(), fmt::format("holds tensor {} as {}; only F16, BF16 and F32 can be read, so convert it first",
                                in_quotes(info.name), printable(info.dtype)));
  }
  return axes_of(path(), info);
}

Slice TensorFile::load(std::string_view name, int64_t batch, int64_t head) const {
  const TensorInfo& info = find(name);
  const TensorAxes axes = this->axes(name);
  check_index(path(), info, "batch", batch, axes.batches);
  check_index(path(), info, "head", head, axes.heads);
  // No product below overflows: the whole tensor lies inside the file.
  const int64_t count = axes.rows * axes.cols;
  if (count > most_slice_values) {
    io_fail(path(), fmt::format("holds tensor {} of shape {}, {} numbers a head; at most {} can be read, so cut it",
                                in_quotes(info.name), shape_text(info.shape), count, most_slice_values));
  }

  Slice slice{Matrix(axes.rows, axes.cols), *info.format};
  std::vector<double>& values = slice.values.values;
  const auto size = static_cast<size_t>(bytes_of(slice.format));
  uint64_t offset = info.offset + static_cast<uint64_t>((batch * axes.heads + head) * count) * size;
  std::vector<std::byte> raw(std::min<size_t>(values.size() * size, size_t{1} << 20));
  for (size_t done = 0; done < values.size();) {
    const size_t part = std::min(raw.size() / size, values.size() - done);
    file_.read_at(offset, std::span(raw).first(part * size));
    decode(slice.format, raw.data(), part, values.data() + done);
    offset += part * size;
    done += part;
  }

  for (int64_t i = 0; i < count; ++i) {
    const double value = values[static_cast<size_t>(i)];
    if (!std::isfinite(value)) fail_not_finite(path(), info, batch, head, i / axes.cols, i % axes.cols, value);
  }
  return slice;
}

}  // namespace tilewalk
