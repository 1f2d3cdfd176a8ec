#include "kernels/worker/device_inputs.h"

#include "core/attention/input_bits.h"
#include "core/attention/inputs.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tilewalk::gpu {
namespace {

constexpr int kThreads = 256;

template <class T>
__device__ T rounded(float value);
template <>
__device__ __half rounded<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ __nv_bfloat16 rounded<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

// One thread an element of out [batch * heads, n, width]: rows `first` and on of each head.
template <class T>
__global__ void generate(T* out, int64_t elements, int64_t first, int64_t n, int heads, int d, int width,
                         Distribution distribution, uint64_t seed, uint64_t tensor) {
  for (int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x; at < elements; at += int64_t(gridDim.x) * kThreads) {
    const int64_t row = first + at / width % n, head = at / width / n;
    const int col = int(at % width);
    float value = 0;
    if (col < d) {
      const uint64_t key =
          input_bits::row_key(seed, tensor, uint64_t(head / heads), uint64_t(head % heads), uint64_t(row));
      value = float(input_bits::element(distribution, input_bits::element_key(key, uint64_t(col)))) * 0x1p-16f;
    }
    out[at] = rounded<T>(value);
  }
}

// The values of one head, [n, d], for all heads to share.
template <class T>
__global__ void spread(T* out, int64_t elements, int64_t n, int d, int width, const float* values) {
  for (int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x; at < elements; at += int64_t(gridDim.x) * kThreads) {
    const int64_t row = at / width % n;
    const int col = int(at % width);
    out[at] = rounded<T>(col < d ? values[row * d + col] : 0.f);
  }
}

int blocks_for(int64_t elements) { return int(std::min<int64_t>((elements + kThreads - 1) / kThreads, 132 * 64)); }

int64_t elements_of(const Problem& p, int64_t n, int64_t width) { return p.batch * p.heads * n * width; }

template <class T>
void queue_rows(const Problem& p, InputTensor tensor, int64_t first, int64_t rows, int64_t width, void* out) {
  const int64_t elements = elements_of(p, rows, width);
  generate<T><<<blocks_for(elements), kThreads>>>(static_cast<T*>(out), elements, first, rows, int(p.heads), int(p.d),
                                                  int(width), p.distribution, p.seed, uint64_t(tensor));
}

template <class T>
void make_tensor(const Problem& p, const RunInputs& inputs, InputTensor tensor, int64_t width, Buffer& buffer) {
  const bool is_q = tensor == InputTensor::Q;
  const int64_t n = is_q ? p.n_q : p.n_k, elements = elements_of(p, n, width);
  T* out = static_cast<T*>(buffer.hold(size_t(elements) * sizeof(T)));
  if (inputs.kind == RunInputs::Kind::Generated) {
    queue_rows<T>(p, tensor, 0, n, width, out);
  } else {
    Buffer values;
    values.upload(std::span<const float>(is_q ? inputs.q : tensor == InputTensor::K ? inputs.k : inputs.v));
    spread<T><<<blocks_for(elements), kThreads>>>(out, elements, n, int(p.d), int(width), values.as<float>());
    check(cudaDeviceSynchronize(), "Making the inputs");
  }
  check(cudaGetLastError(), "Making the inputs");
}

// Head 0 as the simulator has it, without the padding.
Matrix read_back(const Buffer& buffer, Format format, int64_t rows, int64_t d, int64_t pitch) {
  const std::vector<uint16_t> bits = buffer.download<uint16_t>(size_t(rows * pitch));
  Matrix m(rows, d);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < d; ++c) {
      const uint16_t element = bits[size_t(r * pitch + c)];
      m.at(r, c) = format == Format::BFloat16 ? bfloat16_to_double(element) : half_to_double(element);
    }
  return m;
}

// What the values depend on.
Problem essence(const Problem& p) {
  return {.batch = p.batch,
          .heads = p.heads,
          .n_q = p.n_q,
          .n_k = p.n_k,
          .d = p.d,
          .format = p.format,
          .distribution = p.distribution,
          .seed = p.seed};
}

// With the heads of K and V.
Problem keys_of(const RunSpec& spec) {
  Problem keys = spec.problem;
  keys.heads /= group_of(spec);
  return keys;
}

}  // namespace

bool DeviceInputs::holds(const RunSpec& spec) const {
  const RunInputs& inputs = spec.inputs;
  return made_ && essence(spec.problem) == problem_ && group_of(spec) == group_ && inputs.kind == inputs_.kind &&
         inputs.q == inputs_.q && inputs.k == inputs_.k && inputs.v == inputs_.v;
}

void DeviceInputs::make(const RunSpec& spec, int64_t width) {
  made_ = false;
  const Problem& problem = spec.problem;
  const Problem keys = keys_of(spec);
  const std::pair<const Problem*, Buffer*> tensors[] = {{&problem, &q_}, {&keys, &k_}, {&keys, &v_}};
  for (int t = 0; t < 3; ++t) {
    const auto& [of, buffer] = tensors[t];
    if (element_of(problem.format) == Element::BFloat16)
      make_tensor<__nv_bfloat16>(*of, spec.inputs, InputTensor(t), width, *buffer);
    else
      make_tensor<__half>(*of, spec.inputs, InputTensor(t), width, *buffer);
  }
  check(cudaDeviceSynchronize(), "Making the inputs");
  hash_ = hash_of(Inputs{read_back(q_, problem.format, problem.n_q, problem.d, width),
                         read_back(k_, problem.format, problem.n_k, problem.d, width),
                         read_back(v_, problem.format, problem.n_k, problem.d, width), ""});
  problem_ = essence(problem);
  group_ = group_of(spec);
  width_ = width;
  inputs_ = spec.inputs;
  made_ = true;
}

void DeviceInputs::release() {
  made_ = false;
  for (Buffer* buffer : {&q_, &k_, &v_}) buffer->release();
}

void make_rows(const Problem& problem, InputTensor tensor, int64_t first, int64_t rows, void* out) {
  if (element_of(problem.format) == Element::BFloat16)
    queue_rows<__nv_bfloat16>(problem, tensor, first, rows, padded_d(problem.d), out);
  else
    queue_rows<__half>(problem, tensor, first, rows, padded_d(problem.d), out);
  check(cudaGetLastError(), "Making the inputs");
}

size_t DeviceInputs::bytes(const RunSpec& spec, int64_t width) {
  const Problem keys = keys_of(spec);
  return size_t(elements_of(spec.problem, spec.problem.n_q, width) + 2 * elements_of(keys, keys.n_k, width)) * 2;
}

}  // namespace tilewalk::gpu
