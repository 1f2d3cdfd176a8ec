#include "core/run/method_run.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/run/method_fields.h"
#include "core/run/prediction.h"
#include "core/run/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr const char* kMethodsHead = "tilewalk_methods";

void check_amount(double value, const std::string& place) {
  if (!std::isfinite(value) || value < 0)
    throw JsonFault(place, fmt::format("must be finite and not below zero, and is {}", value));
}

}  // namespace

int64_t group_of(const MethodSpec& s) { return s.kv_heads > 0 ? s.problem.heads / s.kv_heads : 1; }

double kv_bytes(const MethodSpec& s) {
  const Problem& p = s.problem;
  return 4.0 * double(p.batch * (p.heads / group_of(s))) * double(p.n_k) * double(p.d);
}

double flop_rate(const MethodResult& r) {
  return r.timing ? double(nominal_flop_of(r.spec.problem)) / r.timing->median * 1e3 : 0;
}

void check(const MethodSpec& s, const std::string& place) {
  if (std::ranges::find(kMethods, s.method) == kMethods.end())
    throw JsonFault(place + ".method",
                    fmt::format("must be one of {}, and is \"{}\"", fmt::join(kMethods, ", "), s.method));
  if (s.kv_heads < 0 || (s.kv_heads > 0 && s.problem.heads % s.kv_heads))
    throw JsonFault(place + ".kv_heads",
                    fmt::format("must divide the {} heads, and is {}", s.problem.heads, s.kv_heads));
  if (s.splits < 0) throw JsonFault(place + ".splits", fmt::format("must not be below zero, and is {}", s.splits));
}

void check(const RoundingCost& r, const std::string& place) {
  for (const auto& [name, value] :
       {std::pair("whole", r.whole), {"rmse", r.rmse}, {"lse", r.lse}, {"seconds", r.seconds}})
    check_amount(value, place + "." + name);
}

void check(const MethodResult& r, const std::string& place) {
  const std::string before = place.empty() ? "" : place + ".";
  if (r.timing && !r.errors.passed) throw JsonFault(before + "timing", "is there, and the answer was wrong");
  for (const auto& [name, value] :
       {std::pair("l2_to_sm", r.l2_to_sm), {"sm_to_l2", r.sm_to_l2}, {"dram_least", r.dram_least}})
    if (value < 0) throw JsonFault(before + name, fmt::format("must not be below zero, and is {}", value));
  check_amount(r.roof, before + "roof");
}

std::string methods_text(const std::vector<MethodResult>& results) {
  const auto line = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  std::string out =
      fmt::format("{{\"{}\": {},\n\"results\": [", kMethodsHead,
                  line(FieldWriter::write(Schema{MethodResult::kSchemaMajor, MethodResult::kSchemaMinor})));
  for (size_t k = 0; k < results.size(); ++k)
    out += fmt::format("{}\n {}", k ? "," : "", line(FieldWriter::write(results[k])));
  return out + "]}\n";
}

std::optional<std::vector<MethodResult>> read_methods(std::string_view text, std::string& fault) {
  try {
    const Json json = parse_limited(text);
    check_schema(json, kMethodsHead, "is no file of methods", MethodResult::kSchemaMajor, MethodResult::kSchemaMinor);
    if (!json.contains("results")) throw JsonFault("results", "is missing");
    std::vector<MethodResult> out;
    FieldReader::read(json["results"], "results", out);
    return out;
  } catch (const JsonFault& error) {
    fault = error.what();
    return std::nullopt;
  }
}

std::vector<MethodResult> load_methods(const std::filesystem::path& path) {
  std::string fault;
  auto results = read_methods(read_file(path, kMostRecording), fault);
  if (!results) throw IoError(fmt::format("{}: {}.", printable_path(path), fault));
  return std::move(*results);
}

void save_methods(const std::filesystem::path& path, const std::vector<MethodResult>& results) {
  write_file(path, methods_text(results));
}

}  // namespace tilewalk
