// A question as a room sees it: alone, lettered, and after it is revealed with its answer; with the hands that went up,
// or what a class has voted. On a page of the class the same is answered.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/session/questions.h"

#include <optional>
#include <string>

namespace tilewalk {

// Of a page: options are pressed, "vote:<place>", a number is typed into "field:class-number".
struct Answering {
  std::optional<int> chosen;       // the place of the option that counts, from 0
  bool open = true;                // votes are taken
  const PollLeft* left = nullptr;  // of a class that is over: what its question came to, all of it told
};
void layout_room_question(Scene& scene, const Session& session, const ViewState& view, const AskedQuestion& asked,
                          Rect area, const Style& style, const std::optional<Answering>& answering = {});

// For the one who asks: "B", the letter as the room sees it, or the number. Empty without a question.
std::string answer_words(const Session& session, const ViewState& view, const AskedQuestion& asked);

}  // namespace tilewalk
