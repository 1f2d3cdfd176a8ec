#include "core/run/run_json.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/run/run_fields.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

constexpr const char* kRecordingHead = "tilewalk_recording";

std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Until format 1.2 "fa1" was another kernel, KernelId::Fa1First.
void rename_first_fa1(Json& results) {
  const auto rename = [](Json& key) {
    if (key == "fa1") key = info_of(KernelId::Fa1First).key;
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

std::vector<RunResult> results_of(Json json) {
  const Schema schema =
      check_schema(json, kRecordingHead, "is no recording", RunResult::kSchemaMajor, RunResult::kSchemaMinor);
  if (!json.contains("results")) throw JsonFault("results", "is missing");
  if (schema.major == 1 && schema.minor < 3) rename_first_fa1(json["results"]);
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

std::optional<std::vector<RunResult>> read_recording(std::string_view text, std::string& fault) {
  try {
    return results_of(parse_limited(text));
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
