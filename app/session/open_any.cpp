#include "app/session/open_any.h"

#include "app/session/commands.h"
#include "app/session/link_moves.h"
#include "app/session/open_file.h"
#include "app/session/present_moves.h"
#include "app/session/set_edit.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/write_moves.h"
#include "core/io/file.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <string>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

// The link that a file holds; empty where it holds none. Files that are too large for one are not read.
std::string link_in(const fs::path& path) {
  try {
    const InputFile file(path);
    if (file.size() == 0 || file.size() > kLongestLink) return {};
    std::string text(file.size(), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    return is_link(text) ? text.substr(0, text.find_first_of("\r\n")) : std::string();
  } catch (const IoError&) {
    return {};  // whoever opens it as something else says why it cannot be read
  }
}

}  // namespace

bool open_any(Session& session, ViewState& view, const std::vector<fs::path>& given) {
  view.notice.clear();
  if (given.empty()) return true;
  const fs::path& first = given.front();
  if (is_set_list(first)) {
    view.notice = use_set_list(session, view, first);
    if (!view.notice.empty()) return false;
    view.notice =
        fmt::format("{} places are in the set list: {} presents it.", view.present.set.items.size(), key_of("present"));
    return true;
  }
  if (is_program_file(first)) {
    view.notice = open_program(session, view, first);
    return view.notice.empty();
  }
  if (names_picture(first.filename().native())) {
    const SlidesAdded slides = add_slides(view, given);
    view.notice = slides.words;
    return slides.added;
  }
  if (first.extension() == ".kept") {
    view.wishes.bring = first;
    return true;
  }
  const std::string link = is_link(first.native()) ? first.native() : link_in(first);
  if (!link.empty()) {
    const Opened opened = open_link(link, session, view);
    view.notice = opened.words;
    return opened.there;
  }
  if (first.extension() == ".json") {
    run_command("tab-gpu", session, view);
    view.gpu.wishes.open = first;
    view.notice = fmt::format("Reading {}…", printable_path(first));
    return true;
  }
  std::string fault = open_files(session, view, given);
  if (fault.empty()) return true;
  view.notice = std::move(fault);
  return false;
}

}  // namespace tilewalk
