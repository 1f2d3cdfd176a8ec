#include "core/io/tensor_file.h"
#include "tests/core/io_helpers.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scratch_file.h"

namespace tilewalk::test_npy {

namespace {

// Its dictionary changed as text with the length put right, or any of its bytes.
std::string changed(const FuzzedReader& reader, Dice& dice) {
  const std::string& seed = dice.any(reader.seeds);
  if (dice.one_in(3)) return changed_text(seed, reader, dice);
  const size_t begin = seed.find('{'), end = seed.find('\n', begin);
  std::string dict = changed_text(seed.substr(begin, end - begin), reader, dice);
  if (dict.size() > 65000 && !dice.one_in(4)) dict.resize(65000);
  return npy_around(std::move(dict), std::string_view(seed).substr(end + 1), dict.size() > 65000 ? 2 : 1);
}

bool read_npy(const std::filesystem::path& path) {
  try {
    const TensorFile file(path);
    for (const TensorInfo& info : file.tensors()) {
      const TensorAxes axes = file.axes(info.name);
      file.load(info.name, axes.batches - 1, axes.heads - 1);
    }
    return true;
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace

TEST_CASE(".npy files") {
  ScratchFile scratch("a.npy");
  const std::string data(96, '\x3C');
  fuzz({"npy",
        {npy("<f4", "(3, 8)", data), npy("<f2", "(2, 3, 8)", data), npy("<f8", "(1, 2, 3, 2)", data, 2)},
        {"'descr': ", "'shape': (", "'fortran_order': True", ", ", "(1,)", "9223372036854775807", "0", "-1", "L", "{",
         "}", "[('a', '<f4')]", "'<f4'", "'|O'", "'>f4'", "\x93NUMPY", "\n", "\""},
        [&](const std::string& input) { return read_npy(scratch.with(input)); },
        changed});
}

}  // namespace tilewalk::test_npy
