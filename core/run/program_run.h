// A program of core/walk on a GPU (kernels/program.cu): what is asked for, what is predicted and what was measured.
// Plain data, and its JSON, checked and versioned as recordings are:
//
//   {"tilewalk_programs": {"major": 1, "minor": 0},
//    "results": [{"provenance": {...}, "spec": {...}, "tensors": [...], "timing": {...}}, ...]}
//
// with the names of the members below. Bytes are of one run, all heads.
#pragma once

#include "core/model/dram.h"
#include "core/run/run.h"
#include "core/kernel/packed.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Of several lines, kept to the letter.
struct ProgramText {
  std::string words;
  operator std::string_view() const { return words; }
};

struct ProgramSpec {
  std::string name;  // a shipped text's key or a puzzle's id, "fa2", "fuse-all"; empty: a person's own
  ProgramText text;  // core/walk
  Problem problem;   // generated inputs in fp16; br and bc are the program's tiles
  bool counters = true;
};

// Where a program's times and bytes are taken: large enough to mean something, and done at once. Tiles of 32 x 64, with
// which even a program that keeps all scores of its rows finds room on chip; or those asked for, where tensor cores can
// take them: whole sixteens.
Problem program_problem(Mask mask, int64_t br = 0, int64_t bc = 0);

// One result against float64: every row of as many heads as were checked.
struct ProgramTensor {
  std::string tensor;           // "O", "L", "dQ"
  double worst_row = 0;         // largest relative error of a row; L: of max(1, |L|)
  int64_t wrong_rows = 0;       // beyond core/run/tolerance.h, of the rows compared; those never written included
  int64_t head = 0, first = 0;  // of the first wrong one, where there is one
};

struct ProgramRun {
  static constexpr int kSchemaMajor = 1, kSchemaMinor = 0;
  Provenance provenance;
  ProgramSpec spec;
  std::string refused;  // why it did not run; then all that follows is empty
  std::vector<ProgramTensor> tensors;
  int64_t heads_checked = 0;
  std::optional<Timing> timing;  // only where every row was right
  std::optional<Counters> counters;
  std::string no_counters;  // why there are none

  bool right() const;
};

// The program as a GPU takes it.
struct MadeProgram {
  Schedule schedule;
  Plan plan;
  PackedProgram packed;
};
// Or why it does not run, as one sentence.
std::optional<MadeProgram> make_program(const ProgramSpec& spec, std::string& why);

// What the program will move: exact between L2 and the multiprocessors, the L2 model's from and to DRAM.
struct ProgramBytes {
  int64_t l2_to_sm = 0, sm_to_l2 = 0;
  DramEstimate dram;
};
ProgramBytes program_bytes(const MadeProgram& made, const MachineSpec& machine);

// Programs that take the same steps have the same number, however they are written.
uint64_t steps_number(const PackedProgram& packed);

// Why what a worker said `seconds` after it was asked is not shown as measured, as one sentence; empty: it is.
std::string program_fault(const ProgramRun& said, const ProgramSpec& asked, const Provenance& hello, double seconds);

std::string programs_text(const std::vector<ProgramRun>& runs);
// Or what is wrong, as a sentence without its stop that begins with the place.
std::optional<std::vector<ProgramRun>> read_programs(std::string_view text, std::string& fault);

// Files of programs lie among the recordings, under names that end so.
constexpr std::string_view kProgramsEnding = "programs.json";

}  // namespace tilewalk
