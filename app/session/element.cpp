#include "app/session/element.h"

#include "core/attention/format.h"
#include "core/io/number.h"
#include "core/io/trimmed.h"
#include "core/io/typeset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::string_view kExample = "type for instance K 3 2 = 0.5 for row 3, column 2 of K";

// A typographic minus is one too.
std::string plain_minus(std::string text) {
  for (size_t at; (at = text.find("−")) != std::string::npos;) text.replace(at, std::string_view("−").size(), "-");
  return text;
}

std::optional<Tensor> input_named(char c) {
  switch (c) {
    case 'Q':
    case 'q': return Tensor::Q;
    case 'K':
    case 'k': return Tensor::K;
    case 'V':
    case 'v': return Tensor::V;
    default: return std::nullopt;
  }
}

// The next whole number of the text, which is taken off with everything before it.
std::optional<int64_t> next_number(std::string_view& text) {
  const size_t digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos || text.substr(0, digit).find_first_of("=-.") != std::string_view::npos)
    return {};
  text.remove_prefix(digit);
  return take_number<int64_t>(text);
}

}  // namespace

const Matrix& input_matrix(const Session& session, Tensor tensor) {
  const Inputs& in = session.inputs();
  return tensor == Tensor::Q ? in.q : tensor == Tensor::K ? in.k : in.v;
}

std::optional<Element> element_of_cell(std::string_view id, const Session& session) {
  constexpr std::string_view kCell = "cell:";
  if (!id.starts_with(kCell) || id.size() < kCell.size() + 4) return std::nullopt;
  std::string_view rest = id.substr(kCell.size());
  const std::optional<Tensor> tensor = input_named(rest[0]);
  rest.remove_prefix(1);
  const std::optional<int64_t> row = next_number(rest), col = next_number(rest);
  if (!tensor || !row || !col) return std::nullopt;
  const Matrix& x = input_matrix(session, *tensor);
  return *row < x.rows && *col < x.cols ? std::optional(Element{*tensor, *row, *col}) : std::nullopt;
}

ElementWords read_element(std::string_view words, const Session& session) {
  const std::string text = plain_minus(std::string(trimmed(words)));
  const std::optional<Tensor> tensor = text.empty() ? std::nullopt : input_named(text[0]);
  if (!tensor) return {{}, {}, fmt::format("Begin with Q, K or V: {}.", kExample)};
  std::string_view rest = std::string_view(text).substr(1);
  const std::optional<int64_t> row = next_number(rest), col = next_number(rest);
  if (!row || !col) return {{}, {}, fmt::format("A row and a column are missing: {}.", kExample)};
  const Matrix& x = input_matrix(session, *tensor);
  if (*row < 1 || *row > x.rows || *col < 1 || *col > x.cols)
    return {{},
            {},
            fmt::format("{} has rows 1 to {} and columns 1 to {}; there is no row {}, column {}.", symbol_of(*tensor),
                        x.rows, x.cols, *row, *col)};
  ElementWords out{Element{*tensor, *row - 1, *col - 1}, std::string(trimmed(rest, " \t=:,;)]")), {}};
  if (out.value.empty()) out.fault = "Type the value after the equals sign.";
  return out;
}

std::optional<Tensor> input_tile(std::string_view id) {
  constexpr std::string_view kTile = "tile:";
  if (!id.starts_with(kTile) || id.size() < kTile.size() + 3) return std::nullopt;
  return input_named(id[kTile.size()]);
}

std::string element_prompt(const Session& session, const ViewState& view) {
  if (const auto cell = element_of_cell(view.focus, session))
    return fmt::format("{} {} {} = ", symbol_of(cell->tensor), cell->row + 1, cell->col + 1);
  const Tiling& t = session.walk().plan().tiling;
  const std::vector<Step>& steps = session.walk().replay.steps();
  const Step now =
      steps.empty() ? Step{} : steps[size_t(std::clamp<int64_t>(view.playhead - 1, 0, int64_t(steps.size()) - 1))];
  Tensor tensor = Tensor::K;
  int64_t index = std::max<int64_t>(0, now.j);
  if (const auto selected = input_tile(view.selection)) {
    std::string_view rest = std::string_view(view.selection).substr(6);
    tensor = *selected;
    index = next_number(rest).value_or(0);
  }
  const int64_t each = tensor == Tensor::Q ? t.br : t.bc, first = index * each;
  // Of Q the row that is followed, where the tile has it.
  const int64_t row = tensor == Tensor::Q && view.row >= first && view.row < first + each ? view.row : first;
  return fmt::format("{} {} 1 = ", symbol_of(tensor), std::min(row, input_matrix(session, tensor).rows - 1) + 1);
}

std::string element_words(const Element& e) {
  return fmt::format("{} row {}, column {}", symbol_of(e.tensor), e.row + 1, e.col + 1);
}

std::string type_over(Session& session, ViewState& view, const Element& e, const std::string& typed) {
  const std::string text = plain_minus(std::string(trimmed(typed)));
  const auto read = number_of<double>(std::string_view(text).substr(text.starts_with('+')));
  if (!read || !std::isfinite(*read))
    return fmt::format("“{}” is no number; {} stays as it was.", text, element_words(e));
  const double value = *read;
  const Format format = session.problem().format;
  if (!std::isfinite(round_to(format, value)))
    return fmt::format("{} is too large for {}; {} stays as it was.", text, name_of(format), element_words(e));
  const double old = input_matrix(session, e.tensor).at(e.row, e.col);
  if (std::vector<Fault> faults = session.edit(e.tensor, e.row, e.col, value); !faults.empty())
    return faults.front().message;
  const double kept = input_matrix(session, e.tensor).at(e.row, e.col);
  const std::string note = kept == value ? "" : fmt::format(" (held as {:.6g} in {})", kept, name_of(format));
  view.notice = fmt::format("{}: {} → {}{}", element_words(e), general_words(old, 4), general_words(value, 4), note);
  return {};
}

bool step_element(std::string_view id, Session& session, ViewState& view) {
  constexpr std::string_view kStep = "cell-step:";
  const size_t slash = id.rfind('/');
  if (!id.starts_with(kStep) || slash < kStep.size()) return false;
  const std::string cell = fmt::format("cell:{}", id.substr(kStep.size(), slash - kStep.size()));
  const auto element = element_of_cell(cell, session);
  if (!element) return false;
  const double value =
      input_matrix(session, element->tensor).at(element->row, element->col) + number_or(id.substr(slash + 1), 0.0);
  if (std::string fault = type_over(session, view, *element, fmt::format("{:.4f}", value)); !fault.empty())
    view.notice = std::move(fault);
  view.focus = cell;
  return true;
}

}  // namespace tilewalk
