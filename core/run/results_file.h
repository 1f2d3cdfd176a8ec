// Files of one kind of result, rings, relatives or programs: a head that names the kind and its format, then a result a
// line. A result has kSchemaMajor and kSchemaMinor, fields() and check() (json_fields.h).
#pragma once

#include "core/run/run_fields.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct ResultsKind {
  const char* head;          // "tilewalk_ring"
  std::string_view no_such;  // "is no file of rings"
};

template <class Result>
std::string results_text(const ResultsKind& kind, const std::vector<Result>& results) {
  const auto line = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  std::string out = fmt::format("{{\"{}\": {},\n\"results\": [", kind.head,
                                line(FieldWriter::write(Schema{Result::kSchemaMajor, Result::kSchemaMinor})));
  for (size_t k = 0; k < results.size(); ++k)
    out += fmt::format("{}\n {}", k ? "," : "", line(FieldWriter::write(results[k])));
  return out + "]}\n";
}

// Or what is wrong, as a sentence without its stop that begins with the place.
template <class Result>
std::optional<std::vector<Result>> read_results(const ResultsKind& kind, std::string_view text, std::string& fault) {
  try {
    const Json json = parse_limited(text);
    check_schema(json, kind.head, kind.no_such, Result::kSchemaMajor, Result::kSchemaMinor);
    if (!json.contains("results")) throw JsonFault("results", "is missing");
    std::vector<Result> out;
    FieldReader::read(json["results"], "results", out);
    return out;
  } catch (const JsonFault& error) {
    fault = error.what();
    return std::nullopt;
  }
}

}  // namespace tilewalk
