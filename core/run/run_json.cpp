#include "core/run/run_json.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/run/method_run.h"
#include "core/run/run_fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr const char* kRecordingHead = "tilewalk_recording";

std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Until format 1.2 "fa1" was another kernel, Method::Fa1First.
void rename_first_fa1(Json& results) {
  const auto rename = [](Json& key) {
    if (key == "fa1") key = info_of(Method::Fa1First).key;
  };
  for (Json& result : results) {
    if (!result.is_object()) continue;
    if (result.contains("kernels") && result["kernels"].is_array())
      for (Json& kernel : result["kernels"])
        if (kernel.is_object() && kernel.contains("kernel")) rename(kernel["kernel"]);
    if (result.contains("spec") && result["spec"].is_object() && result["spec"].contains("kernels"))
      for (Json& key : result["spec"]["kernels"]) rename(key);
  }
}

// Of one trace: lanes, whole and from the first on, as long as their stamps together are not too many. Returns how many
// lanes lose theirs. What is no list, or no stamp, is left to the reader.
int64_t leave_out_lanes(Json& trace) {
  constexpr size_t kMost = kMostListed<Stamp>, kMostLanes = kMostListed<std::string>;
  if (!trace.is_object() || !trace.contains("stamps") || !trace.contains("lanes")) return 0;
  Json &stamps = trace["stamps"], &lanes = trace["lanes"];
  if (!stamps.is_array() || stamps.size() <= kMost || !lanes.is_array() || lanes.size() > kMostLanes) return 0;
  const auto lane_of = [&](const Json& stamp) -> size_t {
    const bool named = stamp.is_array() && !stamp.empty() && stamp[0].is_number_unsigned();
    return named ? std::min<size_t>(stamp[0].get<size_t>(), lanes.size()) : lanes.size();
  };
  std::vector<size_t> count(lanes.size() + 1, 0);
  for (const Json& stamp : stamps) ++count[lane_of(stamp)];
  if (count.back() > 0) return 0;  // of no lane: the reader says so
  size_t kept = 0, all = 0;
  while (kept < lanes.size() && all + count[kept] <= kMost) all += count[kept++];
  Json few = Json::array();
  for (Json& stamp : stamps)
    if (lane_of(stamp) < kept) few.push_back(std::move(stamp));
  stamps = std::move(few);
  for (size_t lane = kept; lane < lanes.size(); ++lane)
    if (lanes[lane].is_string()) lanes[lane] = lanes[lane].get<std::string>() + ", left out";
  return int64_t(lanes.size() - kept);
}

// Of all traces; one sentence where lanes were left out.
std::string leave_out_lanes_of(Json& results) {
  int64_t lanes = 0;
  for (Json& result : results)
    if (result.is_object() && result.contains("kernels") && result["kernels"].is_array())
      for (Json& kernel : result["kernels"])
        if (kernel.is_object() && kernel.contains("trace")) lanes += leave_out_lanes(kernel["trace"]);
  if (lanes == 0) return {};
  return fmt::format("It holds more than the {} clock stamps of a launch that are shown: {} {} left out.",
                     kMostListed<Stamp>, lanes, lanes == 1 ? "lane is" : "lanes are");
}

std::vector<RunResult> results_of(Json json, std::string* left_out) {
  if (holds_methods(json)) return runs_of_methods(json);
  const Schema schema =
      check_schema(json, kRecordingHead, "is no recording", RunResult::kSchemaMajor, RunResult::kSchemaMinor);
  if (!json.contains("results")) throw JsonFault("results", "is missing");
  if (schema.major == 1 && schema.minor < 3) rename_first_fa1(json["results"]);
  const std::string left = leave_out_lanes_of(json["results"]);
  if (left_out) *left_out = left;
  std::vector<RunResult> results;
  FieldReader::read(json["results"], "results", results);
  return results;
}

}  // namespace

std::string recording_text(const std::vector<RunResult>& results) {
  const Json schema = FieldWriter::write(Schema{RunResult::kSchemaMajor, RunResult::kSchemaMinor});
  std::string out = fmt::format("{{\"{}\": {},\n\"results\": [", kRecordingHead, line(schema));
  for (size_t r = 0; r < results.size(); ++r) {
    out += fmt::format("{}\n{{\"provenance\": {},\n\"spec\": {},\n\"kernels\": [", r ? "," : "",
                       line(FieldWriter::write(results[r].provenance)), line(FieldWriter::write(results[r].spec)));
    for (size_t k = 0; k < results[r].kernels.size(); ++k)
      out += fmt::format("{}\n {}", k ? "," : "", line(FieldWriter::write(results[r].kernels[k])));
    out += "]}";
  }
  return out + "]}\n";
}

std::optional<std::vector<RunResult>> read_recording(std::string_view text, std::string& fault, std::string* left_out) {
  try {
    return results_of(parse_limited(text), left_out);
  } catch (const JsonFault& error) {
    fault = error.what();
    return std::nullopt;
  }
}

std::string size_fault(const KernelResult& result, const Problem& problem) {
  try {
    check_fits(result, problem, "result");
    return {};
  } catch (const JsonFault& error) {
    return error.what();
  }
}

std::vector<RunResult> load_recording(const std::filesystem::path& path) {
  std::string fault;
  auto results = read_recording(read_file(path, kMostRecording), fault);
  if (!results) throw IoError(fmt::format("{}: {}.", printable_path(path), fault));
  return std::move(*results);
}

void save_recording(const std::filesystem::path& path, const std::vector<RunResult>& results) {
  write_file(path, recording_text(results));
}

}  // namespace tilewalk
