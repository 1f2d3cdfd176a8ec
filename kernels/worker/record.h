// `tilewalk-gpu record`: the standard set of shapes, measured one after the other, into one file.
#pragma once

#include <filesystem>
#include <string>

namespace tilewalk::gpu {

struct RecordRequest {
  std::filesystem::path file;       // what is written
  std::string set = "standard";     // or "quick": fewer N; "lessons": what they put on the stage; "backward": its
                                    // kernels; "ladder": rungs, switches; "decode", "fp8", "groups": beside_words.h
  std::filesystem::path real_head;  // the trained head that comes with the program; empty: looked for
  std::string note;                 // into every result's provenance
  bool anyway = false;              // also on a GPU that others use
};

// The file is replaced after every shape, so that one that was broken off holds what was measured until then. What L2
// really holds is measured first and kept with every result.
//
// The shapes: B * N = 16384 tokens, H * d = 2048, N from 512 to 16384, d 64 and 128, full and causal, fp16, with
// hardware counters at three N. "lessons": the problems that the lessons use, with outputs and traces. "ladder": the
// rungs at N = 4096, then FA2 and FA3 with each of their switches, and FA3 as its paper's ablation has it.
int record(const RecordRequest& request);

}  // namespace tilewalk::gpu
