#include "tests/gpu/setup.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace tilewalk::gpu::check {

std::string words(const Case& c) {
  const std::string n = c.n_q == c.n_k ? std::to_string(c.n_q) : std::to_string(c.n_q) + "x" + std::to_string(c.n_k);
  const std::string heads =
      std::to_string(c.heads) + (c.group > 1 ? "/" + std::to_string(c.heads / c.group) : std::string());
  return "B" + std::to_string(c.batch) + " H" + heads + " N" + n + " d" + std::to_string(c.d) +
         (c.causal ? " causal" : " full") + (c.element == Element::Half ? " fp16" : " bf16") +
         (c.values == Values::Normal  ? ""
          : c.values == Values::Below ? " scores below zero"
                                      : " outliers");
}

Setup::Setup(const Case& c, Method kernel) {
  const int d = int(padded_d(kernel, c.d));
  f.heads = c.batch * c.heads;
  if (c.group > 1) f.kv_heads = f.heads / c.group;
  f.n_q = c.n_q;
  f.n_k = c.n_k;
  f.d = d;
  f.causal = c.causal;
  f.element = c.element;
  f.scale = 1.f / std::sqrt(float(c.d));
  const auto distribution = c.values == Values::Normal ? Distribution::Normal : Distribution::Outliers;
  f.wide_scores = keeps_wide_scores(distribution, c.n_k, c.d, 1 / std::sqrt(double(c.d)));
  const size_t q_size = size_t(f.heads) * f.n_q * d, k_size = size_t(f.heads / c.group) * f.n_k * d;
  q_ = device_array<uint16_t>(q_size);
  k_ = device_array<uint16_t>(k_size);
  v_ = device_array<uint16_t>(k_size);
  o_ = device_array<uint16_t>(q_size + kMargin);
  lse_ = device_array<float>(size_t(rows()) + kMargin);
  // Every score below zero, a row's far apart: who takes another for the greatest has a P beyond fp16's numbers.
  const bool below = c.values == Values::Below;
  fill(q_.get(), c.element, f.heads, f.n_q, c.d, d, below ? Values::Above : c.values, 3 * c.seed);
  fill(k_.get(), c.element, f.heads / c.group, f.n_k, c.d, d, c.values, 3 * c.seed + 1);
  fill(v_.get(), c.element, f.heads / c.group, f.n_k, c.d, d, below ? Values::Normal : c.values, 3 * c.seed + 2);
  f.q = q_.get();
  f.k = k_.get();
  f.v = v_.get();
  f.o = o_.get();
  f.lse = lse_.get();
}

void Setup::make_ready_for(Method kernel) {
  const size_t bytes = workspace_bytes(kernel, f);
  if (bytes > workspace_bytes_) {
    workspace_.reset();
    workspace_ = device_array<char>(bytes);
    workspace_bytes_ = bytes;
    f.workspace = workspace_.get();
  }
  if (bytes > 0) must(cudaMemset(f.workspace, 0xFF, bytes), "poisoning the workspace");
}

void Setup::poison() {
  must(cudaMemset(f.o, 0xFF, (size_t(rows()) * f.d + kMargin) * sizeof(uint16_t)), "poisoning O");
  must(cudaMemset(f.lse, 0xFF, (size_t(rows()) + kMargin) * sizeof(float)), "poisoning L");
}

bool Setup::margins_intact() {
  std::vector<unsigned char> o(kMargin * sizeof(uint16_t)), lse(kMargin * sizeof(float));
  must(cudaMemcpy(o.data(), o_.get() + size_t(rows()) * f.d, o.size(), cudaMemcpyDeviceToHost), "reading O's margin");
  must(cudaMemcpy(lse.data(), lse_.get() + rows(), lse.size(), cudaMemcpyDeviceToHost), "reading L's margin");
  for (unsigned char byte : o)
    if (byte != 0xFF) return false;
  for (unsigned char byte : lse)
    if (byte != 0xFF) return false;
  return true;
}

int64_t Setup::unwritten() {
  std::vector<float> lse(rows());
  must(cudaMemcpy(lse.data(), f.lse, lse.size() * sizeof(float), cudaMemcpyDeviceToHost), "reading L");
  int64_t nan = count_nan(f.o, f.element, rows() * f.d);
  for (float l : lse) nan += std::isnan(l);
  return nan;
}

}  // namespace tilewalk::gpu::check
