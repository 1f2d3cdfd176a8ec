#include "core/io/npy.h"

#include "tests/core/io_helpers.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tilewalk::test_npy {
namespace fs = std::filesystem;

namespace {

const std::string six_floats = bytes_of_values<float>({1, 2, 3, 4, 5, -6.5f});

std::string npy_sentence(const fs::path& path) {
  return sentence_of(path, [&] { TensorFile(path).load(""); });
}

}  // namespace

TEST_CASE("npy of every version, dtype and number of axes") {
  const ScratchFolder folder;
  for (const int version : {1, 2, 3}) {
    const TensorFile file(put(folder / "q.npy", npy("<f4", "(2, 3)", six_floats, version)));
    REQUIRE(file.tensors().size() == 1);
    const TensorInfo& info = file.tensors()[0];
    CHECK(info.name == "q");
    CHECK(info.dtype == "F32");
    CHECK(info.shape == std::vector<int64_t>{2, 3});
    CHECK(info.bytes == 24);
    const Slice slice = file.load("q");
    CHECK(slice.format == Format::Float32);
    CHECK(slice.values.rows == 2);
    CHECK(slice.values.cols == 3);
    CHECK(slice.values.values == std::vector<double>{1, 2, 3, 4, 5, -6.5});
  }
  const Slice half =
      TensorFile(put(folder / "h.npy",
                     npy("<f2", "(1, 6)", bytes_of_values<uint16_t>({0x3C00, 0xC100, 0x0001, 0x7BFF, 0x8000, 0x03FF}))))
          .load("");
  CHECK(half.format == Format::Float16);
  CHECK(half.values.values == std::vector<double>{1, -2.5, 0x1p-24, 65504, 0, 0x3FFp-24});
  CHECK(std::signbit(half.values.at(0, 4)));
  const Slice full =
      TensorFile(put(folder / "d.npy", npy("<f8", "(2, 1)", bytes_of_values<double>({0.1, -1e300})))).load("");
  CHECK(full.format == Format::Float64);
  CHECK(full.values.values == std::vector<double>{0.1, -1e300});
}

TEST_CASE("npy heads and batches are chosen by index") {
  const ScratchFolder folder;
  std::vector<float> values(2 * 3 * 4 * 5);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const TensorFile four(put(folder / "x.npy", npy("<f4", "(2, 3, 4, 5)", bytes_of_values(values))));
  const TensorAxes axes = four.axes("");
  CHECK(axes.batches == 2);
  CHECK(axes.heads == 3);
  CHECK(axes.rows == 4);
  CHECK(axes.cols == 5);
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t h = 0; h < 3; ++h) {
      const Matrix slice = four.load("x", b, h).values;
      CHECK(slice.at(0, 0) == double(((b * 3 + h) * 4 + 0) * 5 + 0));
      CHECK(slice.at(2, 3) == double(((b * 3 + h) * 4 + 2) * 5 + 3));
    }
  }
  const TensorFile three(put(folder / "y.npy", npy("<f4", "(6, 4, 5)", bytes_of_values(values))));
  CHECK(three.load("y", 0, 5).values.at(3, 4) == 119);

  auto load = [](const TensorFile& file, int64_t batch, int64_t head) {
    return sentence_of(file.path(), [&] { file.load("", batch, head); });
  };
  check_words(load(four, 2, 0), {"no batch 3", "[2, 3, 4, 5]", "batches 1 to 2"});
  check_words(load(four, 0, 3), {"no head 4", "heads 1 to 3"});
  check_words(load(four, 0, -1), {"no head 0:", "heads 1 to 3"});
  check_words(load(four, 0, std::numeric_limits<int64_t>::max()), {"no head 9223372036854775808"});
  check_words(load(three, 1, 0), {"no batch 2", "only batch 1"});
}

TEST_CASE("a slice longer than one read is whole") {
  const ScratchFolder folder;
  std::vector<float> values(700'001);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 8191);
  const Slice slice = TensorFile(put(folder / "x.npy", npy("<f4", "(700001, 1)", bytes_of_values(values)))).load("");
  bool same = true;
  for (size_t i = 0; i < values.size(); ++i) same &= slice.values.values[i] == values[i];
  CHECK(same);
}

TEST_CASE("headers written in other ways are read too") {
  const ScratchFolder folder;
  for (const char* dict : {"{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}",
                           "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,3,),}",
                           "{ 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 2L , 3L ) } \n \n"}) {
    CAPTURE(dict);
    CHECK(TensorFile(put(folder / "x.npy", npy_around(dict, six_floats))).load("").values.at(1, 2) == -6.5);
  }
  // The content decides, not the name.
  CHECK(TensorFile(put(folder / "x.dat", npy("<f4", "(2, 3)", six_floats))).load("x").values.at(0, 1) == 2);
}

TEST_CASE("what is wrong with a npy file is said in words") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  auto dict = [](const char* text) { return npy_around(text, six_floats); };
  const std::string good = npy("<f4", "(2, 3)", six_floats);
  struct Bad {
    std::string bytes;
    std::vector<std::string> words;
  };
  const Bad list[] = {
      {"", {"is empty"}},
      {good.substr(0, 3), {"cut short", "header"}},
      {good.substr(0, 9), {"cut short", "header"}},
      {npy("<f4", "(2, 3)", six_floats, 2).substr(0, 11), {"cut short", "header"}},
      {good.substr(0, 40), {"declares a header of 118 bytes", "longer than the file", "30 left"}},
      {good.substr(0, good.size() - 1), {"cut short", "[2, 3]", "needs 24 bytes", "23 are there"}},
      {good.substr(0, 128), {"cut short", "needs 24 bytes", "0 are there"}},
      {good + "xx", {"2 bytes after", "24 bytes", "one array per file"}},
      {"not numpy at all, just words", {"does not start", "np.save"}},
      {"\x94NUMPY" + good.substr(6), {"does not start"}},
      {"PK\x03\x04 and so on", {"zip archive", ".npz"}},
      {"\x80\x04 and so on", {"pickle"}},
      {"version https://git-lfs.github.com/spec/v1\noid", {"Git LFS", "git lfs pull"}},
      {npy_around("{}", "", 4), {"version 4.0", "1.0 to 3.0"}},
      {npy_around("{}", "", 1, 1), {"version 1.1"}},
      {npy_around(std::string(70000, ' '), "", 2), {"header of 70004 bytes", "65536"}},
      {npy("<i4", "(2, 3)", six_floats), {"int32", "<i4", "float16, float32 and float64", "astype"}},
      {npy("<u2", "(2, 3)", six_floats), {"uint16"}},
      {npy("|b1", "(2, 3)", six_floats), {"bool"}},
      {npy("<c8", "(2, 3)", six_floats), {"complex64"}},
      {npy("<f16", "(2, 3)", six_floats), {"float128"}},
      {npy("<U7", "(2, 3)", six_floats), {"text"}},
      {npy("<M8[ns]", "(2, 3)", six_floats), {"dates"}},
      {npy("<V2", "(2, 3)", six_floats), {"bfloat16", "astype"}},
      {npy("\x01", "(2, 3)", six_floats), {"unknown type", "\\x01"}},
      {npy("", "(2, 3)", six_floats), {"unknown type"}},
      {npy("|O", "(2, 3)", six_floats), {"Python objects", "astype"}},
      {npy(">f4", "(2, 3)", six_floats), {"big-endian", ">f4", "astype('<f4')"}},
      {npy(">f2", "(2, 3)", six_floats), {"big-endian", "astype('<f2')"}},
      {dict("{'descr': [('x', '<f4'), ('y', '<f4')], 'fortran_order': False, 'shape': (3,), }"), {"records"}},
      {dict("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }"), {"Fortran order", "np.ascontiguousarray"}},
      {dict("{'descr': '<f4', 'fortran_order': 1, 'shape': (2, 3), }"), {"damaged header", "True nor False"}},
      {dict("{'descr': '<f4', 'fortran_order': False, }"), {"no key \"shape\""}},
      {dict("{'descr': '<f4', 'shape': (2, 3), }"), {"no key \"fortran_order\""}},
      {dict("{}"), {"no key \"descr\""}},
      {dict("{'descr': '<f4', 'descr': '<f2', }"), {"\"descr\" twice"}},
      {dict("{'colour': 'red'}"), {"unknown key \"colour\""}},
      {dict("['descr']"), {"'{' expected at byte 1"}},
      {dict("{'descr' '<f4'}"), {"':' expected at byte 10"}},
      {dict("{'descr': '<f4"), {"without its end"}},
      {dict("{'descr': 7}"), {"a string expected at byte 11"}},
      {dict("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x"), {"after its closing brace"}},
      {dict("{'descr': '<f4', 'fortran_order': False, 'shape': 6}"), {"'(' expected"}},
      {dict("{'descr': '<f4', 'fortran_order': False, 'shape': (2, x)}"), {"a number expected"}},
      {dict("{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}"), {"',' expected"}},
      {npy("<f4", "(-2, 3)", six_floats), {"negative"}},
      {npy("<f4", "(99999999999999999999, 3)", six_floats), {"too large for any file"}},
      {npy("<f4", "(4294967296, 4294967296, 2)", six_floats), {"too large for any file", "4294967296"}},
      {npy("<f4", "(9000000000000000000, 1)", six_floats), {"too large for any file"}},
      {npy("<f4", "(1000000000, 1000)", six_floats), {"cut short", "4000000000000 bytes"}},
      {npy("<f4", "(0, 3)", ""), {"[0, 3]", "no elements", "at least 1"}},
      {npy("<f4", "(6,)", six_floats), {"[6]", "has 1 axis", "[N, d]"}},
      {npy("<f4", "()", six_floats.substr(0, 4)), {"[]", "has 0 axes"}},
      {npy("<f4", "(1, 1, 1, 2, 3)", six_floats), {"[1, 1, 1, 2, 3]", "has 5 axes", "[B, H, N, d]"}},
      {npy("<f4", "(2, 2)", bytes_of_values<float>({1, 2, 3, nan})), {"NaN", "\"x\"", "row 2, column 2"}},
      {npy("<f4", "(1, 4)", bytes_of_values<float>({1, inf, 3, 4})), {"infinity", "row 1, column 2"}},
      {npy("<f2", "(2, 1)", bytes_of_values<uint16_t>({0, 0xFC00})), {"minus infinity", "row 2, column 1"}},
      {npy("<f2", "(2, 1)", bytes_of_values<uint16_t>({0x7C01, 0})), {"NaN", "row 1, column 1"}},
  };
  const ScratchFolder folder;
  for (const Bad& bad : list) {
    CAPTURE(bad.bytes.substr(0, 120));
    check_words(npy_sentence(put(folder / "x.npy", bad.bytes)), bad.words);
  }
  check_words(npy_sentence(folder.path), {"is a folder"});
  check_words(npy_sentence(folder / "none.npy"), {"is not there"});
  check_words(sentence_of(folder / "x.bin", [&] { TensorFile(put(folder / "x.bin", "words and words")); }),
              {"neither a .npy nor a .safetensors"});
}

TEST_CASE("where NaN is, counts from 1 over all axes") {
  const ScratchFolder folder;
  std::vector<float> values(2 * 3 * 4 * 5, 1.0f);
  values[((1 * 3 + 2) * 4 + 0) * 5 + 3] = std::nanf("");
  const TensorFile file(put(folder / "x.npy", npy("<f4", "(2, 3, 4, 5)", bytes_of_values(values))));
  CHECK(file.load("x", 1, 1).values.rows == 4);
  check_words(sentence_of(file.path(), [&] { file.load("x", 1, 2); }),
              {"holds NaN in tensor \"x\" at batch 2, head 3, row 1, column 4 (counted from 1)"});
}

TEST_CASE("a file that shrinks while it is open is an error, not a crash") {
  const ScratchFolder folder;
  const TensorFile file(put(folder / "x.npy", npy("<f4", "(2, 3)", six_floats)));
  fs::resize_file(file.path(), 140);
  check_words(sentence_of(file.path(), [&] { file.load("x"); }), {"cut short"});
}

TEST_CASE("a huge file costs one slice") {
  const ScratchFolder folder;
  const std::string head = npy("<f4", "(8, 16, 131072, 160)", "");
  const fs::path path = put(folder / "x.npy", head);
  const uint64_t data = uint64_t{8} * 16 * 131072 * 160 * 4;
  std::error_code error;
  fs::resize_file(path, head.size() + data, error);
  if (error) {
    MESSAGE("skipped: no sparse file of 10.7 GB here: " << error.message());
    return;
  }
  {
    std::fstream out(path, std::ios::in | std::ios::out | std::ios::binary);
    const float last = 7;
    out.seekp(static_cast<std::streamoff>(head.size() + data - 4));
    out.write(reinterpret_cast<const char*>(&last), 4);
    REQUIRE(out.good());
  }
  const TensorFile file(path);
  const Matrix slice = file.load("x", 7, 15).values;
  CHECK(slice.rows == 131072);
  CHECK(slice.at(131071, 159) == 7);
  CHECK(slice.at(131071, 158) == 0);

  // One head of more values than anybody can look at is refused before memory is asked for.
  const std::string wide = npy("<f4", "(131072, 20480)", "");
  fs::resize_file(put(folder / "wide.npy", wide), wide.size() + data);
  check_words(npy_sentence(folder / "wide.npy"), {"2684354560 numbers a head", "at most 67108864"});
}

TEST_CASE("mutated npy files give a value or a sentence") {
  const ScratchFolder folder;
  std::mt19937 random(20261120);
  const std::string seeds[] = {npy("<f4", "(2, 3)", six_floats), npy("<f2", "(2, 2, 3)", six_floats, 2),
                               npy("<f8", "(1, 1, 1, 3)", six_floats, 3)};
  read_broken_files(
      folder / "x.npy", [&](int i) { return mutated(seeds[i % 3], random); },
      [](const fs::path& path) {
        const TensorFile file(path);
        const Slice slice = file.load("");
        CHECK(slice.values.values.size() == size_t(slice.values.rows * slice.values.cols));
      });
}

}  // namespace tilewalk::test_npy
