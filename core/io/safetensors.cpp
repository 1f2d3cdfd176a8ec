// Reads and checks a .safetensors header. See safetensors.h.
#include "core/io/safetensors.h"

#include "core/io/json_reader.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

using json = nlohmann::ordered_json;

struct SafeType {
  std::string_view dtype;
  unsigned bits;
  std::optional<Format> format;
};
constexpr SafeType safe_types[] = {
    {"F16", 16, Format::Float16},
    {"BF16", 16, Format::BFloat16},
    {"F32", 32, Format::Float32},
    {"F64", 64, {}},
    {"BOOL", 8, {}},
    {"U8", 8, {}},
    {"I8", 8, {}},
    {"F8_E5M2", 8, {}},
    {"F8_E4M3", 8, {}},
    {"F8_E8M0", 8, {}},
    {"I16", 16, {}},
    {"U16", 16, {}},
    {"I32", 32, {}},
    {"U32", 32, {}},
    {"I64", 64, {}},
    {"U64", 64, {}},
    {"C64", 64, {}},
    {"F4", 4, {}},
    {"F6_E2M3", 6, {}},
    {"F6_E3M2", 6, {}},
};

[[noreturn]] void damaged(const InputFile& file, std::string_view what) {
  io_fail(file.path(), fmt::format("has a damaged header: {}; save or copy it again", what));
}

std::string read_header(const InputFile& file, uint64_t& data_start) {
  std::array<unsigned char, 8> head{};
  if (file.size() < head.size()) io_fail(file.path(), "is cut short inside its header; save or copy it again");
  file.read_at(0, std::as_writable_bytes(std::span(head)));
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | head[static_cast<size_t>(i)];
  if (length > file.size() - head.size()) {
    io_fail(file.path(), fmt::format("declares a header of {}, longer than the file, which has {} left; it is cut "
                                     "short or no .safetensors file, so save or copy it again",
                                     byte_count(length), file.size() - head.size()));
  }
  // The format's own limit.
  constexpr uint64_t most = 100'000'000;
  if (length > most) damaged(file, fmt::format("it is {} bytes long, where the format allows {}", length, most));
  std::string text(length, '\0');
  file.read_at(head.size(), std::as_writable_bytes(std::span(text)));
  data_start = head.size() + length;
  return text;
}

// Of the largest models' headers, and more: a tensor is nine values.
constexpr JsonLimits kLimits{3, size_t{1} << 22};

json parse_header(const InputFile& file, const std::string& text) {
  json header;
  try {
    header = read_json(text, kLimits);
  } catch (const JsonError& error) {
    damaged(file, fmt::format("it {}", error.what()));
  }
  if (!header.is_object()) damaged(file, "it is not a JSON object");
  return header;
}

std::map<std::string, std::string> read_metadata(const InputFile& file, const json& entry) {
  std::map<std::string, std::string> out;
  if (entry.is_null()) return out;
  if (!entry.is_object()) damaged(file, "its __metadata__ is not a JSON object");
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) damaged(file, fmt::format("its __metadata__ {} is not a string", in_quotes(key)));
    out[key] = value.get<std::string>();
  }
  return out;
}

TensorInfo read_tensor(const InputFile& file, const std::string& name, const json& entry, uint64_t data_start) {
  auto wrong = [&](std::string_view what) { damaged(file, fmt::format("tensor {} {}", in_quotes(name), what)); };
  if (!entry.is_object()) wrong("is not a JSON object");
  for (const char* key : {"dtype", "shape", "data_offsets"}) {
    if (!entry.contains(key)) wrong(fmt::format("has no \"{}\"", key));
  }
  TensorInfo info;
  info.name = name;
  if (!entry["dtype"].is_string()) wrong("has a dtype that is not a string");
  info.dtype = entry["dtype"].get<std::string>();

  // Elements, unless that number is larger than any file.
  const json& shape = entry["shape"];
  if (!shape.is_array()) wrong("has a shape that is not a list");
  uint64_t elements = 1;
  bool empty = false, overflow = false;
  for (const json& axis : shape) {
    if (axis.is_number_integer() && !axis.is_number_unsigned()) wrong("has a negative axis");
    if (axis.is_number_float()) wrong("has an axis that is not a whole number, or one too large for any file");
    if (!axis.is_number_unsigned()) wrong("has an axis that is not a number");
    const auto count = axis.get<uint64_t>();
    if (count > uint64_t{INT64_MAX}) wrong("has an axis too large for any file");
    info.shape.push_back(static_cast<int64_t>(count));
    empty |= count == 0;
    overflow |= __builtin_mul_overflow(elements, count, &elements);
  }
  if (empty) elements = 0;
  if (!empty && overflow) wrong(fmt::format("has shape {}, too large for any file", shape_text(info.shape)));

  const json& offsets = entry["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned()) {
    wrong("has data_offsets that are not two whole numbers");
  }
  const auto begin = offsets[0].get<uint64_t>(), end = offsets[1].get<uint64_t>();
  if (begin > end) wrong(fmt::format("ends at byte {}, before it begins at {}", end, begin));
  const uint64_t there = file.size() - data_start;
  if (end > there) {
    io_fail(file.path(), fmt::format("is cut short: tensor {} ends at byte {} of the data, and {} are there; save or "
                                     "copy it again",
                                     in_quotes(name), end, there));
  }
  info.offset = data_start + begin;
  info.bytes = end - begin;

  for (const SafeType& known : safe_types) {
    if (info.dtype != known.dtype) continue;
    info.format = known.format;
    uint64_t bits = 0;
    if (__builtin_mul_overflow(elements, uint64_t{known.bits}, &bits) || bits % 8 != 0 || bits / 8 != info.bytes) {
      wrong(fmt::format("of shape {} and dtype {} does not match its {} of data", shape_text(info.shape), info.dtype,
                        byte_count(info.bytes)));
    }
  }
  return info;
}

// The tensors fill the data from its first byte to its last, each byte once.
void check_layout(const InputFile& file, const std::vector<TensorInfo>& tensors, uint64_t data_start) {
  std::vector<const TensorInfo*> order;
  for (const TensorInfo& info : tensors) order.push_back(&info);
  std::sort(order.begin(), order.end(), [](const TensorInfo* a, const TensorInfo* b) {
    return std::pair(a->offset, a->bytes) < std::pair(b->offset, b->bytes);
  });
  uint64_t at = data_start;
  const TensorInfo* before = nullptr;
  for (const TensorInfo* info : order) {
    if (info->offset < at) {
      damaged(file, fmt::format("tensors {} and {} overlap", in_quotes(before->name), in_quotes(info->name)));
    }
    if (info->offset > at) {
      damaged(file,
              fmt::format("{} before tensor {} in no tensor", byte_count(info->offset - at), in_quotes(info->name)));
    }
    at = info->offset + info->bytes;
    before = info;
  }
  if (at < file.size()) damaged(file, fmt::format("{} after the last tensor", byte_count(file.size() - at)));
}

// "layer2.q" before "layer10.q": runs of digits compare as numbers.
bool natural_less(const TensorInfo& left, const TensorInfo& right) {
  auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string &a = left.name, &b = right.name;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i, ++j;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    size_t i_end = i, j_end = j;
    while (i_end < a.size() && digit(a[i_end])) ++i_end;
    while (j_end < b.size() && digit(b[j_end])) ++j_end;
    if (i_end - i != j_end - j) return i_end - i < j_end - j;
    if (const int order = a.compare(i, i_end - i, b, j, j_end - j)) return order < 0;
    i = i_end, j = j_end;
  }
  if ((i < a.size()) != (j < b.size())) return j < b.size();
  return a < b;
}

}  // namespace

TensorIndex read_safetensors_index(const InputFile& file) {
  uint64_t data_start = 0;
  const json header = parse_header(file, read_header(file, data_start));
  TensorIndex index;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      index.metadata = read_metadata(file, entry);
    } else {
      index.tensors.push_back(read_tensor(file, name, entry, data_start));
    }
  }
  if (index.tensors.empty()) io_fail(file.path(), "holds no tensors; save Q, K and V in it");
  check_layout(file, index.tensors, data_start);
  std::sort(index.tensors.begin(), index.tensors.end(), natural_less);
  return index;
}

}  // namespace tilewalk
