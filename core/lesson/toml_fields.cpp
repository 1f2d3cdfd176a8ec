#include "core/lesson/toml_fields.h"

#include "core/io/printable.h"
#include "core/io/toml_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr size_t kMostFaults = 100;

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && text.size() <= 64 && letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || digit(c) || c == '-'; });
}

}  // namespace

void FaultList::add(int line, std::string message) {
  if (faults_.size() > kMostFaults) return;
  if (faults_.size() == kMostFaults) message = "there are more faults; these come first.";
  faults_.push_back({file_, line, std::move(message)});
}

std::optional<toml::table> parse_toml(std::string_view text, int first_line, FaultList& faults) {
  try {
    return parse_toml_text(text);
  } catch (const toml::parse_error& error) {
    const int line = first_line - 1 + int(std::max<uint32_t>(error.source().begin.line, 1));
    faults.add(line, fmt::format("this is not TOML: {}.", printable(error.description())));
    return std::nullopt;
  }
}

TomlFields::TomlFields(const toml::table& table, int first_line, std::string what, FaultList& faults)
    : table_(table), first_line_(first_line), what_(std::move(what)), faults_(faults) {}

int TomlFields::line_of(const toml::node& node) const {
  const auto line = int(node.source().begin.line);
  return line > 0 ? first_line_ - 1 + line : first_line_;
}

int TomlFields::line_of(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return node ? line_of(*node) : line();
}

void TomlFields::fault(std::string_view key, std::string message) { faults_.add(line_of(key), std::move(message)); }

const toml::node* TomlFields::find(std::string_view key, Need need) {
  known_.emplace(key);
  const toml::node* node = table_.get(key);
  if (!node && need == Need::Required) faults_.add(line(), fmt::format("{} has no key {}.", what_, key));
  return node;
}

std::optional<std::string> TomlFields::scalar(const toml::node& node) const {
  if (const auto text = node.value_exact<std::string>()) return text;
  if (const auto truth = node.value_exact<bool>()) return *truth ? "1" : "0";
  if (const auto whole = node.value_exact<int64_t>()) return fmt::format("{}", *whole);
  const auto number = node.value_exact<double>();
  return number && std::isfinite(*number) ? std::optional(fmt::format("{}", *number)) : std::nullopt;
}

bool TomlFields::text(std::string_view key, std::string& value, Need need) {
  const toml::node* node = find(key, need);
  if (!node) return false;
  const auto text = node->value_exact<std::string>();
  if (!text)
    fault(key, fmt::format("{} must be a text in quotes.", key));
  else if (text->empty() && need == Need::Required)
    fault(key, fmt::format("{} must not be empty.", key));
  else
    return value = *text, true;
  return false;
}

bool TomlFields::expression(std::string_view key, std::string& value, Need need) {
  const toml::node* node = find(key, need);
  if (!node) return false;
  const auto text = scalar(*node);
  if (!text || text->empty()) return fault(key, fmt::format("{} must be an expression in quotes.", key)), false;
  value = *text;
  return true;
}

bool TomlFields::number(std::string_view key, double least, double most, double& value, Need need) {
  const toml::node* node = find(key, need);
  if (!node) return false;
  const auto found = node->is_number() ? node->value<double>() : std::nullopt;
  if (!found || !(*found >= least && *found <= most))
    return fault(key, fmt::format("{} must be a number from {} to {}.", key, least, most)), false;
  value = *found;
  return true;
}

bool TomlFields::whole(std::string_view key, int64_t least, int64_t most, int64_t& value, Need need) {
  const toml::node* node = find(key, need);
  if (!node) return false;
  const auto found = node->value_exact<int64_t>();
  if (!found || *found < least || *found > most)
    return fault(key, fmt::format("{} must be a whole number from {} to {}.", key, least, most)), false;
  value = *found;
  return true;
}

bool TomlFields::texts(std::string_view key, std::vector<std::string>& value) {
  const toml::node* node = find(key, Need::Optional);
  if (!node) return false;
  const toml::array* array = node->as_array();
  std::vector<std::string> out;
  if (array)
    for (const toml::node& entry : *array) out.push_back(entry.value_exact<std::string>().value_or(""));
  if (!array || std::ranges::any_of(out, &std::string::empty))
    return fault(key, fmt::format("{} must be a list of texts in quotes, as in [\"a\", \"b\"].", key)), false;
  value = std::move(out);
  return true;
}

bool TomlFields::expressions(std::string_view key, std::vector<std::string>& value) {
  const toml::node* node = find(key, Need::Optional);
  if (!node) return false;
  const toml::array* array = node->as_array();
  std::vector<std::string> out;
  if (array)
    for (const toml::node& entry : *array) out.push_back(scalar(entry).value_or(""));
  if (out.empty() || std::ranges::any_of(out, &std::string::empty))
    return fault(key, fmt::format("{} must be a list of expressions, as in [\"2048\", \"4096\"].", key)), false;
  value = std::move(out);
  return true;
}

bool TomlFields::words(std::string_view key, std::map<std::string, std::string, std::less<>>& value) {
  std::vector<std::pair<std::string, std::string>> entries;
  if (!ordered_expressions(key, entries)) return false;
  value.insert(entries.begin(), entries.end());
  return true;
}

bool TomlFields::ordered_expressions(std::string_view key, std::vector<std::pair<std::string, std::string>>& value) {
  const toml::node* node = find(key, Need::Optional);
  if (!node) return false;
  const toml::table* entries = node->as_table();
  if (!entries) return fault(key, fmt::format("{} must be a table of names and values.", key)), false;
  std::vector<std::tuple<toml::source_position, std::string, std::string>> found;
  for (const auto& [name, entry] : *entries) {
    const auto text = scalar(entry);
    if (!is_name(name.str())) {
      faults_.add(line_of(entry), fmt::format("{} is no name: letters, digits, _ and -, beginning with a letter.",
                                              in_quotes(name.str(), 40)));
    } else if (!text || text->empty()) {
      faults_.add(line_of(entry), fmt::format("{}.{} must be a text in quotes or a number.", key, name.str()));
    } else {
      found.emplace_back(entry.source().begin, name.str(), *text);
    }
  }
  std::ranges::sort(found);
  for (auto& [place, name, text] : found) value.emplace_back(std::move(name), std::move(text));
  return true;
}

const toml::table* TomlFields::table(std::string_view key) {
  const toml::node* node = find(key, Need::Optional);
  if (node && !node->is_table()) fault(key, fmt::format("{} must be a table, as in [{}].", key, key));
  return node ? node->as_table() : nullptr;
}

std::vector<const toml::table*> TomlFields::tables(std::string_view key) {
  const toml::node* node = find(key, Need::Optional);
  std::vector<const toml::table*> out;
  if (!node) return out;
  if (const toml::array* array = node->as_array())
    for (const toml::node& entry : *array) out.push_back(entry.as_table());
  if (out.empty() || std::ranges::find(out, nullptr) != out.end()) {
    fault(key, fmt::format("{} must be a list of tables, each begun by [[{}]].", key, key));
    out.clear();
  }
  return out;
}

void TomlFields::finish() {
  for (const auto& [key, node] : table_) {
    if (known_.contains(key.str())) continue;
    const auto line = int(key.source().begin.line);
    faults_.add(
        line > 0 ? first_line_ - 1 + line : line_of(node),
        fmt::format("{} has no key {}; it knows {}.", what_, in_quotes(key.str(), 40), fmt::join(known_, ", ")));
  }
}

bool is_lesson_id(std::string_view text) {
  return !text.empty() && text.size() <= 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace tilewalk
