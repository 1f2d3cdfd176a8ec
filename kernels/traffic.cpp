#include "kernels/traffic.h"

#include "kernels/cupti_library.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <array>
#include <vector>

namespace tilewalk::gpu {
namespace {

// What is counted, as `factor` times a metric's sum over all units. The first metric that the chip has is taken.
struct Metric {
  const char* name;
  double factor;
};
struct Wanted {
  std::optional<double> Counters::*field;
  std::array<Metric, 2> metrics;
};
constexpr double kSector = 32;  // bytes
const Wanted kWanted[] = {
    {&Counters::dram_read, {{{"dram__bytes_read.sum", 1}, {"dram__sectors_read.sum", kSector}}}},
    {&Counters::dram_written, {{{"dram__bytes_write.sum", 1}, {"dram__sectors_write.sum", kSector}}}},
    // At the SM's side of the crossbar, so that TMA's copies into shared memory are in it.
    {&Counters::l2_to_sm,
     {{{"l1tex__m_xbar2l1tex_read_bytes.sum", 1}, {"lts__t_sectors_srcunit_tex_op_read.sum", kSector}}}},
    {&Counters::sm_to_l2,
     {{{"l1tex__m_l1tex2xbar_write_bytes.sum", 1}, {"lts__t_sectors_srcunit_tex_op_write.sum", kSector}}}},
    {&Counters::shared_wavefronts, {{{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1}, {}}}},
    {&Counters::bank_conflicts, {{{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 1}, {}}}},
    {&Counters::exponentials, {{{"sm__inst_executed_pipe_xu.sum", 1}, {}}}},
    {&Counters::tensor_instructions, {{{"sm__inst_executed_pipe_tensor.sum", 1}, {}}}},
    {&Counters::instructions, {{{"sm__inst_executed.sum", 1}, {}}}},
};

template <class Params>
Params params(size_t size) {
  Params p{};
  p.structSize = size;
  return p;
}
#define TILEWALK_PARAMS(type) params<type>(type##_STRUCT_SIZE)

// Thrown inside this file: the sentence for a call that failed.
struct CuptiFault {
  std::string words;
};
void must(const char* call, CUptiResult result) {
  if (result != CUPTI_SUCCESS) throw CuptiFault{cupti_words(call, result)};
}
#define TILEWALK_MUST(library, call, p) must(#call, (library).call(p))

CUcontext current_context() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  CUcontext context = nullptr;
  if (cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &entry, 12000, cudaEnableDefault, &found) != cudaSuccess ||
      !entry || reinterpret_cast<CUresult (*)(CUcontext*)>(entry)(&context) != CUDA_SUCCESS || !context)
    throw CuptiFault{"Hardware counters cannot be read: the GPU's context was not found."};
  return context;
}

}  // namespace

struct Traffic::Profiler {
  CuptiLibrary cupti;
  CUpti_Profiler_Host_Object* host = nullptr;
  std::vector<const char*> names;     // those that the chip has
  std::vector<const Wanted*> wanted;  // beside them
  std::vector<double> factors;
  std::vector<uint8_t> config;
  int passes = 0;

  ~Profiler() {
    if (!host) return;
    auto p = TILEWALK_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
    p.pHostObject = host;
    cupti.cuptiProfilerHostDeinitialize(&p);
  }

  void prepare() {
    if (const std::string why = cupti.open(); !why.empty()) throw CuptiFault{why};
    auto initialize = TILEWALK_PARAMS(CUpti_Profiler_Initialize_Params);
    TILEWALK_MUST(cupti, cuptiProfilerInitialize, &initialize);
    int device = 0;
    cudaGetDevice(&device);
    check_support(device);
    auto chip = TILEWALK_PARAMS(CUpti_Device_GetChipName_Params);
    chip.deviceIndex = size_t(device);
    TILEWALK_MUST(cupti, cuptiDeviceGetChipName, &chip);

    auto available = TILEWALK_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
    available.ctx = current_context();
    TILEWALK_MUST(cupti, cuptiProfilerGetCounterAvailability, &available);
    std::vector<uint8_t> image(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = image.data();
    TILEWALK_MUST(cupti, cuptiProfilerGetCounterAvailability, &available);

    auto init = TILEWALK_PARAMS(CUpti_Profiler_Host_Initialize_Params);
    init.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    init.pChipName = chip.pChipName;
    init.pCounterAvailabilityImage = image.data();
    TILEWALK_MUST(cupti, cuptiProfilerHostInitialize, &init);
    host = init.pHostObject;
    choose_metrics();
  }

  void check_support(int device) {
    auto p = TILEWALK_PARAMS(CUpti_Profiler_DeviceSupported_Params);
    p.cuDevice = device;
    p.api = CUPTI_PROFILER_RANGE_PROFILING;
    TILEWALK_MUST(cupti, cuptiProfilerDeviceSupported, &p);
    if (p.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return;
    const char* what = p.architecture != CUPTI_PROFILER_CONFIGURATION_SUPPORTED ? "this GPU's architecture"
                       : p.vGpu != CUPTI_PROFILER_CONFIGURATION_SUPPORTED       ? "this virtual GPU"
                       : p.confidentialCompute != CUPTI_PROFILER_CONFIGURATION_SUPPORTED
                           ? "confidential computing, which is on"
                       : p.wsl != CUPTI_PROFILER_CONFIGURATION_SUPPORTED ? "Windows' Linux subsystem"
                                                                         : "this configuration";
    throw CuptiFault{fmt::format("CUPTI gives no hardware counters on {}.", what)};
  }

  void choose_metrics() {
    for (const Wanted& want : kWanted)
      for (const Metric& metric : want.metrics) {
        if (!metric.name) continue;
        auto add = TILEWALK_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
        const char* name = metric.name;
        add.pHostObject = host;
        add.ppMetricNames = &name;
        add.numMetrics = 1;
        if (cupti.cuptiProfilerHostConfigAddMetrics(&add) != CUPTI_SUCCESS) continue;
        names.push_back(metric.name);
        wanted.push_back(&want);
        factors.push_back(metric.factor);
        break;
      }
    if (names.empty()) throw CuptiFault{"CUPTI knows none of the counters that are read here on this GPU."};
    auto size = TILEWALK_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = host;
    TILEWALK_MUST(cupti, cuptiProfilerHostGetConfigImageSize, &size);
    config.resize(size.configImageSize);
    auto get = TILEWALK_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
    get.pHostObject = host;
    get.configImageSize = config.size();
    get.pConfigImage = config.data();
    TILEWALK_MUST(cupti, cuptiProfilerHostGetConfigImage, &get);
    auto count = TILEWALK_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params);
    count.configImageSize = config.size();
    count.pConfigImage = config.data();
    TILEWALK_MUST(cupti, cuptiProfilerHostGetNumOfPasses, &count);
    passes = int(count.numOfPasses);
  }

  // The counters' image after all passes; empty where `launches` said stop.
  std::vector<uint8_t> collect(const Launches& launches) {
    auto enable = TILEWALK_PARAMS(CUpti_RangeProfiler_Enable_Params);
    enable.ctx = current_context();
    TILEWALK_MUST(cupti, cuptiRangeProfilerEnable, &enable);
    CUpti_RangeProfiler_Object* const object = enable.pRangeProfilerObject;
    struct Disable {
      const CuptiLibrary& cupti;
      CUpti_RangeProfiler_Object* object;
      ~Disable() {
        auto p = TILEWALK_PARAMS(CUpti_RangeProfiler_Disable_Params);
        p.pRangeProfilerObject = object;
        cupti.cuptiRangeProfilerDisable(&p);
      }
    } disable{cupti, object};

    auto size = TILEWALK_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = object;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    TILEWALK_MUST(cupti, cuptiRangeProfilerGetCounterDataSize, &size);
    std::vector<uint8_t> image(size.counterDataSize);
    auto initialize = TILEWALK_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    initialize.pRangeProfilerObject = object;
    initialize.counterDataSize = image.size();
    initialize.pCounterData = image.data();
    TILEWALK_MUST(cupti, cuptiRangeProfilerCounterDataImageInitialize, &initialize);

    auto set = TILEWALK_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
    set.pRangeProfilerObject = object;
    set.configSize = config.size();
    set.pConfig = config.data();
    set.counterDataImageSize = image.size();
    set.pCounterDataImage = image.data();
    set.range = CUPTI_UserRange;
    set.replayMode = CUPTI_UserReplay;
    set.maxRangesPerPass = 1;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    set.passIndex = 0;
    set.targetNestingLevel = 1;
    TILEWALK_MUST(cupti, cuptiRangeProfilerSetConfig, &set);

    auto start = TILEWALK_PARAMS(CUpti_RangeProfiler_Start_Params);
    auto push = TILEWALK_PARAMS(CUpti_RangeProfiler_PushRange_Params);
    auto pop = TILEWALK_PARAMS(CUpti_RangeProfiler_PopRange_Params);
    auto stop = TILEWALK_PARAMS(CUpti_RangeProfiler_Stop_Params);
    auto decode = TILEWALK_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    start.pRangeProfilerObject = push.pRangeProfilerObject = pop.pRangeProfilerObject = stop.pRangeProfilerObject =
        decode.pRangeProfilerObject = object;
    push.pRangeName = "launch";
    for (int pass = 0; !stop.isAllPassSubmitted; ++pass) {
      if (!launches.pass(pass, passes)) return {};
      launches.flush();
      TILEWALK_MUST(cupti, cuptiRangeProfilerStart, &start);
      TILEWALK_MUST(cupti, cuptiRangeProfilerPushRange, &push);
      launches.launch();
      TILEWALK_MUST(cupti, cuptiRangeProfilerPopRange, &pop);
      TILEWALK_MUST(cupti, cuptiRangeProfilerStop, &stop);
    }
    TILEWALK_MUST(cupti, cuptiRangeProfilerDecodeData, &decode);
    if (decode.numOfRangeDropped) throw CuptiFault{"CUPTI lost the counters of a launch; run again."};
    return image;
  }

  Counters evaluate(const std::vector<uint8_t>& image) {
    std::vector<double> values(names.size());
    auto p = TILEWALK_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    p.pHostObject = host;
    p.pCounterDataImage = image.data();
    p.counterDataImageSize = image.size();
    p.rangeIndex = 0;
    p.ppMetricNames = names.data();
    p.numMetrics = names.size();
    p.pMetricValues = values.data();
    TILEWALK_MUST(cupti, cuptiProfilerHostEvaluateToGpuValues, &p);
    Counters counters;
    for (size_t k = 0; k < values.size(); ++k) counters.*(wanted[k]->field) = values[k] * factors[k];
    return counters;
  }
};

Traffic::Traffic() : profiler_(std::make_unique<Profiler>()) {
  try {
    profiler_->prepare();
  } catch (const CuptiFault& fault) {
    why_ = fault.words;
  }
}

Traffic::~Traffic() = default;

std::optional<Counters> Traffic::measure(const Launches& launches, std::string& fault) {
  fault = why_;
  if (!why_.empty()) return std::nullopt;
  try {
    const std::vector<uint8_t> image = profiler_->collect(launches);
    if (image.empty()) return std::nullopt;
    return profiler_->evaluate(image);
  } catch (const CuptiFault& caught) {
    fault = caught.words;
    return std::nullopt;
  }
}

}  // namespace tilewalk::gpu
