// What is said of what is written: one sentence, its name, whether it is saved.
#include "app/session/write_moves.h"
#include "app/state/written.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

namespace {

WrittenSays broken(const Verdict& verdict, std::string_view where) {
  const bool some = verdict.kind == Verdict::Kind::Approximate;
  return {WrittenSays::Tone::Fault, verdict.line,
          fmt::format("{}{}{}", where, some ? "Approximate: " : "", verdict.message)};
}

}  // namespace

WrittenSays written_says(const ViewState& view) {
  using Tone = WrittenSays::Tone;
  const WriteView& write = view.write;
  if (write.program.text.find_first_not_of(" \n") == std::string::npos)
    return {Tone::Plain, 0,
            "Nothing is written yet. A program begins with a loop over tiles: for each Q tile i, in parallel:"};
  if (!write.now) return {};
  const Written& now = *write.now;
  if (!now.faults.empty()) {
    const int caret = int(text_place(write.program.text, write.program.caret).line) + 1;
    const auto here = std::ranges::find(now.faults, caret, &WalkFault::line);
    const WalkFault& fault = here == now.faults.end() ? now.faults.front() : *here;
    return {Tone::Fault, fault.line, fault.message};
  }
  if (!now.verdict) return {};
  const Verdict& verdict = *now.verdict;
  if (verdict.kind != Verdict::Kind::Exact) {
    // As it shows on the stage; else where it does.
    if (now.on_stage && now.on_stage->kind != Verdict::Kind::Exact) return broken(*now.on_stage, "");
    return broken(verdict, fmt::format("{} {}: ", now.on_stage ? "Right here, but with" : "With",
                                       words_of_judged(verdict.problem)));
  }
  if (!now.unfit.empty()) return {Tone::Fault, 0, now.unfit};
  if (write.puzzle && !now.tried.read) return {Tone::Fault, 0, now.tried.told};  // its tiles, where they are chosen
  std::string words = fmt::format("{}, exact on {} problems in float64.",
                                  verdict.backward ? "The gradients of attention" : "Attention", kJudgedProblems);
  if (!verdict.message.empty()) words += " But " + verdict.message;
  return {Tone::Good, 0, std::move(words)};
}

std::optional<LineFault> fault_of_line(const ViewState& view, size_t line) {
  if (!view.write.now) return std::nullopt;
  for (const WalkFault& fault : view.write.now->faults)
    if (fault.line == int(line) + 1) return LineFault{fault.message, fault.column};
  const WrittenSays says = written_says(view);
  if (view.write.now->faults.empty() && says.tone == WrittenSays::Tone::Fault && says.line == int(line) + 1)
    return LineFault{says.words, 0};
  return std::nullopt;
}

bool is_shown_with_glyphs(const ViewState& view, size_t line) {
  const EditedText& program = view.write.program;
  const size_t caret = text_place(program.text, program.caret).line,
               anchor = text_place(program.text, program.anchor).line;
  if (typing_in_program(view) && line == caret) return false;
  if (program.caret != program.anchor && line >= std::min(caret, anchor) && line <= std::max(caret, anchor))
    return false;
  return !fault_of_line(view, line);
}

bool is_written_saved(const ViewState& view) { return view.write.program.text == view.write.kept; }

std::string written_name(const ViewState& view) {
  const WriteView& write = view.write;
  if (write.puzzle) return write.puzzle->title;
  return write.file.empty() ? "A schedule of your own" : printable_path(write.file.filename());
}

}  // namespace tilewalk
