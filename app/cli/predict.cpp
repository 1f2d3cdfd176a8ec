#include "app/cli/predict.h"

#include "app/cli/json_words.h"
#include "app/cli/prediction.h"
#include "app/cli/text_table.h"
#include "core/machine/words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

namespace tilewalk {
namespace {

// One column of the table: a schedule's one head, or all its heads.
struct Column {
  std::string head;
  const Prediction* made;
  bool all;

  Meters meters() const { return all ? made->all : made->one.total; }
  const DramEstimate& dram() const { return all ? made->all_dram : made->one_dram; }
  int64_t heads() const { return all ? made->heads : 1; }
};

std::string ratio_words(double value) { return value == 0 ? "-" : fmt::format("{:.1f}", value); }

void print_columns(const std::vector<Column>& columns, const Asked& asked, Console& console) {
  std::vector<std::string> heads;
  for (const Column& column : columns) heads.push_back(column.head);
  TextTable table(heads);
  const auto row = [&](const std::string& label, auto&& cell) {
    std::vector<std::string> cells;
    for (const Column& column : columns) cells.push_back(cell(column));
    table.row(label, std::move(cells));
  };
  const auto number = [&](const std::string& label, auto&& value) {
    row(label, [&](const Column& c) { return with_commas(value(c)); });
  };
  const auto modelled = [&](const std::string& label, auto&& value) {
    row(label, [&](const Column& c) { return c.dram().modelled ? with_commas(value(c)) : std::string("-"); });
  };

  table.title("Bytes, computed");
  number("L2 → SM", [](const Column& c) { return c.meters().fill_bytes(); });
  number("SM → L2", [](const Column& c) { return c.meters().drain_bytes(); });
  number("both", [](const Column& c) { return c.meters().fill_bytes() + c.meters().drain_bytes(); });
  number("papers' two-level count", [](const Column& c) { return c.meters().paper_bytes(); });
  number("each tensor once", [](const Column& c) { return c.made->least_bytes * c.heads(); });
  number("operands, each read once", [](const Column& c) { return c.meters().operand_bytes; });
  table.title(fmt::format("Bytes, model: L2 of {} on {}", bytes_words(asked.machine->l2_bytes), asked.machine->title));
  modelled("DRAM read", [](const Column& c) { return c.dram().read_bytes; });
  modelled("DRAM written", [](const Column& c) { return c.dram().written_bytes; });
  modelled("left dirty in L2", [](const Column& c) { return c.dram().left_dirty_bytes; });
  modelled("written, sooner or later",
           [](const Column& c) { return c.dram().written_bytes + c.dram().left_dirty_bytes; });
  table.title("Work, computed");
  number("matrix products, FLOP", [](const Column& c) { return c.meters().matrix_flop; });
  const bool backward = columns.front().made->schedule->backward();  // only forward ones stand side by side
  const std::string nominal =
      fmt::format("benchmarks' {} N N d{}", backward ? 10 : 4, asked.problem.mask == Mask::Causal ? " / 2" : "");
  number(nominal, [](const Column& c) { return c.made->nominal_flop * c.heads(); });
  number("everything else, FLOP", [](const Column& c) { return c.meters().vector_flop; });
  number("exponentials", [](const Column& c) { return c.meters().exponentials; });
  table.title("Arithmetic intensity: matrix FLOP for each byte");
  row("operands (computed)",
      [](const Column& c) { return ratio_words(intensity(c.meters().matrix_flop, c.meters().operand_bytes)); });
  row("L2 and SM (computed)", [](const Column& c) {
    return ratio_words(intensity(c.meters().matrix_flop, c.meters().fill_bytes() + c.meters().drain_bytes()));
  });
  row("DRAM (model)",
      [](const Column& c) { return ratio_words(intensity(c.meters().matrix_flop, dram_bytes(c.dram()))); });
  table.print(console);
}

void print_passes(const Prediction& made, Console& console) {
  TextTable table({"L2 → SM", "SM → L2", "matrix FLOP", "exponentials"});
  for (size_t pass = 0; pass < made.one.passes.size(); ++pass) {
    const Meters& m = made.one.passes[pass];
    if (m.steps)
      table.row(std::string(made.schedule->passes[pass]), {with_commas(m.fill_bytes()), with_commas(m.drain_bytes()),
                                                           with_commas(m.matrix_flop), with_commas(m.exponentials)});
  }
  fmt::print(console.out, "\n{}\n",
             inked(console, Ink::Bold, fmt::format("{}, pass by pass, one head, computed", made.schedule->name)));
  table.print(console);
}

void print_held(const Prediction& made, const MachineSpec& machine, Console& console) {
  const std::string registers =
      machine.register_bytes
          ? fmt::format("{} of {} bytes", with_commas(made.held.register_bytes), with_commas(machine.register_bytes))
          : fmt::format("{} bytes, no limit", with_commas(made.held.register_bytes));
  fmt::print(console.out, "  {}\n",
             wrapped(fmt::format("{}: SRAM {} of {} bytes; registers {}.", made.schedule->name,
                                 with_commas(made.held.sram_bytes), with_commas(machine.sram_bytes), registers),
                     console.columns - 2, 4));
}

void print_prediction(const Asked& asked, const std::vector<Prediction>& all, Console& console) {
  const Problem& p = asked.problem;
  const std::string n = p.n_q == p.n_k ? fmt::format("N {}", p.n_q) : queries_and_keys(p);
  const std::string who =
      all.size() > 1 ? "All schedules" : fmt::format("{}: {}", all[0].schedule->name, all[0].schedule->title);
  fmt::print(console.out, "{}\n{}\n\n", inked(console, Ink::Bold, who),
             wrapped(fmt::format("B {}, H {}, {}, d {}, Br {}, Bc {} · {} mask · {} · {} variant · {}", p.batch,
                                 p.heads, n, p.d, p.br, p.bc, name_of(p.mask), name_of(p.format),
                                 name_of(asked.variant), asked.machine->title),
                     console.columns, 2));

  const std::string heads_words = fmt::format("{} heads", with_commas(all[0].heads));
  if (all.size() == 1) {
    std::vector<Column> columns{{"one head", &all[0], false}};
    if (all[0].heads > 1) columns.push_back({heads_words, &all[0], true});
    print_columns(columns, asked, console);
    print_passes(all[0], console);
  } else {
    for (const bool every : {false, true}) {
      if (every && all[0].heads == 1) break;
      std::vector<Column> columns;
      for (const Prediction& made : all) columns.push_back({std::string(made.schedule->name), &made, every});
      // Two tables where one would be wider than a terminal.
      const size_t most = columns.size() > 3 ? (columns.size() + 1) / 2 : columns.size();
      for (size_t first = 0; first < columns.size(); first += most) {
        const auto begin = columns.begin() + std::ptrdiff_t(first);
        const auto end = columns.begin() + std::ptrdiff_t(std::min(columns.size(), first + most));
        fmt::print(console.out, "{}{}\n", every || first ? "\n" : "",
                   inked(console, Ink::Bold, every ? heads_words : "One head"));
        print_columns({begin, end}, asked, console);
      }
    }
    for (const Prediction& made : all) print_passes(made, console);
  }

  fmt::print(console.out, "\n{}\n", inked(console, Ink::Bold, "Held by one thread block at its fullest, computed"));
  for (const Prediction& made : all) print_held(made, *asked.machine, console);
  const auto note = [&](const std::string& text) {
    fmt::print(console.out, "\n{}\n", wrapped(text, console.columns, 0));
  };
  for (const Prediction& made : all)
    if (!made.remark.empty()) note(made.remark);
  if (std::ranges::any_of(all, [](const Prediction& made) { return made.schedule->scores_in_memory; }))
    note(
        "With --gpu, S and P go to DRAM at any size, as the papers count them, and the products' operands through L2 "
        "once; here L2 keeps what fits and every tile that is read counts.");
  for (const Prediction& made : all)
    if (!made.one_dram.modelled || !made.all_dram.modelled)
      note(fmt::format("\"-\": {} has more steps than the L2 model follows ({}).", made.schedule->name,
                       with_commas(kMostL2Steps)));
}

Json json_of_dram(const DramEstimate& d) {
  if (!d.modelled) return nullptr;
  return {{"read_bytes", d.read_bytes}, {"written_bytes", d.written_bytes}, {"left_dirty_bytes", d.left_dirty_bytes}};
}

Json json_of_intensity(const Meters& m, const DramEstimate& d) {
  Json out{{"operands", intensity(m.matrix_flop, m.operand_bytes)},
           {"l2_sm", intensity(m.matrix_flop, m.fill_bytes() + m.drain_bytes())}};
  if (d.modelled) out["model_dram"] = intensity(m.matrix_flop, dram_bytes(d));
  return out;
}

Json json_of_prediction(const Prediction& made) {
  Json passes = Json::array();
  for (size_t pass = 0; pass < made.one.passes.size(); ++pass)
    if (made.one.passes[pass].steps)
      passes.push_back({{"name", made.schedule->passes[pass]}, {"computed", json_of(made.one.passes[pass])}});
  const auto scope = [&](const Meters& m, const DramEstimate& d, int64_t heads) -> Json {
    return {{"heads", heads},
            {"computed", json_of(m)},
            {"least_bytes", made.least_bytes * heads},
            {"nominal_flop", made.nominal_flop * heads},
            {"model_dram", json_of_dram(d)},
            {"intensity", json_of_intensity(m, d)}};
  };
  Json out{{"schedule", made.schedule->key},
           {"one_head", scope(made.one.total, made.one_dram, 1)},
           {"all_heads", scope(made.all, made.all_dram, made.heads)},
           {"passes", std::move(passes)},
           {"held", {{"sram_bytes", made.held.sram_bytes}, {"register_bytes", made.held.register_bytes}}}};
  if (!made.remark.empty()) out["remark"] = made.remark;
  return out;
}

}  // namespace

PredictCommand::PredictCommand(CLI::App& command)
    : problem_({.preset = "",
                .problem = {.n_q = 4096, .n_k = 4096, .d = 128, .br = 128, .bc = 64},
                .all_schedules = true,
                .programs = true}) {
  command.add_flag("--json", json_, "one JSON document")->group("What is shown");
  estimate_.add_to(command);
  problem_.add_to(command);
  command.footer("Without options: N 4096, d 128, Br 128, Bc 64, fp16, one head.");
}

void PredictCommand::run(Console& console) const {
  if (estimate_.asked()) return estimate_.run(problem_, json_, console);
  if (const std::vector<std::string> faults = estimate_.faults_alone(); !faults.empty())
    throw CommandError(kUsage, faults);
  const Asked asked = problem_.resolve();
  const std::vector<Prediction> all = predict(asked);
  if (!json_) return print_prediction(asked, all, console);
  Json schedules = Json::array();
  for (const Prediction& made : all) schedules.push_back(json_of_prediction(made));
  console.out << Json{{"problem", json_of(asked.problem)},
                      {"variant", name_of(asked.variant)},
                      {"machine", asked.machine->id},
                      {"schedules", std::move(schedules)}}
                     .dump(1)
              << '\n';
}

}  // namespace tilewalk
