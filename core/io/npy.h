// NumPy's .npy header, versions 1.0 to 3.0: a magic string, a length, and a Python dictionary written out. Only fp16,
// fp32 and fp64, little-endian, in C order, pass; everything else is refused by its name.
// Source: numpy.lib.format, "Format Version 1.0" to "3.0".
#pragma once

#include "core/io/tensor_file.h"

#include <string_view>

namespace tilewalk {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

// One tensor, named after the file. IoError says what is wrong with the header, the dtype, the shape or the size.
TensorIndex read_npy_index(const InputFile& file);

}  // namespace tilewalk
