// The pictures of an order: which moments are shown, and each of them as a scene of the size, colours and footer that
// were asked for. Nothing is pointed at, nothing moves and no overlay is open in them.
#pragma once

#include "app/panels/stage_picture.h"
#include "app/state/export_order.h"

#include <string>
#include <vector>

namespace tilewalk {

// Where the playhead, or the step of a board, stands in each picture. Of a range that is one for each unit, the first
// and the last of the range among them; of anything else one. Empty where a range was asked for and nothing moves.
std::vector<int64_t> moments_of(const Session& session, const ViewState& view, const ExportOrder& order);

// Empty, or one sentence on why this cannot be taken away from where one is.
std::string why_not(const Session& session, const ViewState& view, const ExportOrder& order);

StagePicture picture_at(Session& session, const ViewState& view, const ExportOrder& order, int64_t moment);

// The numbers on the stage, or on the charts, as comma-separated values; see app/panels/stage_picture.h.
std::string numbers_of(const Session& session, const ViewState& view, const ExportOrder& order);

// What the footer says: the link, then the seed or where the inputs are from and, of what was run on a GPU, the device;
// "◆" before a recorded one.
struct FooterWords {
  std::string link, right;
};
FooterWords footer_words(const Session& session, const ViewState& view);

}  // namespace tilewalk
