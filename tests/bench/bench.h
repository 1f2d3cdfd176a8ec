// The benchmark program: figures printed beside their goals, on the machine it runs on. Not a test: it never fails. A
// section is one file with one function, entered in the list in bench.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tilewalk::bench {

class Report {
 public:
  void heading(const std::string& title);
  // "  count FA2, N = 131072, d = 128        0.002 ms   goal under 50 ms"; goal 0 for none.
  void line(const std::string& what, double value, const std::string& unit, double goal = 0);
  void text(const std::string& note);  // indented, under the line before
};

// What one call takes by the clock on the wall, and in processor time of this thread. The second is not upset by what
// else the machine does; the same as the first where nothing is waited for.
double wall_milliseconds(const std::function<void()>& work);
double processor_milliseconds(const std::function<void()>& work);

// Processor time of several calls, sorted, fastest first.
std::vector<double> sorted_milliseconds(int times, const std::function<void()>& work);
inline double median(const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; }

double resident_megabytes();  // of this process, now; 0 where the system does not tell
double peak_megabytes();

// The sections.
void bench_app(Report& report);
void bench_core(Report& report);

}  // namespace tilewalk::bench
