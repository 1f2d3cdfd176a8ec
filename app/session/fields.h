// What a person types into or chooses from the problem's form: texts into numbers, numbers into a changed session. A
// wish that cannot be walked stays in the form (ViewState::typed) with the reason (ViewState::refused); the walk on the
// stage stays as it was. Knows no widgets.
//
// Fields are those of a setup (app/session/setup_fields.h), and besides: preset; layer and head of the file that is
// open; pending/drop takes back what was refused.
#pragma once

#include "app/session/setup_fields.h"
#include "app/state/view_state.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// What the field shows: the text being typed or refused, else the session's value.
std::string field_text(const Session& session, const ViewState& view, std::string_view name);

// The value that is chosen, refused wishes included: "causal" for mask.
std::string choice_value(const Session& session, const ViewState& view, std::string_view field);

// Why this field cannot be changed with the inputs that are loaded, or empty.
std::string locked_field(const Session& session, std::string_view name);

// Carries out what was typed or chosen. Empty on success: nothing is left typed or refused, and the playhead stays on
// its step where the new walk has it. Else the faults, which view.refused holds too.
std::vector<Fault> apply_field(Session& session, ViewState& view, std::string_view name, std::string_view text);
std::vector<Fault> apply_choice(Session& session, ViewState& view, std::string_view field, std::string_view value);

// The setup with every wish put in, and the faults of texts that are no numbers.
struct Wanted {
  Setup setup;
  std::vector<Fault> faults;
};
Wanted wanted(const Session& session, const ViewState& view);

// Puts the view in order after the session changed by other ways than these (a file was opened): playhead, row,
// selection. `before` is of the walk that was there.
struct WalkPlace {
  bool started = false;
  Step step;  // the last one taken
  int64_t playhead = 0;
  Method schedule = Method::Standard;
  VariantId variant{};
  int64_t tr = 0, tc = 0, offset = 0;
  bool causal = false;
};
WalkPlace place_in_walk(const Session& session, const ViewState& view);
void settle_view(const Session& session, ViewState& view, const WalkPlace& before);

}  // namespace tilewalk
