#include "tests/bench/bench.h"

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace tilewalk::bench {
namespace {

double status_megabytes(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::atof(line.c_str() + std::strlen(field)) / 1000 * 1.024;
  return 0;
}

double thread_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

struct Section {
  const char* name;
  void (*run)(Report&);
};
constexpr Section kSections[] = {
#ifdef TILEWALK_HAS_WINDOW
    {"app", bench_app},  // first, so that its memory is its own
#endif
    {"core", bench_core},
};

}  // namespace

void Report::heading(const std::string& title) { fmt::print("{}\n", title); }

void Report::line(const std::string& what, double value, const std::string& unit, double goal) {
  const std::string number = fmt::format("{:.{}f} {}", value, value < 1 ? 3 : value < 100 ? 1 : 0, unit);
  if (goal == 0)
    fmt::print("  {:<62} {:>12}\n", what, number);
  else
    fmt::print("  {:<62} {:>12}   goal under {:g} {}{}\n", what, number, goal, unit, value < goal ? "" : "  MISSED");
  std::fflush(stdout);
}

void Report::text(const std::string& note) { fmt::print("    {}\n", note); }

double wall_milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double processor_milliseconds(const std::function<void()>& work) {
  const double start = thread_milliseconds();
  work();
  return thread_milliseconds() - start;
}

std::vector<double> sorted_milliseconds(int times, const std::function<void()>& work) {
  std::vector<double> all;
  for (int n = 0; n < times; ++n) all.push_back(processor_milliseconds(work));
  std::sort(all.begin(), all.end());
  return all;
}

double resident_megabytes() { return status_megabytes("VmRSS:"); }
double peak_megabytes() { return status_megabytes("VmHWM:"); }

}  // namespace tilewalk::bench

// tilewalk-bench [section ...]: all sections, or the named ones.
int main(int argc, char** argv) {
  using namespace tilewalk::bench;
  Report report;
  for (const Section& section : kSections) {
    bool wanted = argc == 1;
    for (int a = 1; a < argc; ++a) wanted |= std::strcmp(argv[a], section.name) == 0;
    if (wanted) section.run(report);
  }
  return 0;
}
