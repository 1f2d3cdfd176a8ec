// The one text field that can be open: Dear ImGui's, laid exactly over the region that ViewState::editing names, in the
// program's own font. What is typed goes to the view; Enter, Esc and Tab are the frame's business.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>

struct ImFont;

namespace tilewalk {

class TextField {
 public:
  // Makes Dear ImGui's fonts for this scale where they are not there yet; true if they are new. Not within a frame.
  // They take longer than a frame: until something is typed there is a blank alone, which Dear ImGui cannot do without.
  bool prepare(float scale, bool typing);

  // Within a frame. Does nothing while no field is named, or the scene does not have it.
  void draw(const Scene& scene, const Session& session, ViewState& view, const Style& style);

  // The field has the keyboard: what is typed now is not lost.
  bool ready() const { return ready_; }

 private:
  std::string id_;    // of the region under the field
  std::string text_;  // what stands in it
  int asked_ = 0;     // frames since the keyboard was asked for
  bool ready_ = false;
  float scale_ = 0;  // of the fonts; 0: a blank alone
  ImFont* large_ = nullptr;
  ImFont* small_ = nullptr;
};

}  // namespace tilewalk
