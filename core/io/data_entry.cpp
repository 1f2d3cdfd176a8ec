// Fields of a data file's tables. See data_entry.h.
#include "core/io/data_entry.h"

#include "core/io/printable.h"
#include "core/io/toml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {

DataEntry::DataEntry(const toml::table& table, std::string_view file, std::string name,
                     std::vector<std::string>& faults)
    : table_(table), file_(printable(file)), name_(std::move(name)), faults_(faults) {}

void DataEntry::fault_at(const toml::node& node, std::string_view what) {
  whole_ = false;
  faults_.push_back(fmt::format("{}:{}: {}: {}", file_, node.source().begin.line, name_, what));
}

void DataEntry::fault(std::string_view what) { fault_at(table_, what); }

const toml::node* DataEntry::take(std::string_view key) {
  taken_.emplace_back(key);
  return table_.get(key);
}

bool DataEntry::has(std::string_view key) const { return table_.contains(key); }

std::string DataEntry::text(std::string_view key) {
  if (!has(key)) fault(fmt::format("{} is missing.", key));
  std::string value = text_or(key, "");
  if (has(key) && value.empty() && table_.get(key)->is_string()) fault(fmt::format("{} is empty.", key));
  return value;
}

std::string DataEntry::text_or(std::string_view key, std::string_view otherwise) {
  const toml::node* node = take(key);
  if (!node) return std::string(otherwise);
  if (const auto value = node->value_exact<std::string>()) return *value;
  fault_at(*node, fmt::format("{} is not a text in quotes.", key));
  return std::string(otherwise);
}

double DataEntry::number(std::string_view key, double least, double most) {
  if (!has(key)) fault(fmt::format("{} is missing.", key));
  return number_or(key, least, most, 0);
}

double DataEntry::number_or(std::string_view key, double least, double most, double otherwise) {
  const toml::node* node = take(key);
  if (!node) return otherwise;
  const auto value = node->is_number() ? node->value<double>() : std::nullopt;
  if (!value) {
    fault_at(*node, fmt::format("{} is not a number.", key));
  } else if (!(*value >= least && *value <= most)) {  // not a number is neither
    fault_at(*node, fmt::format("{} = {} is not between {} and {}.", key, *value, least, most));
  } else {
    return *value;
  }
  return otherwise;
}

bool DataEntry::flag(std::string_view key) {
  const toml::node* node = take(key);
  if (!node) return false;
  if (const auto value = node->value_exact<bool>()) return *value;
  fault_at(*node, fmt::format("{} is neither true nor false.", key));
  return false;
}

namespace {

// The elements of an array that `read` can read; a sentence for each one that it cannot.
template <class T, class Read, class Fault>
std::vector<T> elements_of(const toml::node* node, std::string_view key, std::string_view kind, const Read& read,
                           const Fault& fault) {
  std::vector<T> values;
  if (!node) return values;
  const toml::array* array = node->as_array();
  if (!array) {
    fault(*node, fmt::format("{} is not a list of {}.", key, kind));
    return values;
  }
  for (const toml::node& element : *array) {
    if (const auto value = read(element))
      values.push_back(*value);
    else
      fault(element, fmt::format("{} is not a list of {}.", key, kind));
  }
  return values;
}

}  // namespace

std::vector<std::string> DataEntry::texts(std::string_view key) {
  return elements_of<std::string>(
      take(key), key, "texts in quotes", [](const toml::node& node) { return node.value_exact<std::string>(); },
      [&](const toml::node& node, std::string_view what) { fault_at(node, what); });
}

std::vector<double> DataEntry::numbers(std::string_view key) {
  return elements_of<double>(
      take(key), key, "numbers",
      [](const toml::node& node) {
        const auto value = node.is_number() ? node.value<double>() : std::nullopt;
        return value && !std::isinf(*value) ? value : std::nullopt;
      },
      [&](const toml::node& node, std::string_view what) { fault_at(node, what); });
}

const toml::table* DataEntry::table(std::string_view key) {
  const toml::node* node = take(key);
  if (node && node->is_table()) return node->as_table();
  fault(fmt::format("{} is {}.", key, node ? "not a table" : "missing"));
  return nullptr;
}

std::vector<const toml::table*> DataEntry::tables(std::string_view key) {
  return elements_of<const toml::table*>(
      take(key), key, "tables",
      [](const toml::node& node) {
        return node.is_table() ? std::optional<const toml::table*>(node.as_table()) : std::nullopt;
      },
      [&](const toml::node& node, std::string_view what) { fault_at(node, what); });
}

bool DataEntry::finish() {
  for (const auto& [key, node] : table_)
    if (std::find(taken_.begin(), taken_.end(), key.str()) == taken_.end())
      fault_at(node, fmt::format("{} is not a field of this entry.", in_quotes(key.str())));
  return whole_;
}

void for_each_entry(std::string_view text, std::string_view file, std::initializer_list<std::string_view> keys,
                    std::vector<std::string>& faults,
                    const std::function<void(std::string_view, const toml::table&)>& each) {
  toml::table root;
  try {
    root = parse_toml_text(text, file);
  } catch (const toml::parse_error& error) {
    faults.push_back(
        fmt::format("{}:{}: {}.", printable(file), error.source().begin.line, printable(error.description())));
    return;
  }
  for (const auto& [name, node] : root)
    if (std::find(keys.begin(), keys.end(), name.str()) == keys.end() || !node.is_array_of_tables())
      faults.push_back(fmt::format("{}:{}: {} stands here; only [[{}]] entries are expected.", printable(file),
                                   node.source().begin.line, in_quotes(name.str()), fmt::join(keys, "]] and [[")));
  for (const std::string_view key : keys)
    if (const toml::node* node = root.get(key); node && node->is_array_of_tables())
      for (const toml::node& entry : *node->as_array()) each(key, *entry.as_table());
}

}  // namespace tilewalk
