// Reads the one-line Python dictionary of a .npy header with a reader of just that much Python. See npy.h.
#include "core/io/npy.h"

#include "core/io/number.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <set>

namespace tilewalk {
namespace {

struct NpyHeader {
  std::string descr;        // "<f4"
  bool structured = false;  // descr was a list of fields
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// Walks over the text; any surprise is an IoError that says where.
class DictReader {
 public:
  DictReader(const InputFile& file, std::string_view text) : file_(file), text_(text) {}

  NpyHeader read() {
    NpyHeader header;
    std::set<std::string> seen;
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      if (!seen.insert(key).second) fail(fmt::format("the key {} twice", in_quotes(key)));
      if (key == "descr") {
        skip_spaces();
        header.structured = at_ < text_.size() && text_[at_] == '[';
        // Nothing after a list of fields matters: it is refused.
        if (header.structured) return header;
        header.descr = string();
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
      } else if (key == "shape") {
        header.shape = tuple();
      } else {
        fail(fmt::format("the unknown key {}", in_quotes(key)));
      }
      if (take('}')) break;
      expect(',');
    }
    skip_spaces();
    if (at_ < text_.size()) fail("more after its closing brace");
    for (const char* key : {"descr", "fortran_order", "shape"}) {
      if (!seen.contains(key)) fail(fmt::format("no key \"{}\"", key));
    }
    return header;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    io_fail(file_.path(), fmt::format("has a damaged header ({}); save it again with np.save", what));
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  bool take(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(fmt::format("'{}' expected at byte {}", c, at_ + 1));
  }

  std::string string() {
    skip_spaces();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail(fmt::format("a string expected at byte {}", at_ + 1));
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a string without its end");
    std::string out(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return out;
  }

  bool boolean() {
    skip_spaces();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    fail("fortran_order is neither True nor False");
  }

  std::vector<int64_t> tuple() {
    std::vector<int64_t> out;
    expect('(');
    while (!take(')')) {
      out.push_back(axis());
      if (take(')')) break;
      expect(',');
    }
    return out;
  }

  int64_t axis() {
    if (take('-')) fail("an axis is negative");
    skip_spaces();
    int64_t value = 0;
    const size_t start = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value)) {
        fail("an axis is too large for any file");
      }
    }
    if (at_ == start) fail(fmt::format("a number expected at byte {}", at_ + 1));
    // Python 2 wrote its long integers with an L.
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  const InputFile& file_;
  std::string_view text_;
  size_t at_ = 0;
};

struct NpyType {
  std::string_view descr, dtype;
  Format format;
};
constexpr NpyType npy_types[] = {
    {"<f2", "F16", Format::Float16},
    {"<f4", "F32", Format::Float32},
    {"<f8", "F64", Format::Float64},
};

// "<i4" as NumPy's users know it: "int32".
std::string dtype_words(std::string_view descr) {
  if (descr.size() < 2) return "an unknown type";
  const int bytes = number_or(descr.substr(2, 6), 0);
  switch (descr[1]) {
    case 'b': return "bool";
    case 'i': return fmt::format("int{}", 8 * bytes);
    case 'u': return fmt::format("uint{}", 8 * bytes);
    case 'f': return fmt::format("float{}", 8 * bytes);
    case 'c': return fmt::format("complex{}", 8 * bytes);
    case 'S':
    case 'a':
    case 'U': return "text";
    case 'M':
    case 'm': return "dates or times";
    case 'V': return "raw bytes (what becomes of bfloat16 in a .npy file)";
    default: return "an unknown type";
  }
}

NpyType check_type(const InputFile& file, const NpyHeader& header) {
  if (header.structured) {
    io_fail(file.path(), "holds records (a structured dtype); save each field as a plain float32 array");
  }
  const std::string& descr = header.descr;
  for (const NpyType& type : npy_types) {
    if (descr == type.descr) return type;
  }
  if (descr.size() > 1 && descr[1] == 'O') {
    io_fail(file.path(), "holds Python objects (dtype object); save it with a.astype(np.float32)");
  }
  if (descr == ">f2" || descr == ">f4" || descr == ">f8") {
    io_fail(file.path(),
            fmt::format("holds big-endian numbers ({}); save it with a.astype('<{}')", descr, descr.substr(1)));
  }
  io_fail(file.path(),
          fmt::format("holds {} (dtype {}); only float16, float32 and float64 can be read, so save it with "
                      "a.astype(np.float32)",
                      dtype_words(descr), in_quotes(descr, 20)));
}

// The header's text; `data_start` becomes the offset of the first element.
std::string read_npy_header(const InputFile& file, uint64_t& data_start) {
  auto cut_short = [&] { io_fail(file.path(), "is cut short inside its header; save or copy it again"); };
  std::array<unsigned char, 12> head{};
  const size_t there = std::min<uint64_t>(file.size(), head.size());
  file.read_at(0, std::as_writable_bytes(std::span(head)).first(there));
  if (there < 10) cut_short();

  const int major = head[6], minor = head[7];
  if (major < 1 || major > 3 || minor != 0) {
    io_fail(file.path(), fmt::format("is a .npy file of version {}.{}; versions 1.0 to 3.0 can be read, so save it "
                                     "again with np.save",
                                     major, minor));
  }
  uint64_t length = head[8] | head[9] << 8;
  data_start = 10;
  if (major > 1) {
    if (there < 12) cut_short();
    length |= uint64_t{head[10]} << 16 | uint64_t{head[11]} << 24;
    data_start = 12;
  }
  if (length > file.size() - data_start) {
    io_fail(file.path(), fmt::format("declares a header of {}, longer than the file, which has {} left; save or "
                                     "copy it again",
                                     byte_count(length), file.size() - data_start));
  }
  constexpr uint64_t most = 65536;
  if (length > most) {
    io_fail(file.path(), fmt::format("has a header of {} bytes, and a plain array needs less than {}; save it again "
                                     "with np.save",
                                     length, most));
  }
  std::string text(length, '\0');
  file.read_at(data_start, std::as_writable_bytes(std::span(text)));
  data_start += length;
  return text;
}

}  // namespace

TensorIndex read_npy_index(const InputFile& file) {
  TensorInfo info;
  const std::string text = read_npy_header(file, info.offset);
  const NpyHeader header = DictReader(file, text).read();
  const NpyType type = check_type(file, header);
  if (header.fortran_order) {
    io_fail(file.path(), "is in Fortran order; save it with np.save(path, np.ascontiguousarray(a))");
  }

  info.name = file.path().stem().string();
  info.dtype = type.dtype;
  info.format = type.format;
  info.shape = header.shape;
  info.bytes = static_cast<uint64_t>(bytes_of(type.format));
  if (std::find(info.shape.begin(), info.shape.end(), 0) != info.shape.end()) info.bytes = 0;
  for (const int64_t axis : info.shape) {
    if (__builtin_mul_overflow(info.bytes, static_cast<uint64_t>(axis), &info.bytes)) {
      io_fail(file.path(),
              fmt::format("declares shape {}, too large for any file; save it again", shape_text(info.shape)));
    }
  }
  const uint64_t there = file.size() - info.offset;
  if (info.bytes > there) {
    io_fail(file.path(), fmt::format("is cut short: shape {} needs {} of numbers, and {} are there; save or copy "
                                     "it again",
                                     shape_text(info.shape), byte_count(info.bytes), there));
  }
  if (info.bytes < there) {
    io_fail(file.path(), fmt::format("has {} after its {} of numbers; save one array per file",
                                     byte_count(there - info.bytes), byte_count(info.bytes)));
  }
  TensorIndex index;
  index.tensors.push_back(std::move(info));
  return index;
}

}  // namespace tilewalk
