// The pieces of the Lesson tab, private to it: the words of quantities and links, and the card of a question.
#pragma once

#include "app/panels/column_parts.h"
#include "app/panels/prose_text.h"
#include "app/session/questions.h"

#include <string>

namespace tilewalk {

// Quantities of that lesson, with an instance's variables where there is one; `about` as in value_of.
ProseWords words_of(const Lesson& lesson, const Instance* instance, std::string about, const Session& session,
                    const ViewState& view);

// A number from elsewhere is marked where it stands, not in its tip alone: "◆ ", "◇ ", or nothing.
std::string_view mark_of(Origin origin);

std::string_view title_of(BeatKind kind);  // "Break it"

// Words wrapped to the width, line by line.
void set_lines(Flow& flow, const Column& column, std::string_view words, const ui::Font& font, float width);

// A question with its options or field, and, once it is answered, the reasons. `place` and `count` of the beat's;
// `size` of the text.
void set_question(Flow& flow, const Column& column, const AskedQuestion& asked, int place, int count, float width,
                  float size);

}  // namespace tilewalk
