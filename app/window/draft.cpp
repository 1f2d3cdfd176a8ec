#include "app/window/draft.h"

#include "app/session/write_moves.h"
#include "core/io/file.h"
#include "core/puzzle/puzzle.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr double kEvery = 2;  // seconds
constexpr size_t kMostDraftBytes = size_t{4} << 20;

// A puzzle that is the program's own, by which a text is found again; empty: one's own text.
std::string known(const std::string& puzzle) { return puzzle_named(puzzle) ? puzzle : std::string(); }

std::string words_of_draft(const WriteView& write) {
  const auto text = [](const EditedText& program, const std::string& kept, const fs::path& file, int hints) {
    return Json{{"program", program.text}, {"kept", kept}, {"file", file.string()}, {"hints", hints}};
  };
  Json draft = text(write.program, write.kept, write.file, write.hints);
  draft["puzzle"] = write.puzzle ? known(write.puzzle->id) : "";
  draft["solved"] = write.solved;
  draft["left"] = Json::object();
  for (const auto& [puzzle, left] : write.left)
    if (puzzle == known(puzzle) && puzzle != draft["puzzle"])
      draft["left"][puzzle] = text(left.program, left.kept, left.file, left.hints);
  // A name of a file need not be UTF-8: what is not becomes "?", and the text then has no file.
  return draft.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string text_in(const Json& draft, const char* key) {
  const auto found = draft.find(key);
  return found != draft.end() && found->is_string() ? found->get<std::string>() : std::string();
}

LeftText left_in(const Json& draft) {
  LeftText left;
  left.program.text = clean_program(text_in(draft, "program")).substr(0, left.program.most_bytes);
  left.kept = text_in(draft, "kept");
  left.file = text_in(draft, "file");
  const auto hints = draft.find("hints");
  if (hints != draft.end() && hints->is_number_integer()) left.hints = std::clamp(hints->get<int>(), 0, kHints);
  return left;
}

}  // namespace

void Draft::open(ViewState& view) {
  WriteView& write = view.write;
  if (file_.empty() || !write.program.text.empty()) return;
  try {
    kept_ = read_file(file_, kMostDraftBytes);
  } catch (const IoError&) {
    return;  // there was none
  }
  const Json draft = Json::parse(kept_, nullptr, false);
  if (!draft.is_object()) return;
  if (const auto left = draft.find("left"); left != draft.end() && left->is_object())
    for (const auto& [puzzle, text] : left->items())
      if (text.is_object() && puzzle == known(puzzle)) write.left[puzzle] = left_in(text);
  LeftText shown = left_in(draft);
  write.program = std::move(shown.program);
  write.kept = std::move(shown.kept);
  write.file = std::move(shown.file);
  write.hints = shown.hints;
  write.puzzle = puzzle_named(text_in(draft, "puzzle"));
  if (const auto solved = draft.find("solved"); solved != draft.end() && solved->is_array())
    for (const Json& id : *solved)
      if (id.is_string() && puzzle_named(id.get<std::string>())) write.solved.insert(id.get<std::string>());
}

std::string Draft::keep(const ViewState& view, double clock, bool now) {
  if (file_.empty() || !view.write.begun || (!now && clock < kept_at_ + kEvery)) return {};
  std::string words = words_of_draft(view.write);
  if (words == kept_) return {};
  kept_at_ = clock;
  try {
    write_file(file_, words);
  } catch (const IoError& error) {
    const bool told = std::exchange(told_, true);
    return told ? std::string() : "What is written is not kept: " + std::string(error.what());
  }
  kept_ = std::move(words);
  told_ = false;
  return {};
}

}  // namespace tilewalk
