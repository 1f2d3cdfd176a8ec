// CUPTI's functions, found at run time: the structures come from its headers, the library need not be installed.
#pragma once

#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <string>

namespace tilewalk::gpu {

struct CuptiLibrary {
  // Fills the pointers, or returns a sentence that says what is missing. The library stays open until the process ends:
  // it hooks into the driver.
  std::string open();

#define TILEWALK_CUPTI(name) decltype(&::name) name = nullptr
  TILEWALK_CUPTI(cuptiProfilerInitialize);
  TILEWALK_CUPTI(cuptiProfilerDeviceSupported);
  TILEWALK_CUPTI(cuptiProfilerGetCounterAvailability);
  TILEWALK_CUPTI(cuptiDeviceGetChipName);
  TILEWALK_CUPTI(cuptiProfilerHostInitialize);
  TILEWALK_CUPTI(cuptiProfilerHostDeinitialize);
  TILEWALK_CUPTI(cuptiProfilerHostConfigAddMetrics);
  TILEWALK_CUPTI(cuptiProfilerHostGetConfigImageSize);
  TILEWALK_CUPTI(cuptiProfilerHostGetConfigImage);
  TILEWALK_CUPTI(cuptiProfilerHostGetNumOfPasses);
  TILEWALK_CUPTI(cuptiProfilerHostEvaluateToGpuValues);
  TILEWALK_CUPTI(cuptiRangeProfilerEnable);
  TILEWALK_CUPTI(cuptiRangeProfilerDisable);
  TILEWALK_CUPTI(cuptiRangeProfilerGetCounterDataSize);
  TILEWALK_CUPTI(cuptiRangeProfilerCounterDataImageInitialize);
  TILEWALK_CUPTI(cuptiRangeProfilerSetConfig);
  TILEWALK_CUPTI(cuptiRangeProfilerStart);
  TILEWALK_CUPTI(cuptiRangeProfilerStop);
  TILEWALK_CUPTI(cuptiRangeProfilerPushRange);
  TILEWALK_CUPTI(cuptiRangeProfilerPopRange);
  TILEWALK_CUPTI(cuptiRangeProfilerDecodeData);
#undef TILEWALK_CUPTI
};

// A sentence for a failed call, with the remedy where there is one.
std::string cupti_words(const char* call, CUptiResult result);

}  // namespace tilewalk::gpu
