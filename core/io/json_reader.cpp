#include "core/io/json_reader.h"

#include "core/io/effort.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

using Json = nlohmann::ordered_json;

// Past the object's own insertion, which looks at every member for one of that name.
Json::object_t::Container& container_of(Json::object_t& members) { return members; }

// Takes the parser's events. A list or object that is open gathers its entries here and becomes a value at its end.
class Builder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  explicit Builder(const JsonLimits& limits) : limits_(limits) {}
  Json take() { return std::move(root_); }

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(number_integer_t value) { return put(value); }
  bool number_unsigned(number_unsigned_t value) { return put(value); }
  bool number_float(number_float_t value, const string_t&) { return put(value); }
  bool string(string_t& value) { return put(std::move(value)); }
  bool binary(binary_t&) { return false; }  // JSON has none
  bool start_object(size_t) { return open(true); }
  bool start_array(size_t) { return open(false); }
  bool key(string_t& name) {
    open_.back().names.push_back(std::move(name));
    return true;
  }
  bool end_array() {
    Json::array_t list = std::move(open_.back().values);
    open_.pop_back();
    return place(std::move(list));
  }
  bool end_object() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    refuse_twins(closed.names);
    Json::object_t members;
    members.reserve(closed.names.size());
    for (size_t k = 0; k < closed.names.size(); ++k)
      container_of(members).emplace_back(std::move(closed.names[k]), std::move(closed.values[k]));
    return place(std::move(members));
  }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& error) {
    constexpr int kOutOfRange = 406;
    if (error.id == kOutOfRange) throw JsonError("holds a number that no double can hold");
    throw JsonError(fmt::format("is not JSON from byte {} on; it may be cut off", position));
  }

 private:
  struct Open {
    bool object;
    std::vector<std::string> names;  // of an object's members
    std::vector<Json> values;
  };

  void count() {
    spend();
    if (++values_ > limits_.values) throw JsonError(fmt::format("holds more than {} values", limits_.values));
  }
  bool put(Json value) {
    count();
    return place(std::move(value));
  }
  bool open(bool object) {
    count();
    if (int(open_.size()) >= limits_.depth)
      throw JsonError(fmt::format("is nested deeper than {} levels", limits_.depth));
    open_.push_back({object, {}, {}});
    return true;
  }
  bool place(Json value) {
    (open_.empty() ? root_ : open_.back().values.emplace_back()) = std::move(value);
    return true;
  }
  static void refuse_twins(const std::vector<std::string>& names) {
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::ranges::sort(sorted);
    if (const auto twin = std::ranges::adjacent_find(sorted); twin != sorted.end())
      throw JsonError(fmt::format("has the name {} twice in one object", in_quotes(*twin, 40)));
  }

  JsonLimits limits_;
  std::vector<Open> open_;
  Json root_;
  size_t values_ = 0;
};

}  // namespace

Json read_json(std::string_view text, const JsonLimits& limits) {
  Builder builder(limits);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

void append_member(Json& object, std::string name, Json value) {
  container_of(object.get_ref<Json::object_t&>()).emplace_back(std::move(name), std::move(value));
}

}  // namespace tilewalk
