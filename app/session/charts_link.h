// The GPU's charts as a place: in a link, and so as a stop of a set list.
//
//   tilewalk://walk?d=64&mask=full&charts=compare&gpu-shape=benchmark&gpu-n=4096&gpu-on=h200&gpu-kernel=fa3
//
// "charts" says that they are on show and which of them; the other keys are the fields of app/session/gpu_choices.h.
// The problem is the walk's. A link leads to recordings: what a GPU measures now is not in it.
#pragma once

#include "app/session/link.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <string_view>

namespace tilewalk {

bool is_charts_key(std::string_view key);
void add_charts(Link& link, const ViewState& view);  // what is on show
// Shows what the link says; sentences on what cannot be so, or was not recorded, go to `notes`.
void put_charts(const Link& link, const Session& session, ViewState& view, std::string& notes);

// What is chosen, at once and out of recordings.
void show_charts(const Session& session, ViewState& view);

std::string title_of_charts(const Link& link);  // "Kernels on the H200, N = 4,096"
std::string title_of_charts(const ViewState& view);

// Why the charts on show cannot be a stop; empty where they can.
std::string why_no_charts_stop(const Session& session, const ViewState& view);
// Where a stop shows other numbers than are on show now: a sentence on which; else empty.
std::string charts_remark(const Session& session, const ViewState& view);

}  // namespace tilewalk
