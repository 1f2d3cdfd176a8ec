// An estimate as tables and sentences, and as JSON.
#include "app/cli/estimate.h"

#include "app/cli/json_words.h"
#include "app/cli/text_table.h"
#include "core/machine/words.h"
#include "core/quantity/quantity.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tilewalk {
namespace {

std::string in(std::string_view format, double value) {
  const std::string_view unit = format == "flops" ? "flop/s" : format == "rate" ? "byte/s" : "";
  return format_quantity({value, std::string(unit), Origin::Model, ""}, format).value_or("?");
}
std::string time_words(double seconds) { return in("time", seconds); }
// Past 9e18 bytes, where whole numbers of 64 bits end, too.
std::string bytes_in_words(double bytes) {
  if (bytes < 1e18) return in("bytes", bytes);
  const bool yotta = bytes >= 1e24, zetta = bytes >= 1e21;
  return fmt::format("{} {}",
                     number_words(bytes * (yotta   ? 1e-24
                                           : zetta ? 1e-21
                                                   : 1e-18)),
                     yotta   ? "YB"
                     : zetta ? "ZB"
                             : "EB");
}
// For cells of a table that has a column for each method.
std::string_view short_name(Roof roof) {
  return roof == Roof::Tensor ? "tensor" : roof == Roof::Exponential ? "exp" : name_of(roof);
}
bool verified(const Roofs& roofs, Roof roof) { return !roofs[roof] || roofs[roof]->verified; }

std::string problem_words(const EstimateSheet& sheet) {
  const Problem& p = sheet.problem;
  const std::string n = p.n_q == p.n_k ? fmt::format("N {}", with_commas(p.n_k)) : queries_and_keys(p);
  return fmt::format("B {}, H {}, {}, d {} · {} mask · {} · {}{}", p.batch, p.heads, n, p.d, name_of(p.mask),
                     name_of(p.format),
                     sheet.direction == Direction::Forward ? "forward" : "backward: times are at least",
                     sheet.levels == Levels::TwoLevel ? " · without L2, as the papers count" : "");
}

void print_roofs(const Roofs& roofs, Console& console) {
  std::string line;
  for (int k = 0; k < kRoofCount; ++k) {
    const Roof roof = Roof(k);
    const auto& rate = roofs[roof];
    const std::string value = !rate                  ? std::string("not known")
                              : is_bandwidth(roof)   ? in("rate", rate->value)
                              : roof == Roof::Tensor ? in("flops", rate->value)
                                                     : fmt::format("{} T/s", number_words(rate->value * 1e-12));
    line += fmt::format("{}{} {}{}", line.empty() ? "" : " · ", name_of(roof), value, verified(roofs, roof) ? "" : "*");
  }
  if (roofs.mma_sync)
    line += fmt::format(" · by mma.sync {}{}", in("flops", roofs.mma_sync->value), roofs.mma_sync->verified ? "" : "*");
  if (roofs.launch)
    line += fmt::format(" · launch {}, behind another {}", time_words(roofs.launch_time(1)),
                        time_words(roofs.launch_time(2) - roofs.launch_time(1)));
  fmt::print(console.out, "{}\n",
             wrapped(fmt::format("Roofs, {}: {}.", name_of(roofs.origin), line), console.columns, 2));
  fmt::print(console.out, "{}\n", wrapped(fmt::format("Source: {}.", roofs.source), console.columns, 2));
}

// The schedule's time; a bound where a rate that is not known could lengthen it.
std::string schedule_words(const EstimateSheet& sheet, Method method) {
  const double time = sheet.of(method).time;
  return (sheet.most[size_t(method)] > time ? "≥ " : "") + time_words(time);
}

void print_table(const EstimateSheet& sheet, Console& console) {
  std::vector<std::string> heads;
  for (const MethodInfo& info : estimated_methods())
    heads.push_back(std::string(info.name) + (sheet.of(info.id).why_not.empty() ? "" : "†"));
  TextTable table(heads);
  const auto row = [&](const std::string& label, const std::function<std::string(Method, const Estimate&)>& cell) {
    std::vector<std::string> cells;
    for (const MethodInfo& info : estimated_methods()) cells.push_back(cell(info.id, sheet.of(info.id)));
    table.row(label, std::move(cells));
  };
  table.title("Time under each roof alone, model");
  for (const Roof roof : {Roof::Tensor, Roof::Exponential, Roof::Vector, Roof::Sram, Roof::L2, Roof::Dram}) {
    row(std::string(name_of(roof)) + (verified(sheet.roofs, roof) ? "" : "*"), [&](Method m, const Estimate& e) {
      const bool unknown = std::ranges::find(e.unknown, roof) != e.unknown.end();
      return unknown ? "?" : sheet.works[size_t(m)].total(roof) > 0 ? time_words(e[roof]) : std::string("-");
    });
  }
  row("binds", [](Method, const Estimate& e) { return std::string(short_name(e.binds)); });
  table.title("Time, model");
  row("launch", [](Method, const Estimate& e) { return e.launch > 0 ? time_words(e.launch) : std::string("?"); });
  // Where a rate is not known, times leave it out.
  const auto at_least = [](const Estimate& e, double seconds) {
    return (e.unknown.empty() ? "" : "≥ ") + time_words(seconds);
  };
  row("one after the other", [&](Method, const Estimate& e) { return at_least(e, e.serial); });
  row("all at once", [&](Method, const Estimate& e) { return at_least(e, e.overlapped); });
  row("as its schedule has it", [&](Method m, const Estimate&) { return schedule_words(sheet, m); });
  if (std::ranges::any_of(sheet.estimates, [](const Estimate& e) { return !e.unknown.empty(); }))
    row("and at most", [&](Method m, const Estimate&) {
      const double most = sheet.most[size_t(m)];
      return std::isfinite(most) ? time_words(most) : std::string("?");
    });
  if (!sheet.bare && sheet.levels == Levels::WithL2) {
    row("expect, times this", [&](Method m, const Estimate&) {
      const auto& band = sheet.bands[size_t(m)];
      return band ? times_words(*band) : std::string("no data");
    });
    row("of so many calls", [&](Method m, const Estimate&) {
      const auto& band = sheet.bands[size_t(m)];
      return band ? with_commas(int64_t(band->cells)) : std::string("-");
    });
  }
  row("TFLOP/s", [&](Method m, const Estimate& e) {
    return (sheet.most[size_t(m)] > e.time ? "≤ " : "") + number_words(e.rate * 1e-12);
  });
  row("wins over standard", [&](Method m, const Estimate&) { return win_words(sheet.win_over(Method::Standard, m)); });
  row("wins over eager", [&](Method m, const Estimate&) { return win_words(sheet.win_over(Method::Eager, m)); });
  row("waves of blocks", [](Method, const Estimate& e) { return e.waves ? with_commas(e.waves) : std::string("-"); });
  row("last wave, padding",
      [](Method, const Estimate& e) { return e.waves ? fmt::format("{:.1f} %", 100 * e.tail) : std::string("-"); });
  table.title("Matrix FLOP for each byte");
  row("DRAM, model", [](Method, const Estimate& e) { return in("number", e.intensity[size_t(Roof::Dram)]); });
  row("L2 and SM, computed", [](Method, const Estimate& e) { return in("number", e.intensity[size_t(Roof::L2)]); });
  table.title("Memory, computed");
  row("needed", [](Method, const Estimate& e) { return bytes_in_words(e.memory_bytes); });
  if (sheet.roofs.memory_bytes > 0) {
    row("fits", [](Method, const Estimate& e) { return std::string(e.fits ? "yes" : "no"); });
    if (sheet.square())
      row("longest N that fits", [&](Method m, const Estimate&) {
        const auto& longest = sheet.longest[size_t(m)];
        const int64_t most = range_of("n_k").most;  // that --n takes
        return !longest ? std::string("-") : *longest > most ? "> " + with_commas(most) : with_commas(*longest);
      });
  }
  table.print(console);
}

// What "and at most" and the smaller number of a win take a rate for that is not known.
std::string floor_words(const EstimateSheet& sheet, Roof roof) {
  const auto floor = at_least(sheet.roofs)[roof];
  if (!floor) return "Nothing bounds them from above.";
  const std::string value =
      is_bandwidth(roof) ? in("rate", floor->value) : fmt::format("{} T/s", number_words(floor->value * 1e-12));
  return fmt::format("At most, and the smaller of two wins, are with {}, the least that it can be ({}).", value,
                     is_bandwidth(roof) ? "every byte from DRAM passes through it" : "that of exponentials");
}

void print_notes(const EstimateSheet& sheet, Console& console) {
  const auto note = [&](const std::string& text) {
    fmt::print(console.out, "{}\n", wrapped(text, console.columns, 2));
  };
  fmt::print(console.out, "\n");
  note(
      "Standard is three kernels: two products and one softmax, which scales and masks what it reads. Eager is what a "
      "framework runs where nothing is fused: scale and mask are passes of their own over S, so a win over eager is "
      "the larger one. Both are taken as filling every multiprocessor, as nobody here counts cuBLAS's blocks: with few "
      "queries they look too good. And their S and P go to DRAM at any size, as the papers count them, and cuBLAS's "
      "operands through L2 once; without --gpu the schedule's own model keeps in L2 what fits and counts every tile.");
  for (const Estimate& e : sheet.estimates)
    if (!e.why_not.empty()) note(fmt::format("† {} Its column is as if it ran.", e.why_not));
  bool starred = false;
  for (int k = 0; k < kRoofCount; ++k) starred |= !verified(sheet.roofs, Roof(k));
  const auto& mma_sync = sheet.roofs.mma_sync;
  if (starred || (mma_sync && !mma_sync->verified)) note("* No source that could be read confirms this rate.");
  if (sheet.direction == Direction::Forward && !sheet.decode())
    note(fmt::format(
        "Memory of eager and standard: S and P at once, as PyTorch and the papers' three kernels have them. "
        "`tilewalk-gpu` writes P over S and needs {}.",
        in("bytes", memory_in_place(sheet.problem))));
  const Estimate& fa2 = sheet.of(Method::Fa2);
  for (const Roof roof : fa2.unknown)
    note(fmt::format(
        "? The rate of {} is not known, and times leave it out: ≥ and ≤ are bounds of the model's time, not "
        "of a measured one. {}",
        name_of(roof), floor_words(sheet, roof)));
  if (!sheet.roofs.launch)
    note(
        "? What a launch takes, some microseconds, is not known of a datasheet's roofs; it is left out of every time. "
        "`tilewalk-gpu ceilings` measures it.");
  constexpr double kLaunch = 3e-6;  // about what a launch takes; an H200's was measured
  if (!sheet.roofs.launch && std::ranges::any_of(sheet.estimates, [](const Estimate& e) { return e.time < kLaunch; }))
    note(
        "A time under 3 µs is shorter than a launch: on a GPU that launch is what such a call takes, whichever the "
        "method, and a win says nothing.");
  const Problem& p = sheet.problem;
  if (const int64_t d = padded_d(Method::Fa3, p.d); p.d < d)
    note(
        fmt::format("d {} is computed as {}: the kernels here have tiles for 64, 96, 128 and 256; FA1's only for 64 "
                    "and 128.",
                    p.d, d));
  if (mma_sync)
    note(fmt::format("FA1 and FA2 multiply by mma.sync: {} of the tensor cores' {} ({}).", in("flops", mma_sync->value),
                     in("flops", sheet.roofs[Roof::Tensor]->value), mma_sync->source));
  for (const MethodInfo& info : estimated_methods())
    if (const std::string whose = whose_kernel(info.id, sheet.roofs, p, sheet.direction); !whose.empty()) note(whose);
  if (!sheet.bare) print_bands(sheet, console);
}

Json json_of(const Roofs& roofs) {
  Json rates = Json::object();
  for (int k = 0; k < kRoofCount; ++k)
    if (const auto& rate = roofs[Roof(k)])
      rates[std::string(key_of(Roof(k)))] = {
          {"rate", rate->value}, {"unit", unit_of(Roof(k))}, {"source", rate->source}, {"verified", rate->verified}};
  if (roofs.mma_sync)
    rates["mma_sync"] = {{"rate", roofs.mma_sync->value},
                         {"unit", "flop/s"},
                         {"source", roofs.mma_sync->source},
                         {"verified", roofs.mma_sync->verified}};
  for (const auto& [key, rate] : {std::pair("launch", &roofs.launch), {"next_launch", &roofs.next_launch}})
    if (*rate)
      rates[key] = {
          {"rate", (*rate)->value}, {"unit", "1/s"}, {"source", (*rate)->source}, {"verified", (*rate)->verified}};
  Json out{{"id", roofs.id},
           {"title", roofs.title},
           {"origin", name_of(roofs.origin)},
           {"source", roofs.source},
           {"rates", std::move(rates)},
           {"multiprocessors", roofs.sms},
           {"memory_bytes", roofs.memory_bytes}};
  if (roofs.ridge() > 0) out["ridge"] = roofs.ridge();
  return out;
}

Json json_of(const std::optional<Band>& band) {
  if (!band) return nullptr;
  return {{"least", band->least},    {"most", band->most},
          {"calls", band->cells},    {"least_n", band->least_n},
          {"most_n", band->most_n},  {"pass", name_of(band->of.pass)},
          {"d_up_to", band->of.d},   {"gpus", family_words(band->of.family)},
          {"sources", band->sources}};
}

Json json_of(const EstimateSheet& sheet, Method method) {
  const Estimate& e = sheet.of(method);
  Json under = Json::object(), intensity = Json::object();
  for (int k = 0; k < kRoofCount; ++k)
    if (e.under[size_t(k)] > 0) under[std::string(key_of(Roof(k)))] = e.under[size_t(k)];
  for (const Roof roof : {Roof::Dram, Roof::L2, Roof::Sram})
    if (e.intensity[size_t(roof)] > 0) intensity[std::string(key_of(roof))] = e.intensity[size_t(roof)];
  Json out{
      {"method", info_of(method).key},
      {"model_s", {{"under", std::move(under)}, {"serial", e.serial}, {"overlapped", e.overlapped}, {"time", e.time}}},
      {"binds", key_of(e.binds)},
      {"flop_per_s", e.rate},
      {"win_over_standard", win(sheet.of(Method::Standard), e)},
      {"win_over_eager", win(sheet.of(Method::Eager), e)},
      {"dram_bytes", e.dram_bytes},
      {"intensity", std::move(intensity)},
      {"memory_bytes", e.memory_bytes},
      {"fits", e.fits},
      {"splits", sheet.works[size_t(method)].splits}};
  if (e.launch > 0) out["model_s"]["launch"] = e.launch;
  if (!sheet.bare) {
    out["measured_over_model"] = json_of(sheet.bands[size_t(method)]);
    if (const auto& both = sheet.both_bands[size_t(method)]) out["measured_over_model_of_both_passes"] = json_of(both);
    if (const auto& band = sheet.bands[size_t(method)]) {
      const Expected made = expected_of(*band, e.time, sheet.most[size_t(method)]);
      out["expected_s"] = {{"least", made.least}, {"most", made.most}};
    }
  }
  if (e.waves) out["waves"] = e.waves, out["tail"] = e.tail;
  if (const auto& longest = sheet.longest[size_t(method)]) out["longest_n"] = *longest;
  if (method == Method::Standard && sheet.direction == Direction::Forward)
    out["memory_bytes_in_place"] = memory_in_place(sheet.problem);
  if (!e.why_not.empty()) out["why_not"] = e.why_not;
  if (!e.unknown.empty()) {
    for (const Roof roof : e.unknown) out["rates_not_known"].push_back(key_of(roof));
    if (const double most = sheet.most[size_t(method)]; std::isfinite(most)) out["model_s"]["at_most"] = most;
    const WinRange standard = sheet.win_over(Method::Standard, method), eager = sheet.win_over(Method::Eager, method);
    out["win_over_standard_between"] = {standard.least, standard.most};
    out["win_over_eager_between"] = {eager.least, eager.most};
  }
  return out;
}

}  // namespace

void print_bands(const EstimateSheet& sheet, Console& console) {
  const auto say = [&](const std::string& text) {
    fmt::print(console.out, "  {}\n", wrapped(text, console.columns - 2, 4));
  };
  fmt::print(console.out, "\n{}\n", inked(console, Ink::Bold, "Measured elsewhere, over this model"));
  if (sheet.levels == Levels::TwoLevel) return say("Bands are of estimates with L2: --levels l2.");
  std::string none;
  for (const MethodInfo& info : estimated_methods()) {
    if (const auto& band = sheet.bands[size_t(info.id)])
      say(fmt::format("{}: {} times. {} ({}).", info.name, times_words(*band), words_of(*band),
                      fmt::join(band->sources, "; ")));
    else if (const auto& both = sheet.both_bands[size_t(info.id)])
      say(fmt::format("{}: {} times the model's two passes together; neither was told alone. {} ({}).", info.name,
                      times_words(*both), words_of(*both), fmt::join(both->sources, "; ")));
    else
      none += fmt::format("{}{}", none.empty() ? "" : ", ", info.name);
  }
  if (!none.empty()) say(fmt::format("{}: {}.", none, kNothingHeld));
}

void print_estimate(const EstimateSheet& sheet, Console& console) {
  fmt::print(console.out, "{}\n{}\n", inked(console, Ink::Bold, sheet.roofs.title),
             wrapped(problem_words(sheet), console.columns, 2));
  print_roofs(sheet.roofs, console);
  fmt::print(console.out, "\n");
  print_table(sheet, console);
  print_turns(sheet, console);
  print_notes(sheet, console);
}

void print_gpus(const std::vector<EstimateSheet>& sheets, Console& console) {
  if (sheets.empty()) return;
  fmt::print(console.out, "{}\n{}\n\n", inked(console, Ink::Bold, "Every GPU of the catalogue, model"),
             wrapped(problem_words(sheets.front()), console.columns, 2));
  const auto timed = estimated_methods().subspan(1);  // without eager
  const bool bare = sheets.front().bare;
  std::vector<std::string> heads{"ridge"};
  for (const MethodInfo& info : timed) heads.emplace_back(is_fused(info.id) ? info.name : info.key);
  heads.insert(heads.end(), {"over standard", "by"});
  if (!bare) heads.emplace_back("expect");
  heads.emplace_back("fits");
  TextTable table(heads);
  for (const EstimateSheet& sheet : sheets) {
    const Estimate& best = sheet.of(sheet.best);
    const bool runs = best.why_not.empty();
    std::vector<std::string> cells{fmt::format("{:.0f}", sheet.roofs.ridge())};
    for (const MethodInfo& info : timed)
      cells.push_back(sheet.of(info.id).why_not.empty() ? schedule_words(sheet, info.id) : "-");
    cells.push_back(runs ? win_words(sheet.win_over(Method::Standard, sheet.best)) : "-");
    cells.emplace_back(runs ? info_of(sheet.best).name : "none");
    const auto& band = sheet.bands[size_t(sheet.best)];
    if (!bare) cells.push_back(band ? times_words(*band) : "no data");
    cells.push_back(sheet.of(Method::Standard).fits ? "both"
                    : best.fits                     ? std::string(info_of(sheet.best).name)
                                                    : "none");
    table.row(sheet.roofs.title, std::move(cells));
  }
  table.print(console);
  if (!bare)
    fmt::print(console.out, "\n{}\n",
               wrapped("expect: by how much the best method's measured times differed from the model's there, and on "
                       "GPUs like it; \"no data\": no measurement to hold this against.",
                       console.columns, 0));
}

std::string json_text(const std::vector<EstimateSheet>& sheets) {
  Json all = Json::array();
  for (const EstimateSheet& sheet : sheets) {
    Json estimates = Json::array();
    for (const MethodInfo& info : estimated_methods()) estimates.push_back(json_of(sheet, info.id));
    Json turns = Json::object();
    const double ridge = sheet.roofs.ridge(Roof::Dram, info_of(sheet.fused).estimate.multiply);
    if (ridge > 0 && sheet.square()) {
      turns["rule_of_thumb"] = {{"compute_bound_about_n", compute_bound_about(ridge, sheet.problem)},
                                {"compute_bound_n", compute_bound_exact(ridge, sheet.problem)},
                                {"win", law_win(sheet.roofs.ridge(), sheet.problem)}};
    }
    if (sheet.square()) turns["looked_at_up_to_n"] = kLongest, turns["fused"] = info_of(sheet.fused).key;
    if (sheet.bound.past_dram) turns["past_dram_n"] = *sheet.bound.past_dram;
    if (sheet.bound.computes) turns["compute_bound_n"] = *sheet.bound.computes;
    if (const Saturation& s = sheet.saturation; s.limit > 0) {
      turns["win_limit"] = s.limit;
      turns["last_octave_win"] = {s.least, s.most};
      if (s.n) turns["win_saturates_n"] = *s.n;
    }
    all.push_back({{"gpu", json_of(sheet.roofs)},
                   {"best", info_of(sheet.best).key},
                   {"estimates", std::move(estimates)},
                   {"turns", std::move(turns)}});
  }
  const EstimateSheet& first = sheets.front();
  return Json{{"problem", json_of(first.problem)},
              {"direction", first.direction == Direction::Forward ? "forward" : "backward"},
              {"lower_bound", first.direction == Direction::Backward},
              {"levels", first.levels == Levels::TwoLevel ? "two" : "l2"},
              {"gpus", std::move(all)}}
      .dump(1);
}

}  // namespace tilewalk
