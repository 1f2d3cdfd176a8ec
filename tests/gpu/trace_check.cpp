#include "tests/gpu/trace_check.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace tilewalk::gpu::check {
namespace {

template <class T>
std::vector<T> from_device(const void* p, size_t n) {
  std::vector<T> out(n);
  must(cudaMemcpy(out.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost), "reading back");
  return out;
}

float value(uint16_t bits, Element element) {
  if (element == Element::BFloat16) return std::bit_cast<float>(uint32_t(bits) << 16);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float size = exponent ? std::ldexp(float(fraction + 1024), exponent - 25) : std::ldexp(float(fraction), -24);
  return bits >> 15 ? -size : size;
}

std::string differs(const char* what, int j, int row, double got, double wanted) {
  return std::string(what) + " of row " + std::to_string(row) + " after tile " + std::to_string(j) + " is " +
         std::to_string(got) + ", not " + std::to_string(wanted);
}

// m, l [tiles, n_q] against the tiles seen from the last to j.
std::string stats_fault(const Forward& f, int head, int bc, const std::vector<float>& m, const std::vector<float>& l) {
  const auto q =
      from_device<uint16_t>(static_cast<const uint16_t*>(f.q) + size_t(head) * f.n_q * f.d, size_t(f.n_q) * f.d);
  const auto k =
      from_device<uint16_t>(static_cast<const uint16_t*>(f.k) + size_t(head) * f.n_k * f.d, size_t(f.n_k) * f.d);
  std::vector<float> qf(q.size()), kf(k.size());
  for (size_t x = 0; x < q.size(); ++x) qf[x] = value(q[x], f.element);
  for (size_t x = 0; x < k.size(); ++x) kf[x] = value(k[x], f.element);
  const int tiles = (f.n_k + bc - 1) / bc;
  for (int row = 0; row < f.n_q; ++row) {
    const int seen = f.causal ? std::min(f.n_k, row + f.n_k - f.n_q + 1) : f.n_k;
    double m_ref = -std::numeric_limits<double>::infinity(), l_ref = 0;
    for (int j = tiles - 1; j >= 0; --j) {
      for (int c = j * bc; c < std::min(seen, (j + 1) * bc); ++c) {
        double s = 0;
        for (int x = 0; x < f.d; ++x) s += double(qf[size_t(row) * f.d + x]) * kf[size_t(c) * f.d + x];
        s *= f.scale;
        const double m_new = std::max(m_ref, s);
        l_ref = l_ref * std::exp(m_ref - m_new) + std::exp(s - m_new);
        m_ref = m_new;
      }
      const float m_got = m[size_t(j) * f.n_q + row], l_got = l[size_t(j) * f.n_q + row];
      if (std::isnan(m_got)) {  // a tile that the row's Q tile does not visit
        if (j * bc < seen) return differs("m", j, row, m_got, m_ref);
        continue;
      }
      if (l_ref == 0 ? m_got != -INFINITY : !(std::abs(m_got - m_ref) <= 1e-4 * std::max(1.0, std::abs(m_ref))))
        return differs("m", j, row, m_got, m_ref);
      if (!(std::abs(l_got - l_ref) <= 1e-3 * l_ref)) return differs("l", j, row, l_got, l_ref);
    }
  }
  return "";
}

std::string stamps_fault(const std::vector<TraceRecord>& lane) {
  int64_t last = 0;
  std::map<std::pair<uint16_t, int32_t>, int> open;
  int closed = 0;
  for (const TraceRecord& r : lane) {
    if (r.clock < last) return "the clock runs backwards";
    last = r.clock;
    if (r.step != kWait && r.step >= kStepKindCount) return "step " + std::to_string(r.step) + " does not exist";
    int& count = open[{r.step, r.tile}];
    count += r.end ? -1 : 1;
    closed += r.end;
    if (count < 0 || count > 1) return "step " + std::to_string(r.step) + " begins or ends twice";
  }
  return closed == 0 ? "no step ends" : "";
}

}  // namespace

std::string trace_fault(Method kernel, const Case& c) {
  Setup setup(c, kernel);
  Forward& f = setup.f;
  setup.make_ready_for(kernel);
  const char* why = "";
  if (!prepare(kernel, f, &why)) return why;
  setup.poison();
  must(launch(kernel, f, nullptr), "launch");
  must(cudaDeviceSynchronize(), "the plain kernel");
  const auto o = from_device<uint16_t>(f.o, size_t(setup.rows()) * f.d);
  const auto lse = from_device<uint32_t>(f.lse, size_t(setup.rows()));

  const int bc = kernel_shape(kernel, f.d).bc, tiles = (f.n_k + bc - 1) / bc, lanes = lanes_of(kernel, f.d);
  constexpr int kCapacity = 4096;
  const size_t stats = size_t(tiles) * f.n_q;
  const auto m = device_array<float>(stats), l = device_array<float>(stats);
  const auto records = device_array<TraceRecord>(size_t(lanes) * kCapacity);
  const auto counts = device_array<int>(lanes);
  must(cudaMemset(m.get(), 0xFF, stats * sizeof(float)), "cudaMemset");
  must(cudaMemset(l.get(), 0xFF, stats * sizeof(float)), "cudaMemset");
  must(cudaMemset(counts.get(), 0, lanes * sizeof(int)), "cudaMemset");
  const int head = f.heads - 1;
  setup.make_ready_for(kernel);
  setup.poison();
  must(launch_traced(kernel, f, {head, m.get(), l.get(), 0, records.get(), counts.get(), kCapacity}, nullptr),
       "launch");
  must(cudaDeviceSynchronize(), "the traced kernel");

  if (from_device<uint16_t>(f.o, o.size()) != o) return "O differs from the plain launch's";
  if (from_device<uint32_t>(f.lse, lse.size()) != lse) return "L differs from the plain launch's";
  const std::string fault =
      stats_fault(f, head, bc, from_device<float>(m.get(), stats), from_device<float>(l.get(), stats));
  if (!fault.empty()) return fault;
  const auto written = from_device<int>(counts.get(), lanes);
  for (int lane = 0; lane < lanes; ++lane) {
    if (written[lane] < 2 || written[lane] > kCapacity)
      return std::string(lane_name(kernel, lane)) + " wrote " + std::to_string(written[lane]) + " stamps";
    const std::string wrong =
        stamps_fault(from_device<TraceRecord>(records.get() + size_t(lane) * kCapacity, written[lane]));
    if (!wrong.empty()) return std::string(lane_name(kernel, lane)) + ": " + wrong;
  }
  return "";
}

}  // namespace tilewalk::gpu::check
