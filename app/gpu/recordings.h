// Runs that were saved: where their files are, what is in them, and which one serves a problem.
#pragma once

#include "core/run/shipped.h"
#include "core/run/run.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk {

struct Recording {
  std::shared_ptr<const RunResult> result;
  std::string file;  // name of the file, without its folder
};

struct Recordings {
  std::vector<Recording> all;
  std::vector<std::string> faults;  // files that could not be read, or hold what cannot be: one sentence each
};

// Those of the installation, of the checkout (core/io/paths.h, program_data), and of the user's data folder (may be
// empty).
std::vector<std::filesystem::path> recording_folders(const std::filesystem::path& program_folder,
                                                     const std::filesystem::path& data_folder);
// Every *.json in them, by name, but those of ceilings (core/run/ceilings.h). A file that cannot be read leaves a fault
// and no more. What a run says that cannot be is taken out (core/run/audit.h) and leaves one too.
Recordings load_recordings(const std::vector<std::filesystem::path>& folders);

// Those that are part of the program, not copied.
Recordings shipped_as_recordings();

// How well a recording serves: it holds the same inputs, or only the same shape with other inputs.
enum class Serves : uint8_t { No, SameShape, SameInputs };
Serves serves(const RunResult& recorded, const RunSpec& wanted);

struct Pick {
  int index = -1;  // into Recordings::all; -1: none
  Serves serves = Serves::No;
};
// Of that GPU, as its file says: the second GPU's shipped files are its own, all others stand with the first's.
bool is_of(const Recording& recording, RecordedGpu gpu);
// The run on that GPU whose FA3 left the most clock stamps; null without any.
std::shared_ptr<const RunResult> pick_stamps(const Recordings& recordings, RecordedGpu on);
// Of FA3 in 16 bits at the shape of a run in FP8, on its GPU, the latest; null without one.
std::shared_ptr<const RunResult> pick_fa3_beside(const Recordings& recordings, const RunResult& fp8);
// The latest recording of other programs at this shape; null without one.
std::shared_ptr<const RunResult> pick_peers(const Recordings& recordings, const RunSpec& wanted);
// What is believed before what is not; recordings of that GPU before shipped ones of the other; same inputs before same
// shape; runs of this project's kernels before other programs'; then the one with more of the wanted kernels; then the
// later date.
Pick pick_recording(const Recordings& recordings, const RunSpec& wanted, RecordedGpu on = RecordedGpu::H200);

}  // namespace tilewalk
