// How plain structs become JSON and come back, from one list of fields for both ways: a function template
//
//   template <class Visitor, Like<Timing> T> void fields(Visitor& visit, T& timing)
//
// names each member once, visit("median", timing.median) for one that must be there, visit.maybe("label", x.label) for
// one that is left out while it is empty, visit.hex("hash", x.hash) for bits. FieldWriter and FieldReader are the
// visitors. Keys that no field claims are ignored, so that a newer minor version can be read.
#pragma once

#include "core/run/json_values.h"

#include <fmt/format.h>

#include <concepts>
#include <type_traits>

namespace tilewalk {

// Entries of a list at most, by what they are: what a panel lays out, or goes through whenever its board is made.
template <class T>
constexpr size_t kMostListed = 4096;
template <>
inline constexpr size_t kMostListed<std::string> = 64;  // lanes, and CUDA kernels of one result
template <>
inline constexpr size_t kMostListed<Stamp> = size_t{1} << 14;  // a worker keeps 1,024 of each lane
template <>
inline constexpr size_t kMostListed<int64_t> = kMostFloats;  // rows

template <class T, class Struct>
concept Like = std::same_as<std::remove_const_t<T>, Struct>;

// A struct with fields(), as against a number, text or list.
template <class T, class Visitor>
concept HasFields = requires(Visitor& visit, T& value) {
  fields(visit, value);
};

class FieldWriter {
 public:
  Json out = Json::object();

  template <class T>
  void operator()(const char* name, const T& value) {
    out[name] = write(value);
  }
  template <class T>
  void maybe(const char* name, const T& value) {
    if (!(is_empty(value))) out[name] = write(value);
  }
  template <class T>
  void maybe(const char* name, const std::optional<T>& value) {
    if (value) out[name] = write(*value);
  }

  void hex(const char* name, uint64_t value) { out[name] = hex_of(value); }

  template <class T>
  static Json write(const T& value) {
    if constexpr (HasFields<const T, FieldWriter>) {
      FieldWriter inner;
      fields(inner, value);
      return std::move(inner.out);
    } else {
      return json_value(value);
    }
  }
  template <class T>
  static Json write(const std::vector<T>& list) {
    if constexpr (std::same_as<T, float>) {
      return base64_of(list);
    } else {
      Json out = Json::array();
      for (const T& entry : list) out.push_back(write(entry));
      return out;
    }
  }

 private:
  template <class T>
  static bool is_empty(const T& value) {
    if constexpr (requires { value.empty(); })
      return value.empty();
    else
      return value == T{};
  }
};

// Every failure is a JsonFault that names the place: "kernels[2].timing.median: a number is expected, not a text".
class FieldReader {
 public:
  FieldReader(const Json& in, std::string place) : in_(in), place_(std::move(place)) {
    if (!in.is_object()) wrong(place_, "an object", in);
  }

  template <class T>
  void operator()(const char* name, T& value) {
    const auto found = in_.find(name);
    if (found == in_.end()) throw JsonFault(place_of(name), "is missing");
    read(*found, place_of(name), value);
  }
  template <class T>
  void maybe(const char* name, T& value) {
    if (const auto found = in_.find(name); found != in_.end()) read(*found, place_of(name), value);
  }
  template <class T>
  void maybe(const char* name, std::optional<T>& value) {
    if (const auto found = in_.find(name); found != in_.end()) read(*found, place_of(name), value.emplace());
  }
  void hex(const char* name, uint64_t& value) {
    const auto found = in_.find(name);
    if (found == in_.end()) throw JsonFault(place_of(name), "is missing");
    value = read_hex(*found, place_of(name));
  }

  template <class T>
  static void read(const Json& in, const std::string& place, T& value) {
    if constexpr (HasFields<T, FieldReader>) {
      FieldReader inner(in, place);
      fields(inner, value);
      if constexpr (requires { check(value, place); }) check(value, place);
    } else {
      read_value(in, place, value);
    }
  }
  template <class T>
  static void read(const Json& in, const std::string& place, std::vector<T>& list) {
    if constexpr (std::same_as<T, float>) {
      list = floats_of(in, place);
    } else {
      if (!in.is_array()) wrong(place, "a list", in);
      if (in.size() > kMostListed<T>)
        throw JsonFault(place, fmt::format("holds {} entries; at most {} are read", in.size(), kMostListed<T>));
      list.resize(in.size());
      for (size_t k = 0; k < list.size(); ++k) read(in[k], place + "[" + std::to_string(k) + "]", list[k]);
    }
  }

 private:
  std::string place_of(const char* name) const { return place_.empty() ? name : place_ + "." + name; }

  const Json& in_;
  std::string place_;
};

}  // namespace tilewalk
