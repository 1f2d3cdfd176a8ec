// The header of a .safetensors file: eight bytes of length, then JSON that names each tensor's dtype, shape and place.
// All of it is checked against the file's size, and as the format demands, the tensors must fill the data without
// overlap and without holes. A tensor of a dtype that cannot be loaded is listed, and refused when it is asked for.
// Source: the safetensors format description, github.com/huggingface/safetensors.
#pragma once

#include "core/io/tensor_file.h"

namespace tilewalk {

// Loadable are F16, BF16 and F32. IoError says what is wrong with the header.
TensorIndex read_safetensors_index(const InputFile& file);

}  // namespace tilewalk
