// Rows of O and L in float64, to hold an answer's own against: what a request or a file says its inputs are, made here.
#pragma once

#include "core/attention/inputs.h"
#include "core/run/audit.h"

#include <cstdint>
#include <vector>

namespace tilewalk {

struct ComparedRows {
  Problem problem;
  RunInputs inputs;
  int64_t head = 0;
  std::vector<int64_t> rows;        // of the head, ascending
  std::vector<double> o;            // [rows, d]
  std::vector<double> lse, widest;  // L of each, and its largest |s|
};

// The inputs of one head as that run had them; empty matrices where they are too many for the budget or for one answer.
Inputs inputs_of(const RunSpec& spec, int64_t head, AuditBudget& budget);

// As many rows of spec.trace_head, evenly, as the budget has room for; null where it has none.
std::shared_ptr<const ComparedRows> compared_rows_of(const RunSpec& spec, AuditBudget& budget);

// The largest relative L2 error of one row, or what is wrong before a number can be said; of all that are in `rows`.
struct RowGaps {
  double worst_row = 0;
  int64_t no_number = -1;  // the first row of O or L that holds one where the reference has a number
  bool lse_off = false;    // L is further off than allowed
};
RowGaps gaps_of(const KernelResult& said, const ComparedRows& reference, bool rounded_scores);

}  // namespace tilewalk
