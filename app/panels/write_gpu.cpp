// What a GPU made of the program, counted and timed, beside the shipped ones by the same kernel.
#include "app/panels/cards.h"
#include "app/panels/gpu_parts.h"
#include "app/panels/write_parts.h"
#include "app/state/written.h"
#include "core/machine/words.h"
#include "core/schedules/schedule.h"

#include <fmt/format.h>

#include <optional>

namespace tilewalk {
namespace {

using namespace ui;

using Counted = std::optional<double>;

struct Counter {
  std::string_view title, what;
  Counted (*of)(const ProgramRun&);
  double (*predicted)(const ProgramBytes&);  // null: time, which nobody predicts
};

Counted dram(const ProgramRun& run) {
  const auto& c = run.counters;
  return c && c->dram_read && c->dram_written ? Counted(*c->dram_read + *c->dram_written) : std::nullopt;
}

constexpr Counter kCounters[] = {
    {"Time",
     "Median of its launches. A kernel that runs any program takes one step after the other: it is slow, and "
     "what it moves is the point",
     [](const ProgramRun& run) { return run.timing ? Counted(run.timing->median) : std::nullopt; }, nullptr},
    {"L2→SM", "Bytes that the multiprocessors read from L2",
     [](const ProgramRun& run) { return run.counters ? run.counters->l2_to_sm : std::nullopt; },
     [](const ProgramBytes& bytes) { return double(bytes.l2_to_sm); }},
    {"SM→L2", "Bytes that they wrote to L2",
     [](const ProgramRun& run) { return run.counters ? run.counters->sm_to_l2 : std::nullopt; },
     [](const ProgramBytes& bytes) { return double(bytes.sm_to_l2); }},
    {"DRAM", "Bytes that DRAM read and wrote", dram,
     [](const ProgramBytes& bytes) { return double(bytes.dram.read_bytes + bytes.dram.written_bytes); }},
};

std::string shown(const Counter& line, const Counted& value) {
  return !value ? "–" : line.predicted ? bytes_words(*value) : time_words(*value);
}

// "predicted 42.1 MB, counted 42.2 MB: 0.15 % more"
std::string beside_words(const Counter& line, const ProgramCard& card, const Counted& counted) {
  if (!line.predicted || !counted) return {};
  const double said = line.predicted(card.predicted);
  if (said <= 0) return {};
  const double over = 100 * (*counted / said - 1);
  return fmt::format("\nYours: {} {}, counted {}: {:.2f} % {}", line.of == dram ? "the L2 model says" : "predicted",
                     bytes_words(said), bytes_words(*counted), std::abs(over), over < 0 ? "less" : "more");
}

// "FA2": the shipped program whose recording stands for one's own.
std::string stands_for_own(const ProgramCard& card) {
  const Schedule* schedule = card.own ? schedule_named(card.own->spec.name) : nullptr;
  const std::string_view name = schedule ? std::string_view(schedule->name) : "another program";
  return std::string(name.substr(0, name.find(' ')));
}

// The window knows it of the text itself, whatever a GPU makes of it.
bool is_wrong(const ViewState& view) {
  const auto& now = view.write.now;
  return now && now->verdict && now->verdict->kind == Verdict::Kind::Wrong;
}

std::string where(const ProgramCard& card) {
  const auto on = [](const ProgramRun& run) { return short_gpu_name(run.provenance.gpu); };
  if (card.own && card.recorded)
    return fmt::format("Recorded on an {}: {}, which takes the same steps", on(*card.own), stands_for_own(card));
  const std::string others = card.beside.empty() ? "" : on(*card.beside.front().run);
  if (!card.own || card.recorded) return others.empty() ? "On a GPU" : fmt::format("On an {}, recorded", others);
  if (others.empty() || others == on(*card.own)) return fmt::format("On this GPU, an {}", on(*card.own));
  return fmt::format("Yours on this {}, the others recorded on an {}", on(*card.own), others);
}

// What there is to say besides numbers; empty: nothing.
std::pair<std::string, Role> remark(const ProgramCard& card, bool usable, bool wrong) {
  if (!card.unfit.empty()) return {card.unfit, Role::TextSecondary};
  if (!card.own)
    return {usable ? "Not run yet: Run checks it against float64 on this GPU, times it and counts its bytes."
                   : "Nothing was recorded that takes these steps, and there is no GPU here to run them.",
            Role::TextSecondary};
  if (!card.own->refused.empty()) return {card.own->refused, Role::WrongText};
  for (const ProgramTensor& t : card.own->tensors)
    if (t.wrong_rows)
      return {fmt::format("Wrong on the GPU: {} has {} wrong rows; the first is row {} of head {}.", t.tensor,
                          with_commas(t.wrong_rows), t.first + 1, t.head + 1),
              Role::WrongText};
  if (wrong) return {"Wrong: what it computes is no attention, whatever time it takes.", Role::WrongText};
  return {};
}

Node line_of(const Counter& line, const ProgramCard& card) {
  const bool own = card.own && card.own->timing;
  std::vector<Node> cells =
      of(text(std::string(line.title), {14, Face::Sans, Role::TextSecondary}).width(px(kMeterNames)));
  const Counted yours = own ? line.of(*card.own) : std::nullopt;
  cells.push_back(meter_cell(shown(line, yours), true, false));
  std::string tip = std::string(line.what) + beside_words(line, card, yours);
  for (const ProgramCard::Beside& each : card.beside)
    cells.push_back(meter_cell(shown(line, line.of(*each.run)), false, false));
  return row(std::move(cells), 6)
      .height(px(20))
      .pressed({"gpu-meter:" + std::string(line.title), std::move(tip), {}, false});
}

// "On an H200, recorded: 2.75 ms, L2→SM 554 MB, DRAM 59.8 MB", or what there is to say instead.
Node short_form(const ProgramCard& card, bool usable, bool wrong) {
  auto [words, role] = remark(card, usable, false);
  std::string tip = words;
  if (words.empty()) {
    role = wrong ? Role::WrongText : Role::TextSecondary;
    words = (wrong ? "Wrong. " : "") + where(card) + ":";
    for (const Counter& counter : kCounters)
      if (counter.title != "SM→L2")
        words += fmt::format("{} {}{}", counter.predicted ? "," : "",
                             counter.predicted ? std::string(counter.title) + " " : "",
                             shown(counter, counter.of(*card.own)));
    const Problem& p = card.asked.problem;
    tip = fmt::format("{} heads, N {}, d {}, {} mask: by a kernel that runs any program, one step after the other",
                      p.batch * p.heads, p.n_q, p.d, name_of(p.mask));
  }
  return text(std::move(words), {14, Face::Sans, role, Align::Left, 0, true})
      .height(px(20))
      .pressed({"write:gpu", std::move(tip), {}, false});
}

}  // namespace

Node written_on_gpu(const ViewState& view, bool one_line) {
  const ProgramCard* card = view.gpu.program_card.get();
  if (!card || !view.gpu.program) return column({});
  if (one_line) return short_form(*card, view.gpu.status.usable(), is_wrong(view));
  const Problem& p = card->asked.problem;
  const bool usable = view.gpu.status.usable(), running = view.gpu.status.running_program;
  std::vector<Node> head = of(text(where(*card), {14, Face::SansBold}).width(grow()));
  if (usable)
    head.push_back(
        button(running ? "Running…" : "Run", runs("program-run"), Fill::Solid, {14, Face::SansBold}).padding(12, 0));
  std::vector<Node> rows;
  rows.push_back(row(std::move(head), 6).height(px(usable ? 28 : 20)));
  rows.push_back(text(fmt::format("{} heads, N {}, d {}, tiles {} × {}, {} mask, fp16", p.batch * p.heads, p.n_q, p.d,
                                  p.br, p.bc, name_of(p.mask)),
                      {14, Face::Sans, Role::TextSecondary, Align::Left, 0, true})
                     .height(px(20)));
  if (!card->beside.empty() || (card->own && card->own->timing)) {
    std::vector<Node> names = of(spacer(px(kMeterNames)), meter_cell(is_wrong(view)   ? "Wrong"
                                                                     : card->recorded ? "Same steps"
                                                                                      : "Yours",
                                                                     true, true));
    for (const ProgramCard::Beside& each : card->beside) {
      const std::string_view name = schedule_named(each.key)->name;
      names.push_back(meter_cell(std::string(name.substr(0, name.find(' '))), false, true));
    }
    rows.push_back(row(std::move(names), 6).height(px(20)));
    for (const Counter& line : kCounters) rows.push_back(line_of(line, *card));
  }
  if (auto [words, role] = remark(*card, usable, is_wrong(view)); !words.empty())
    rows.push_back(wrapped(std::move(words), {14, Face::Sans, role}, 3));
  return column(std::move(rows));
}

}  // namespace tilewalk
