// Sets the text of a beat: paragraphs, lists, tables and code, with quantities as numbers and links that light up what
// they name. Regions: "quantity:<expression>" a number, whose tip says where it comes from; "link:<target>"; "copy:<n>"
// the code block's button, n counted within the prose.
#pragma once

#include "app/panels/flow.h"
#include "core/lesson/prose.h"

#include <functional>
#include <span>
#include <string>

namespace tilewalk {

// What quantities and links say; given by whoever knows the lesson.
struct ProseWords {
  struct Shown {
    std::string text, tip;
    bool fault = false;
  };
  std::function<Shown(const Span&)> quantity;
  std::function<std::string(std::string_view target)> link_tip;
};

struct ProseLook {
  float width = 0, size = 0, pitch = 0;
  Color color;
  bool strong = false;    // all of it
  bool mono_l = false;    // the letter l alone in the face for numbers: in the other one it reads as I
  bool balanced = false;  // lines of about one length
  bool links = true;      // underlined; a wall has nothing to press
};

// What prose is set with.
struct ProsePage {
  Scene& scene;
  const Style& style;
  const ViewState& view;
  const ProseWords& words;
};

// `codes`: how many blocks of code stand before it on the page.
void set_prose(Flow& flow, const ProsePage& page, std::span<const Block> prose, const ProseLook& look, int codes = 0);
// One run of spans; the first line may begin behind a mark of `indent`.
void set_spans(Flow& flow, const ProsePage& page, std::span<const Span> spans, const ProseLook& look, float indent = 0);

}  // namespace tilewalk
