#include "tests/classroom/class_clients.h"

#include "app/gpu/run_plan.h"
#include "app/gpu/worker_client.h"
#include "core/classroom/attendance.h"
#include "core/run/prediction.h"
#include "core/io/embedded.h"
#include "tests/classroom/page_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <poll.h>

namespace tilewalk {
namespace {

struct ClientPage {
  PageClient wire;
  Attendance with;
  std::shared_ptr<ClassGpu> gpu;
  WorkerClient client{{}, steady_seconds, [] {}};

  ClientPage(int port, const std::string& code) : wire(port), with({code, "", ""}) {
    with.connecting();
    with.opened();
  }
  void turn() {
    wire.read(0);
    for (const std::string& line : std::exchange(wire.messages, {})) with.heard(line);
    if (!gpu && !with.gpu().empty()) {
      gpu = std::make_shared<ClassGpu>(with.gpu());
      WorkerCommand command;
      command.of_class = gpu;
      client.use(std::move(command));
    }
    client.poll();
    if (gpu) carry_runs(with, *gpu);
    for (const std::string& line : with.take_out()) wire.send_text(line);
  }
};
using Pages = std::vector<std::unique_ptr<ClientPage>>;

// Seconds until it holds for all; below 0: not within so many.
double until_all(Pages& pages, double seconds, const std::function<bool(const GpuStatus&)>& done) {
  const double began = steady_seconds();
  while (steady_seconds() - began < seconds) {
    bool all = true;
    for (const auto& page : pages) {
      page->turn();
      all = all && !page->client.busy() && done(page->client.status());
    }
    if (all) return steady_seconds() - began;
    poll(nullptr, 0, 1);
  }
  return -1;
}

RunSpec problem_of(int k) {
  RunSpec spec;
  Problem& p = spec.problem;
  p.n_q = p.n_k = 1024;
  p.d = 128;
  p.heads = 16;
  p.br = p.bc = 64;
  p.seed = uint64_t(5000 + k);
  spec.kernels = {Method::Fa2, Method::Fa3};
  spec.counters = true;
  spec.inputs.hash = input_hash(spec);
  return spec;
}

// One line; true where every page's run is shown as measured.
bool run_all(Pages& pages, std::string_view what, const std::function<RunSpec(int)>& spec) {
  for (size_t k = 0; k < pages.size(); ++k)
    if (!pages[k]->client.run(spec(int(k)))) return fmt::print("{}: page {} cannot run\n", what, k), false;
  const double seconds = until_all(pages, 400, [](const GpuStatus&) { return true; });
  int right = 0;
  for (const auto& page : pages) {
    const GpuStatus& status = page->client.status();
    const bool timed = status.result && std::ranges::all_of(status.result->kernels, [](const KernelResult& each) {
                         return each.timing && each.errors && each.errors->passed;
                       });
    const bool good = timed && !status.refused;
    right += good;
    if (!good) fmt::print("  {} {}\n", status.what, status.refused ? status.refused->why.front() : "");
  }
  fmt::print("{}: {} of {} pages show it as measured, after {:.1f} s\n", what, right, pages.size(), seconds);
  return right == int(pages.size());
}

}  // namespace

int run_clients(int port, const std::string& code, int count) {
  Pages pages;
  for (int k = 0; k < count; ++k) pages.push_back(std::make_unique<ClientPage>(port, code));
  if (until_all(pages, 60, [](const GpuStatus& status) { return status.usable(); }) < 0)
    return fmt::print("The class has no GPU.\n"), 1;
  fmt::print("{} pages on {}\n", count, pages[0]->client.status().hello->gpu.gpu);
  bool right = run_all(pages, "each its own problem", problem_of);
  right = run_all(pages, "all the same problem", [](int) { return problem_of(-1); }) && right;
  right = run_all(pages, "once more", [](int) { return problem_of(-1); }) && right;
  for (const auto& page : pages)
    page->client.run_program(
        {"fa2", {std::string(embedded_file("core/schedules/fa2.walk"))}, program_problem(Mask::Full)});
  const double seconds = until_all(pages, 200, [](const GpuStatus&) { return true; });
  const auto ran = std::ranges::count_if(pages, [](const auto& page) {
    const GpuStatus& status = page->client.status();
    return status.program && status.program->right() && status.program->timing;
  });
  fmt::print("FA2 as it is written: {} of {} pages show it as measured, after {:.1f} s\n", ran, count, seconds);
  return right && ran == count ? 0 : 1;
}

}  // namespace tilewalk
