// Makes the pictures of the overview, one a frame while it is open, so that it opens at once and nothing waits for it;
// and that of the next stop, with what the pen drew there where it comes back as it was left.
// Each comes from a session of its own that stands where the stop leads: the talk's stays as it is.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <memory>
#include <string>

namespace tilewalk {

class StopPicturesMaker {
 public:
  // The next one that is missing, in that size, into view.present.pictures; false where all are there.
  bool make_one(ViewState& view, Vec2 size);

  // That of the next stop alone, for the presenter's window; false where it is there.
  bool make_next(ViewState& view, Vec2 size);

 private:
  Scene picture_of(Vec2 size);  // of where it stands now

  std::string made_for_;                  // what the pictures depend on
  std::shared_ptr<const KeptStop> kept_;  // and what the next stop comes back as
  std::unique_ptr<Session> session_;
  std::unique_ptr<ViewState> there_;
};

}  // namespace tilewalk
