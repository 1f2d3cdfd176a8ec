// A question as a room sees it: alone, lettered, and after it is revealed with its answer.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/session/questions.h"

namespace tilewalk {

void layout_room_question(Scene& scene, const Session& session, const ViewState& view, const AskedQuestion& asked,
                          Rect area, const Style& style);

// For the one who asks: "B", the letter as the room sees it, or the number. Empty without a question.
std::string answer_words(const Session& session, const ViewState& view, const AskedQuestion& asked);

}  // namespace tilewalk
