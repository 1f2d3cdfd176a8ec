// Makes the pictures of the overview, one a frame while it is open, so that it opens at once and nothing waits for it.
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

 private:
  std::string made_for_;  // what the pictures depend on
  std::unique_ptr<Session> session_;
  std::unique_ptr<ViewState> there_;
};

}  // namespace tilewalk
