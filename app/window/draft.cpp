#include "app/window/draft.h"

#include "app/session/write_moves.h"
#include "core/io/file.h"
#include "core/puzzle/puzzle.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tilewalk {
namespace {

using Json = nlohmann::json;

constexpr double kEvery = 2;  // seconds
constexpr size_t kMostDraftBytes = size_t{1} << 20;

std::string words_of_draft(const WriteView& write) {
  // A name of a file need not be UTF-8: what is not becomes "?", and the text then has no file.
  const Json draft{
      {"program", write.program.text}, {"kept", write.kept}, {"file", write.file.string()}, {"solved", write.solved}};
  return draft.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string text_in(const Json& draft, const char* key) {
  const auto found = draft.find(key);
  return found != draft.end() && found->is_string() ? found->get<std::string>() : std::string();
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
  write.program.text = clean_program(text_in(draft, "program")).substr(0, write.program.most_bytes);
  write.kept = text_in(draft, "kept");
  write.file = text_in(draft, "file");
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
