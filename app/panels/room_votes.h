// What a class has voted, as a room and each page see it: bars beside the options, the round before over the one behind
// it, each parted by how sure; numbers as dots on a line.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/session/class_moves.h"

#include <string>

namespace tilewalk {

// Of one option, at most as wide as the area, which is the most votes of any option in any round.
void draw_votes(Scene& scene, const Style& style, Rect area, const ClassVotes& votes, size_t option, float size);
// What the parts of the bars mean, one line.
void draw_votes_key(Scene& scene, const Style& style, Rect line, const ClassVotes& votes, float size);
// In the unit of the question; its answer is written as large as `told`, at least as large as the rest.
void draw_numbers(Scene& scene, const Style& style, Rect area, const ClassVotes& votes, const Question& question,
                  float size, float told = 0);

}  // namespace tilewalk
