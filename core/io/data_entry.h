// One table of a data file (TOML): takes its fields and says in a sentence what is missing, impossible or not known.
// For .cpp files of core only: it brings the TOML library with it.
#pragma once

#include <toml++/toml.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

class DataEntry {
 public:
  // `name` is what the sentences call the entry: "[[gpu]] a100-80". Sentences go to `faults`, with file and line.
  DataEntry(const toml::table& table, std::string_view file, std::string name, std::vector<std::string>& faults);

  // Required; a fault where it is missing, empty or of another kind.
  std::string text(std::string_view key);
  double number(std::string_view key, double least, double most);
  // Not required.
  std::string text_or(std::string_view key, std::string_view otherwise);
  double number_or(std::string_view key, double least, double most, double otherwise);
  bool flag(std::string_view key);  // false where it is missing
  std::vector<std::string> texts(std::string_view key);
  std::vector<double> numbers(std::string_view key);  // finite or nan
  const toml::table* table(std::string_view key);     // null, and a fault, where there is none
  // Of an array of tables; empty where it is missing.
  std::vector<const toml::table*> tables(std::string_view key);
  bool has(std::string_view key) const;

  void rename(std::string name) { name_ = std::move(name); }
  // Adds "<file>:<line>: <name>: <what>".
  void fault(std::string_view what);
  void fault_at(const toml::node& node, std::string_view what);
  // Every key that was not taken is a fault. True where the entry had none at all.
  bool finish();

 private:
  const toml::node* take(std::string_view key);
  const toml::table& table_;
  std::string file_, name_;
  std::vector<std::string>& faults_;
  std::vector<std::string> taken_;
  bool whole_ = true;
};

// Parses a file and calls `each` for every [[key]] of `keys`, in the order of the keys; a file that is no TOML, or
// holds anything else, is a fault.
void for_each_entry(std::string_view text, std::string_view file, std::initializer_list<std::string_view> keys,
                    std::vector<std::string>& faults,
                    const std::function<void(std::string_view key, const toml::table&)>& each);

}  // namespace tilewalk
