#include "kernels/program_runner.h"

#include "core/attention/gradients.h"
#include "core/attention/reference.h"
#include "core/machine/cost.h"
#include "core/run/tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <stdexcept>
#include <utility>

namespace tilewalk::gpu {
namespace {

void must(cudaError_t error, const char* what) {
  if (error) throw std::runtime_error(fmt::format("{}: {}", what, cudaGetErrorString(error)));
}

struct DeviceBytes {
  void* data = nullptr;
  size_t bytes = 0;
  DeviceBytes() = default;
  DeviceBytes(DeviceBytes&& other) noexcept : data(std::exchange(other.data, nullptr)), bytes(other.bytes) {}
  DeviceBytes& operator=(DeviceBytes&& other) noexcept {
    std::swap(data, other.data);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~DeviceBytes() { cudaFree(data); }
  void* hold(size_t count) {
    must(cudaMalloc(&data, count ? count : 1), "Allocating GPU memory");
    bytes = count;
    return data;
  }
  template <class T>
  T* upload(const std::vector<T>& values) {
    hold(values.size() * sizeof(T));
    must(cudaMemcpy(data, values.data(), bytes, cudaMemcpyHostToDevice), "Copying to the GPU");
    return static_cast<T*>(data);
  }
};

uint16_t half_bits(double x) { return __half_as_ushort(__float2half_rn(float(x))); }
double from_half(uint16_t bits) { return __half2float(__ushort_as_half(bits)); }

void append(std::vector<uint16_t>& to, const Matrix& x) {
  for (double value : x.values) to.push_back(half_bits(value));
}
void append(std::vector<float>& to, const Matrix& x) { to.insert(to.end(), x.values.begin(), x.values.end()); }

}  // namespace

struct ProgramRunner::State {
  const PackedProgram& program;
  const Schedule& schedule;
  const Plan& plan;
  int64_t heads;
  std::vector<Inputs> inputs;  // of each head, as they were rounded
  std::vector<Matrix> d_o;
  DeviceBytes words, begin, tensor[kTensorCount], o_between, dq_between, o_parts, lse_parts;
  ProgramMemory memory;
  DeviceProgram on_device{};
  std::vector<DeviceBytes*> written;  // poisoned before a launch
};

ProgramRunner::ProgramRunner(const PackedProgram& program, const Schedule& schedule, const Plan& plan)
    : state_(new State{program,
                       schedule,
                       plan,
                       plan.problem.batch * plan.problem.heads,
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {},
                       {}}) {
  State& s = *state_;
  const Tiling& t = plan.tiling;
  const Problem& p = plan.problem;
  std::vector<uint16_t> q, k, v, gradient, o, weights;
  std::vector<float> m, l, lse;
  for (int64_t b = 0; b < p.batch; ++b)
    for (int64_t h = 0; h < p.heads; ++h) {
      Inputs one = generate_inputs(p, b, h);
      round_inputs(one, Format::Float16);
      append(q, one.q), append(k, one.k), append(v, one.v);
      if (schedule.backward()) {
        Matrix d_o = output_gradient(p, one);
        for (double& x : d_o.values) x = from_half(half_bits(x));
        append(gradient, d_o);
        const Saved saved = saved_by_forward(p, one, schedule.scores_in_memory);
        append(o, saved.o), append(m, saved.m), append(l, saved.l), append(lse, saved.lse);
        if (schedule.scores_in_memory) append(weights, saved.p);
        one.d_o = d_o;
        s.d_o.push_back(std::move(d_o));
      }
      s.inputs.push_back(std::move(one));
    }
  const auto at = [&](Tensor tensor) -> DeviceBytes& { return s.tensor[size_t(tensor)]; };
  at(Tensor::Q).upload(q), at(Tensor::K).upload(k), at(Tensor::V).upload(v);
  const auto room = [&](DeviceBytes& to, int64_t numbers, int64_t bytes) {
    to.hold(size_t(s.heads * numbers * bytes));
    s.written.push_back(&to);
  };
  const bool backward = schedule.backward();
  if (backward) {
    at(Tensor::DO).upload(gradient), at(Tensor::O).upload(o), at(Tensor::M).upload(m), at(Tensor::L).upload(l);
    at(Tensor::Lse).upload(lse);
    room(at(Tensor::DQ), t.n_q * t.d, 2), room(at(Tensor::DK), t.n_k * t.d, 2), room(at(Tensor::DV), t.n_k * t.d, 2);
    room(at(Tensor::D), t.n_q, 4);
  } else {
    room(at(Tensor::O), t.n_q * t.d, 2), room(at(Tensor::M), t.n_q, 4), room(at(Tensor::L), t.n_q, 4);
    room(at(Tensor::Lse), t.n_q, 4);
  }
  if (schedule.scores_in_memory) {
    if (weights.empty())
      room(at(Tensor::P), t.n_q * t.n_k, 2), room(at(Tensor::S), t.n_q * t.n_k, 2);
    else
      at(Tensor::P).upload(weights);
    if (backward) room(at(Tensor::DP), t.n_q * t.n_k, 2), room(at(Tensor::DS), t.n_q * t.n_k, 2);
  }
  for (int n = 0; n < kTensorCount; ++n) s.memory.tensor[n] = s.tensor[n].data;
  const auto between = [&](Tensor tensor, DeviceBytes& kept) {
    if (memory_format(tensor, false, plan) != Format::Float32) return at(tensor).data;
    room(kept, t.n_q * t.d, 4);
    return kept.data;
  };
  s.memory.o_between = between(Tensor::O, s.o_between);
  s.memory.dq_between = between(Tensor::DQ, s.dq_between);
  if (program.splits) {
    room(s.o_parts, program.splits * t.n_q * t.d, bytes_of(memory_format(Tensor::O, false, plan)));
    room(s.lse_parts, program.splits * t.n_q, 4);
    s.memory.o_parts = s.o_parts.data;
    s.memory.lse_parts = static_cast<float*>(s.lse_parts.data);
  }
  s.on_device = {s.words.upload(program.words), s.begin.upload(program.begin)};
}

ProgramRunner::~ProgramRunner() = default;

void ProgramRunner::poison() {
  for (DeviceBytes* one : state_->written) must(cudaMemset(one->data, 0xFF, one->bytes), "Clearing GPU memory");
  must(cudaDeviceSynchronize(), "Clearing GPU memory");
}

void ProgramRunner::queue(cudaStream_t stream) {
  must(launch_program(state_->program, state_->on_device, state_->plan, state_->memory, stream), "Launching a program");
}

void ProgramRunner::launch() {
  queue(nullptr);
  must(cudaDeviceSynchronize(), "Running a program");
}

float ProgramRunner::timed_ms() {
  cudaEvent_t from, to;
  must(cudaEventCreate(&from), "Timing"), must(cudaEventCreate(&to), "Timing");
  must(cudaEventRecord(from), "Timing");
  launch();
  must(cudaEventRecord(to), "Timing"), must(cudaEventSynchronize(to), "Timing");
  float ms = 0;
  must(cudaEventElapsedTime(&ms, from, to), "Timing");
  cudaEventDestroy(from), cudaEventDestroy(to);
  return ms;
}

std::vector<ProgramResult> ProgramRunner::results(int64_t heads) const {
  const State& s = *state_;
  const double most = error_limits(Format::Float16).row;
  std::vector<ProgramResult> out;
  const auto look = [&](Tensor tensor, auto&& expected_of) {
    const DeviceBytes& from = s.tensor[size_t(tensor)];
    std::vector<uint8_t> raw(from.bytes);
    must(cudaMemcpy(raw.data(), from.data, raw.size(), cudaMemcpyDeviceToHost), "Copying from the GPU");
    ProgramResult result{.tensor = tensor};
    size_t at = 0;
    for (int64_t head = 0; head < heads; ++head) {
      const Matrix expected = expected_of(head);
      // A gradient's row may cancel to nothing: it is measured by the root mean square of all of them as well.
      double all = 0;
      for (double x : expected.values) all += x * x;
      all = std::sqrt(all / double(expected.rows));
      for (int64_t r = 0; r < expected.rows; ++r) {
        double apart = 0, size = 0;
        for (int64_t c = 0; c < expected.cols; ++c, ++at) {
          const double got = is_statistic(tensor) ? double(reinterpret_cast<const float*>(raw.data())[at])
                                                  : from_half(reinterpret_cast<const uint16_t*>(raw.data())[at]);
          const double wanted = expected.at(r, c);
          if (got != wanted) apart += (got - wanted) * (got - wanted);
          size += wanted * wanted;
        }
        const double by = is_statistic(tensor)    ? std::max(1.0, std::sqrt(size))
                          : s.schedule.backward() ? std::max(std::sqrt(size), all)
                                                  : std::sqrt(size);
        const double error = apart == 0 ? 0 : std::sqrt(apart) / by;
        const double limit = is_statistic(tensor) ? kMostLseError : s.schedule.backward() ? 2 * most : most;
        if (error <= limit) {
          result.worst_row = std::max(result.worst_row, error);
          continue;
        }
        if (result.wrong_rows++ == 0) result.head = head, result.first = r;
        result.worst_row = std::isnan(error) || std::isnan(result.worst_row) ? NAN : std::max(result.worst_row, error);
      }
    }
    out.push_back(result);
  };
  const Problem& p = s.plan.problem;
  if (s.schedule.backward()) {
    std::vector<Gradients> expected;
    for (int64_t head = 0; head < heads; ++head)
      expected.push_back(reference_gradients(p, s.inputs[size_t(head)], s.d_o[size_t(head)]));
    look(Tensor::DQ, [&](int64_t head) { return expected[size_t(head)].dq; });
    look(Tensor::DK, [&](int64_t head) { return expected[size_t(head)].dk; });
    look(Tensor::DV, [&](int64_t head) { return expected[size_t(head)].dv; });
    return out;
  }
  std::vector<Reference> expected;
  for (int64_t head = 0; head < heads; ++head) expected.push_back(reference(p, s.inputs[size_t(head)]));
  look(Tensor::O, [&](int64_t head) { return expected[size_t(head)].o; });
  if (s.program.stores_lse)
    look(Tensor::Lse, [&](int64_t head) {
      Matrix lse(p.n_q, 1);
      lse.values = expected[size_t(head)].lse;
      return lse;
    });
  return out;
}

}  // namespace tilewalk::gpu
