// A person's own GPUs, gpus.toml in the folder of settings: read at the start, and again when it has changed.
#pragma once

#include <filesystem>
#include <string>

namespace tilewalk {

class OwnGpus {
 public:
  explicit OwnGpus(std::filesystem::path config);  // the folder of settings; empty: there is none

  // Reads the file where it has changed since, and offers what is in it (app/boards/gpu_offer.h); looks at most about
  // once a second. True where there is something new to draw. What is wrong with the file goes to `notice`.
  bool refresh(double now, std::string& notice);

 private:
  std::filesystem::path config_;
  std::filesystem::file_time_type written_{};
  bool there_ = false;
  double looked_ = -1e9;
};

}  // namespace tilewalk
