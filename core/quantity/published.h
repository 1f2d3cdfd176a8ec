// Published figures by key, with their sources: lessons/data/published.toml, which is embedded in the program and whose
// head says how keys are made.
#pragma once

#include "core/quantity/quantity.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// A row of a published table. A cell that has no figure (out of memory) is not a number.
struct PublishedRow {
  std::string key;             // "fa2_a100_fwdbwd_d64"
  std::vector<double> values;  // one for each of PublishedTable::at, in the table's unit
};
// The attention calls that a table timed: B and H, or so many tokens and columns (B = tokens / N, H = columns / d).
struct PublishedCalls {
  std::string gpu;  // id of the catalogue (core/machine/gpus.h)
  int64_t batch = 0, heads = 0, tokens = 0, columns = 0;
  int64_t d = 0;  // 0: each row's key has it
};
// Rows of another table that are shown with a table's own: of the same calls, on the same GPU, of another build.
struct PublishedBeside {
  std::string table, rows, words;  // its id, what the rows' keys begin with, and whose these are: "FA3: ..."
};
struct PublishedTable {
  std::string id, title;
  std::vector<std::string> at;  // "512", "1k", ...
  std::string unit;
  Origin origin = Origin::Published;
  std::string source;  // with its date: "FlashAttention-3, Table 2, July 2024"
  std::vector<PublishedRow> rows;
  std::optional<PublishedCalls> calls;  // where its cells are times or FLOP/s of whole attention calls
  std::optional<PublishedBeside> beside;
};

struct PublishedFigures {
  std::map<std::string, Quantity, std::less<>> figures;   // by key, those of the tables too: "fa2_a100_fwdbwd_d64_8k"
  std::map<std::string, std::string, std::less<>> texts;  // what a figure says, in one sentence; not of tables
  std::vector<PublishedTable> tables;
};

// What is wrong leaves a sentence in `faults`, and the figure or table is left out.
PublishedFigures read_published(std::string_view toml, std::string_view file, std::vector<std::string>& faults);

const PublishedFigures& published_figures();  // those of the program
std::optional<Quantity> published(std::string_view key);
const PublishedTable* published_table(std::string_view id);  // or null

}  // namespace tilewalk
