#include "app/cli/json_words.h"
#include "app/cli/walk_print.h"
#include "core/playback/narrate.h"
#include "core/playback/row_view.h"

#include <algorithm>

namespace tilewalk {
namespace {

// `row` and `key`: whose numbers these are, over the whole of Q and of K.
Json json_of(const RowView& v, int64_t row, int64_t key) {
  Json out{{"index", row}};
  const auto put = [&](const char* name, const std::optional<double>& value) {
    if (value) out[name] = tilewalk::json_of(*value);
  };
  put("m", v.m);
  put("alpha", v.alpha);
  put("l", v.l);
  put("L", v.lse);
  if (!v.s.empty()) out["s"] = tilewalk::json_of(v.s);
  if (!v.p.empty()) out["p"] = tilewalk::json_of(v.p);
  if (!v.o.empty()) out["o"] = tilewalk::json_of(v.o);
  put("D", v.d);
  for (const auto& [name, values] : {std::pair("dO", &v.d_o), {"dP", &v.dp}, {"dS", &v.ds}, {"dQ", &v.dq}})
    if (!values->empty()) out[name] = tilewalk::json_of(*values);
  if (v.dk.empty() && v.dv.empty()) return out;
  out["key"] = key;
  if (!v.dk.empty()) out["dK"] = tilewalk::json_of(v.dk);
  if (!v.dv.empty()) out["dV"] = tilewalk::json_of(v.dv);
  return out;
}

Json json_of_unit(AskedWalk& walk, int64_t from, int64_t to) {
  Replay& replay = *walk.replay;
  const Step& last = replay.steps()[size_t(to - 1)];
  const Tiling& t = replay.plan().tiling;
  const int64_t row = std::min(walk.row % t.br, t.rows(last.i) - 1);
  const Narration words = narrate(replay, from, to, walk.row);
  const MachineState& state = replay.at(to);

  Json kinds = Json::array();
  for (int64_t k = from; k < to; ++k) kinds.push_back(info_of(replay.steps()[size_t(k)].kind).name);
  return {{"step", to - 1},
          {"first_step", from},
          {"kind", info_of(last.kind).name},
          {"kinds", std::move(kinds)},
          {"pass", last.pass},
          {"section", last.section},
          {"visit", last.visit},
          {"i", last.i},
          {"j", last.j},
          {"line", last.line},
          {"caption", words.caption},
          {"formula", words.formula},
          {"meters", json_of(state.meters)},
          {"row", json_of(view_row(state, last.i, last.j, row), last.i * t.br + row,
                          last.j * t.bc + key_row_of(row, t.cols(last.j)))}};
}

}  // namespace

// Written unit by unit, so that a long walk needs no memory of its own.
void print_walk_json(AskedWalk& walk, Portion portion, Unit unit, Console& console) {
  Replay& replay = *walk.replay;
  Json code = Json::array();
  for (std::string_view line : replay.schedule().code(replay.plan().variant)) code.push_back(line);
  const Json head{{"problem", json_of(walk.asked.problem)},
                  {"inputs", json_of(walk.asked, walk.inputs)},
                  {"schedule", replay.schedule().key},
                  {"variant", name_of(walk.asked.variant)},
                  {"machine", walk.asked.machine->id},
                  {"row", walk.row},
                  {"length", replay.length()},
                  {"code", std::move(code)}};
  const std::string text = head.dump(1);
  console.out << text.substr(0, text.rfind('\n')) << ",\n \"steps\": [";
  for (int64_t from = portion.from; from < portion.to;) {
    const int64_t to = std::min(unit_forward(replay.steps(), from, unit), portion.to);
    console.out << (from == portion.from ? "\n  " : ",\n  ") << json_of_unit(walk, from, to).dump();
    from = to;
  }
  console.out << "\n ],\n \"meters\": " << json_of(replay.at(portion.to).meters).dump();
  if (portion.to == replay.length())
    if (const auto d = deviation(walk)) {
      Json each = Json::object();
      for (const Deviation::Of& of : d->tensors) each[std::string(symbol_of(of.tensor))] = json_of(of.largest);
      console.out << ",\n \"largest_difference_from_float64\": " << json_of(d->of_results()).dump()
                  << ",\n \"differences_from_float64\": " << each.dump();
    }
  console.out << "\n}\n";
}

}  // namespace tilewalk
