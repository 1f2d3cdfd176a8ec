// A variant of messages as lines of JSON, one object each: its "type" names the alternative, its fields stand beside
// it (core/run/json_fields.h). Strangers' lines are read under limits.
#pragma once

#include "core/run/json_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tilewalk {

// The object of a message, without its line break; `names` are the types, in the order of the variant.
template <class Variant, size_t Count>
Json json_of_message(const Variant& message, const char* const (&names)[Count]) {
  static_assert(std::variant_size_v<Variant> == Count);
  Json out{{"type", names[message.index()]}};
  std::visit([&](const auto& m) { out.update(FieldWriter::write(m)); }, message);
  return out;
}
inline std::string line_of_json(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

struct ReadFields {
  template <class Message>
  void operator()(const Json& json, Message& message) const {
    FieldReader::read(json, "", message);
  }
};

namespace message_lines {

template <class Variant, class Read, size_t Index = 0>
Variant message_at(size_t index, const Json& json, const Read& read) {
  if constexpr (Index + 1 < std::variant_size_v<Variant>)
    if (index != Index) return message_at<Variant, Read, Index + 1>(index, json, read);
  std::variant_alternative_t<Index, Variant> message;
  read(json, message);
  return message;
}

}  // namespace message_lines

// Throws JsonFault.
template <class Variant, class Read = ReadFields, size_t Count>
Variant message_of_line(std::string_view line, const char* const (&names)[Count], size_t most, const Read& read = {}) {
  if (line.size() > most) throw JsonFault("", fmt::format("is longer than {} bytes", most));
  const Json json = parse_limited(line);
  std::string type;
  if (!json.contains("type")) throw JsonFault("type", "is missing");
  read_value(json["type"], "type", type);
  for (size_t k = 0; k < Count; ++k)
    if (type == names[k]) return message_lines::message_at<Variant>(k, json, read);
  wrong("type", fmt::format("one of \"{}\"", fmt::join(names, "\", \"")), json["type"]);
}

}  // namespace tilewalk
