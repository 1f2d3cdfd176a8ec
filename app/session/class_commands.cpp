// The commands of a class.
#include "app/session/class_moves.h"
#include "app/session/overlays.h"
#include "app/session/present_commands.h"

#include <array>

namespace tilewalk {
namespace {

using S = Session;
using V = ViewState;

constexpr std::string_view kClass = "A class";

std::string why_no_class(const S&, const V& v) {
  return in_class(v) ? "Who teaches the class does that." : "No class was joined: M, then \"Join a class\".";
}

std::string why_no_summary(const S&, const V&) { return "Who taught a class sees it once the class is over."; }
bool is_left(const S&, const V& v) { return in_class(v) && v.classroom.with->left().has_value(); }

const auto kClassCommands = std::to_array<Command>({
    {"class-join", "Join a class…", kClass, "Ctrl+Shift+J",
     [](S&, V& v) {
       close_overlays(v);
       v.over = JoinClass{};
       v.editing = "field:class";
     },
     [](const S&, const V& v) { return !v.present.on; }},
    {"class-back", "To the class: its question, or where it is", kClass, "Ctrl+J", return_to_class,
     [](const S&, const V& v) { return in_class(v) && v.classroom.with->in(); }, false, Mode::Any, why_no_class},
    {"class-leave", "Leave the class", kClass, "Ctrl+Shift+End", [](S&, V& v) { leave_class(v); },
     [](const S&, const V& v) { return in_class(v); }, false, Mode::Any, why_no_class},
    {"class-end", "End the class for all…", kClass, "Ctrl+Shift+Home", [](S&, V& v) { v.over = ClassDesk{true}; },
     [](const S&, const V& v) { return teaches(v); }, true, Mode::Any, why_no_class},
    {"class-summary", "What the class came to", kClass, "Ctrl+Shift+9", [](S&, V& v) { v.over = ClassSummary{}; },
     is_left, false, Mode::Any, why_no_summary},
    {"class-save", "Save what the class came to", kClass, "Ctrl+Shift+0",
     [](S&, V& v) { v.wishes.class_summary = true; }, is_left, false, Mode::Any, why_no_summary},
    {"class-lock", "Beats ahead closed to the class, or open", kClass, "Ctrl+Shift+6", [](S&, V& v) { lock_ahead(v); },
     [](const S&, const V& v) { return teaches(v) && v.classroom.with->in(); }, false, Mode::Any, why_no_class},
    {"class-wall", "How the class is joined, on the wall", kClass, "J",
     [](S&, V& v) { v.present.joining = !v.present.joining; },
     [](const S&, const V& v) { return v.present.on && teaches(v); }, false, Mode::Present, why_no_class},
    {"class-again", "The question asked again, after talking it over", kClass, "A",
     [](S&, V& v) { ask_class_again(v); }, [](const S&, const V& v) { return v.present.on && can_ask_again(v); }, false,
     Mode::Present, [](const S&, const V& v) { return why_not_again(v); }},
});

}  // namespace

std::span<const Command> class_commands() { return kClassCommands; }

}  // namespace tilewalk
