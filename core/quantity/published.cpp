// Reads the published figures. See published.h.
#include "core/quantity/published.h"

#include "core/io/data_entry.h"
#include "core/io/date.h"
#include "core/io/embedded.h"
#include "core/io/printable.h"
#include "core/machine/gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::string_view kPublishedFile = "lessons/data/published.toml";
constexpr std::array<std::string_view, 7> kUnits = {"", "s", "byte", "byte/s", "flop", "flop/s", "flop/byte"};

bool is_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Source, date, origin: the fields that figures and tables share.
Quantity provenance_of(DataEntry& entry) {
  Quantity quantity;
  const std::string source = entry.text("source"), date = entry.text("date");
  if (const auto read = read_date(date))
    quantity.source = source + ", " + date_words(*read);
  else if (!date.empty())
    entry.fault("date is neither like 2022-05 nor like 2022-05-27.");
  const std::string origin = entry.text_or("origin", "published");
  quantity.origin = origin == "recorded" ? Origin::Recorded : Origin::Published;
  if (origin != "recorded" && origin != "published") entry.fault("origin is neither \"published\" nor \"recorded\".");
  return quantity;
}

std::string unit_of(DataEntry& entry) {
  std::string unit = entry.text_or("unit", "");
  if (std::find(kUnits.begin(), kUnits.end(), unit) == kUnits.end())
    entry.fault(fmt::format("unit = {} is none of s, byte, byte/s, flop, flop/s, flop/byte.", in_quotes(unit)));
  return unit;
}

// Which calls a table timed, if it says so.
std::optional<PublishedCalls> calls_of(DataEntry& entry) {
  if (!entry.has("gpu")) return std::nullopt;
  PublishedCalls out;
  out.gpu = entry.text("gpu");
  if (!gpu_named(out.gpu)) entry.fault(fmt::format("gpu = {} is none of the catalogue.", in_quotes(out.gpu)));
  const auto whole = [&](std::string_view key) {
    const double value = entry.number_or(key, 1, 1e9, 0);
    if (value != std::floor(value)) entry.fault(fmt::format("{} is not a whole number.", key));
    return int64_t(value);
  };
  out.batch = whole("batch"), out.heads = whole("heads");
  out.tokens = whole("tokens"), out.columns = whole("columns");
  out.d = whole("d");
  if ((out.batch > 0) != (out.heads > 0) || (out.tokens > 0) != (out.columns > 0) ||
      (out.batch > 0) == (out.tokens > 0))
    entry.fault("batch and heads, or tokens and columns, are missing.");
  return out;
}

// Which rows of another table stand beside its own, if it says so.
std::optional<PublishedBeside> beside_of(DataEntry& entry) {
  if (!entry.has("beside")) return std::nullopt;
  return PublishedBeside{entry.text("beside"), entry.text("beside_rows"), entry.text("beside_words")};
}

class Reader {
 public:
  Reader(std::string_view file, std::vector<std::string>& faults) : file_(file), faults_(faults) {}

  // Figures of one source. One that is wrong is left out; the others stay.
  void figures(const toml::table& table) {
    DataEntry group(table, file_, "[[figures]]", faults_);
    Quantity shared = provenance_of(group);
    const toml::table* rows = group.table("rows");
    if (!group.finish()) return;
    for (const auto& [key, node] : *rows) {
      const toml::table* fields = node.as_table();
      if (!fields) {
        group.fault_at(node, fmt::format("{} is no table of value and text.", in_quotes(key.str())));
        continue;
      }
      DataEntry entry(*fields, file_, printable(key.str()), faults_);
      Quantity quantity = shared;
      quantity.value = entry.number("value", -1e300, 1e300) * entry.number_or("scale", 1e-30, 1e30, 1);
      quantity.unit = unit_of(entry);
      const std::string text = entry.text("text");
      if (!entry.finish() || !add(entry, std::string(key.str()), quantity)) continue;
      all.texts[std::string(key.str())] = text;
    }
  }

  void table(const toml::table& fields) {
    DataEntry entry(fields, file_, "[[table]] " + printable(fields["id"].value_or(std::string_view("without id"))),
                    faults_);
    PublishedTable table;
    table.id = entry.text("id");
    table.title = entry.text("title");
    table.at = entry.texts("at");
    table.unit = unit_of(entry);
    const double scale = entry.number_or("scale", 1e-30, 1e30, 1);
    Quantity shared = provenance_of(entry);
    shared.unit = table.unit;
    table.origin = shared.origin;
    table.source = shared.source;
    table.calls = calls_of(entry);
    table.beside = beside_of(entry);
    if (table.at.empty()) entry.fault("at is missing.");
    for (const std::string& at : table.at)
      if (!is_key(at)) entry.fault(fmt::format("at has {}, which is no part of a key.", in_quotes(at)));
    const toml::table* rows = entry.table("rows");
    if (!entry.finish()) return;
    for (const auto& [key, node] : *rows) {
      DataEntry row(*rows, file_, "[[table]] " + table.id, faults_);
      PublishedRow out{std::string(key.str()), row.numbers(key.str())};
      if (out.values.size() != table.at.size()) {
        row.fault_at(node, fmt::format("{} has {} values for {} columns.", in_quotes(key.str()), out.values.size(),
                                       table.at.size()));
        continue;
      }
      for (size_t i = 0; i < out.values.size(); ++i) {
        out.values[i] *= scale;
        if (std::isnan(out.values[i])) continue;
        shared.value = out.values[i];
        add(row, out.key + "_" + table.at[i], shared);
      }
      table.rows.push_back(std::move(out));
    }
    // The library keeps keys by name; a table's rows stand as they were written.
    const auto line_of = [&](const PublishedRow& row) { return rows->get(row.key)->source().begin.line; };
    std::sort(table.rows.begin(), table.rows.end(),
              [&](const PublishedRow& a, const PublishedRow& b) { return line_of(a) < line_of(b); });
    all.tables.push_back(std::move(table));
  }

  PublishedFigures all;

 private:
  bool add(DataEntry& entry, std::string key, const Quantity& quantity) {
    if (!is_key(key)) {
      entry.fault(fmt::format("the key {} has other signs than a-z, 0-9 and _.", in_quotes(key)));
      return false;
    }
    if (!all.figures.emplace(key, quantity).second) {
      entry.fault(fmt::format("the key {} is taken by a figure before.", in_quotes(key)));
      return false;
    }
    return true;
  }

  std::string_view file_;
  std::vector<std::string>& faults_;
};

}  // namespace

PublishedFigures read_published(std::string_view toml, std::string_view file, std::vector<std::string>& faults) {
  Reader reader(file, faults);
  for_each_entry(toml, file, {"figures", "table"}, faults, [&](std::string_view key, const toml::table& table) {
    key == "table" ? reader.table(table) : reader.figures(table);
  });
  return std::move(reader.all);
}

const PublishedFigures& published_figures() {
  static const PublishedFigures figures = [] {
    std::vector<std::string> faults;  // of our own file: a test says that there are none
    return read_published(embedded_file(kPublishedFile), kPublishedFile, faults);
  }();
  return figures;
}

std::optional<Quantity> published(std::string_view key) {
  const auto& figures = published_figures().figures;
  const auto found = figures.find(key);
  return found == figures.end() ? std::nullopt : std::optional(found->second);
}

const PublishedTable* published_table(std::string_view id) {
  for (const PublishedTable& table : published_figures().tables)
    if (table.id == id) return &table;
  return nullptr;
}

}  // namespace tilewalk
