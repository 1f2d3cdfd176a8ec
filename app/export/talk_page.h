// A talk as one page of HTML that needs nothing else, to be read on a screen or printed, two stops to a sheet: of every
// stop of a set list the picture that the room sees, its questions as they are asked, a link back, and at the end the
// answers, and behind them the speaker's notes where they are wanted. Well-formed as XML too.
#pragma once

#include "app/state/set_list.h"
#include "core/lesson/course.h"

#include <memory>
#include <string>

namespace tilewalk {

std::string talk_page(std::shared_ptr<const Course> course, const SetList& set, bool notes);

}  // namespace tilewalk
