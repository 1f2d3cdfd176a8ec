#include "app/window/own_gpus.h"

#include "app/boards/gpu_offer.h"

#include <utility>

namespace tilewalk {

constexpr double kOwnGpusSeconds = 1;

OwnGpus::OwnGpus(std::filesystem::path config) : config_(std::move(config)) {}

bool OwnGpus::refresh(double now, std::string& notice) {
  if (config_.empty() || now - looked_ < kOwnGpusSeconds) return false;
  looked_ = now;
  std::error_code error;
  const auto written = std::filesystem::last_write_time(config_ / "gpus.toml", error);
  const bool there = !error;
  if (there == there_ && (!there || written == written_)) return false;
  there_ = there;
  written_ = written;
  const Catalogue catalogue = read_catalogue(config_);
  offer_own_gpus(catalogue);
  if (!catalogue.faults.empty()) notice = catalogue.faults.front();
  return true;
}

}  // namespace tilewalk
