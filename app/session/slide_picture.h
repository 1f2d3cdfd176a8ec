// The pictures of slides of the speaker's own: found beside the set list, read, and kept while they may come back.
#pragma once

#include "app/scene/pixels.h"
#include "app/state/presentation.h"

#include <memory>
#include <string>

namespace tilewalk {

struct SlidePicture {
  std::shared_ptr<const Pixels> pixels;
  std::string fault;  // one sentence where the picture cannot be shown
};
// Of the slide `stop` of the list; neither of both where it has no picture.
SlidePicture picture_of_slide(const std::string& stop, const SetList& set, std::vector<ShelvedPicture>& shelf);

// Begins to draw the page of a PDF that the slide `stop` is, beside whoever asks, so that it is there when its turn
// comes.
void draw_slide_ahead(const std::string& stop, const SetList& set, const std::vector<ShelvedPicture>& shelf);

}  // namespace tilewalk
