// What lies over the window and takes all input: menu, sheets, dialogs. One at most is there, and what it holds goes
// with it; what outlives it (the choices of an export, the folder of the file list) stands in ViewState.
#pragma once

#include <string>
#include <variant>

namespace tilewalk {

struct Menu {};
struct KeySheet {
  std::string filter;
  int page = 0;  // where it takes several
};
struct WordSheet {
  std::string filter;
  float scroll = 0;         // share above, 0..1
  bool statements = false;  // of Write's language, instead of the glossary
};
struct GoTo {
  std::string fault;
  int chosen = 0;  // in front of a room, of what is called so: where Enter leads
};
struct TypeElement {
  std::string text, fault;
};
struct FileList {};
struct ExportSheet {};
struct ConfirmReset {};
struct LeftOverOffer {};
struct About {};
struct ChoiceList {
  std::string knob;        // of the board on show, or of a walk "turn:Machine": all that it can be
  std::string typed = {};  // so far, of the name of one
};
struct ProgramList {};  // of Write: what to begin from
struct JoinClass {
  std::string text, fault;
};
struct ClassCard {};  // what the class is asked
struct ClassDesk {    // of who teaches: who is where, the queue
  bool ends = false;  // asked whether the class is to end
};
struct ClassSummary {  // likewise, once it is over
  int page = 0;        // 0: all of it; from 1: its questions
};

using Overlay =
    std::variant<std::monostate, Menu, KeySheet, WordSheet, GoTo, TypeElement, FileList, ExportSheet, ConfirmReset,
                 LeftOverOffer, About, ChoiceList, ProgramList, JoinClass, ClassCard, ClassDesk, ClassSummary>;

}  // namespace tilewalk
