// Typing over one element of Q, K or V: by a click on its cell, or in words such as "K 3 2 = 0.5" where the cells are
// too small to be hit. Rows and columns count from 1 in the words.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

struct Element {
  Tensor tensor;
  int64_t row, col;  // from 0, inside the matrix
};

const Matrix& input_matrix(const Session& session, Tensor tensor);  // Q, K or V

// "cell:K/2/1"; nothing where there is no such element.
std::optional<Element> element_of_cell(std::string_view id, const Session& session);

// What was typed: the element it names, the text of the value, and one sentence where either is missing.
struct ElementWords {
  std::optional<Element> element;
  std::string value, fault;
};
ElementWords read_element(std::string_view words, const Session& session);

// Q, K or V of "tile:K/2"; nothing for tiles that cannot be typed into.
std::optional<Tensor> input_tile(std::string_view id);

// "K 9 1 = ": where typing begins for what is selected, else for the K tile that is worked on.
std::string element_prompt(const Session& session, const ViewState& view);

std::string element_words(const Element& element);  // "K row 3, column 2"

// Puts the value there; view.notice says what it was and is. Returns why not, in one sentence, else nothing.
std::string type_over(Session& session, ViewState& view, const Element& element, const std::string& text);

// "cell-step:K/2/1/-0.1": that much more or less; the cell stays in hand. False where the id is none.
bool step_element(std::string_view id, Session& session, ViewState& view);

}  // namespace tilewalk
