// A TOML table of a lesson, taken key by key: what is missing, of the wrong kind or not known leaves a fault with its
// line in the lesson's file.
#pragma once

#include "core/lesson/reader.h"

#include <toml++/toml.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Where a reader leaves what it finds. A file that is wrong everywhere is told so a hundred times and no more.
class FaultList {
 public:
  FaultList(std::string file, std::vector<LessonFault>& faults) : file_(std::move(file)), faults_(faults) {}
  void add(int line, std::string message);
  bool empty() const { return faults_.empty(); }

 private:
  std::string file_;
  std::vector<LessonFault>& faults_;
};

// Nothing where the text is no TOML; the fault has the line. `first_line` is the line that the text begins on.
std::optional<toml::table> parse_toml(std::string_view text, int first_line, FaultList& faults);

class TomlFields {
 public:
  enum class Need : bool { Optional, Required };

  // `what` begins a sentence on what is missing: "the front matter".
  TomlFields(const toml::table& table, int first_line, std::string what, FaultList& faults);

  // Each returns whether the key is there and right. The value stays as it is otherwise.
  bool text(std::string_view key, std::string& value, Need need = Need::Optional);
  // Text, a number, true or false, as an expression: "true" is 1.
  bool expression(std::string_view key, std::string& value, Need need = Need::Optional);
  bool whole(std::string_view key, int64_t least, int64_t most, int64_t& value, Need need = Need::Optional);
  bool number(std::string_view key, double least, double most, double& value, Need need = Need::Optional);
  bool texts(std::string_view key, std::vector<std::string>& value);
  bool expressions(std::string_view key, std::vector<std::string>& value);
  // A table of texts, numbers, true and false; those two become 1 and 0. Names are valid identifiers.
  bool words(std::string_view key, std::map<std::string, std::string, std::less<>>& value);
  // The same in the file's order.
  bool ordered_expressions(std::string_view key, std::vector<std::pair<std::string, std::string>>& value);
  const toml::table* table(std::string_view key);
  std::vector<const toml::table*> tables(std::string_view key);

  // Faults of all keys that nothing asked for.
  void finish();

  bool has(std::string_view key) const { return table_.contains(key); }
  int line() const { return line_of(table_); }
  int line_of(std::string_view key) const;
  void fault(std::string_view key, std::string message);

 private:
  const toml::node* find(std::string_view key, Need need);
  int line_of(const toml::node& node) const;
  std::optional<std::string> scalar(const toml::node& node) const;

  const toml::table& table_;
  int first_line_;
  std::string what_;
  FaultList& faults_;
  std::set<std::string, std::less<>> known_;
};

// "[a-z0-9-]", at most 64: names that are kept, linked to and written into files.
bool is_lesson_id(std::string_view text);

}  // namespace tilewalk
