#include "core/walk/loop_head.h"

#include "core/io/printable.h"
#include "core/walk/reader.h"
#include "core/walk/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace tilewalk {
namespace {

struct Misread {
  int column;
  std::string message;
};

bool take(std::string_view& words, std::string_view phrase) {
  if (!words.starts_with(phrase)) return false;
  words.remove_prefix(phrase.size());
  return true;
}

// What stands behind "for each Q tile i" and is none of what can. A letter too many or too few is told as such.
std::string unknown_tail(std::string_view all, std::string_view rest, bool queries) {
  using Tails = std::array<std::string_view, 6>;
  const Tails tails =
      queries ? Tails{"that sees j", "that sees no key", "of the block", "in parallel", "last to first", "in any order"}
              : Tails{"of split s", "that i sees", "in parallel", "last to first", "in any order", ""};
  // Up to the next comma; what was read may have been the beginning of a longer word.
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  size_t from = all.size() - rest.size();
  if (from > 0 && letter(all[from - 1]) && !rest.empty() && letter(rest[0])) from = all.rfind(',', from) + 1;
  from = std::min(all.find_first_not_of(" ,", from), all.size());
  const std::string words = trimmed_words(all.substr(from, all.find(',', from) - from));
  for (const std::string_view tail : tails)
    if (!tail.empty() && words.starts_with(tail) && (words.size() == tail.size() || words[tail.size()] == ' ')) {
      const bool first = tail.starts_with("that ") || tail.starts_with("of ");
      return first ? fmt::format("{} stands right behind the tile, before all that has a comma.", in_quotes(tail, 40))
                   : fmt::format("a comma is missing before {}.", in_quotes(tail, 40));
    }
  for (const std::string_view tail : tails)
    if (!tail.empty() && letters_apart(words, tail) <= 2)
      return fmt::format("{} is not understood; the nearest is {}.", in_quotes(words, 40), in_quotes(tail, 40));
  std::string known;
  for (const std::string_view tail : tails)
    if (!tail.empty()) known += fmt::format("{}{}", known.empty() ? "" : ", ", in_quotes(tail, 40));
  return fmt::format("{} is not understood behind a loop; there are {}.", in_quotes(trimmed_words(rest), 40), known);
}

LoopHead head_of(std::string_view words) {
  if (!words.starts_with("for "))
    throw Misread{0, fmt::format("{} opens nothing; there are \"for each Q tile i:\", \"for each K/V tile j:\", "
                                 "\"at the first visit:\", \"at the last visit:\", \"at the first turn:\", \"if i "
                                 "sees a key:\" and \"else:\".",
                                 in_quotes(words, 40))};
  LoopHead head;
  const std::string all(words);
  if (take(words, "for each Q tile i and split s of ") || take(words, "for each split s of ")) {
    head.axis = all.starts_with("for each Q") ? TileAxis::Queries : TileAxis::Keys;
    int splits = 0;
    for (; !words.empty() && words[0] >= '0' && words[0] <= '9' && splits <= kMostWalkSplits; words.remove_prefix(1))
      splits = 10 * splits + (words[0] - '0');
    if (splits < 2 || splits > kMostWalkSplits)
      throw Misread{int(all.size() - words.size()),
                    fmt::format("there are 2 to {} splits: \"split s of 4\".", kMostWalkSplits)};
    head.splits = uint8_t(splits);
  } else if (take(words, "for each Q tile i"))
    head.axis = TileAxis::Queries;
  else if (take(words, "for each K/V tile j"))
    head.axis = TileAxis::Keys;
  else
    throw Misread{0, words.find("split") != words.npos
                         ? "a loop over splits is \"for each Q tile i and split s of 4:\", outermost, or \"for each "
                           "split s of 4:\" in one over Q tiles."
                         : "a loop is \"for each Q tile i:\" or \"for each K/V tile j:\"."};
  const bool queries = head.axis == TileAxis::Queries;
  while (!words.empty()) {
    if (queries && take(words, " of the block"))
      head.of_block = true;
    else if (queries && take(words, " that sees j"))
      head.seen_only = true;
    else if (queries && take(words, " that sees no key"))
      head.unseeing = true;
    else if (!queries && !head.splits && take(words, " of split s"))
      head.of_split = true;
    else if (!queries && !head.splits && take(words, " that i sees"))
      head.seen_only = true;
    else if (take(words, ", in parallel"))
      head.parallel = true;
    else if (take(words, ", last to first"))
      head.order = Order::LastToFirst;
    else if (take(words, ", in any order"))
      head.order = Order::AsVariant;
    else
      throw Misread{int(all.size() - words.size()), unknown_tail(all, words, queries)};
  }
  return head;
}

}  // namespace

LoopHeadRead read_loop_head(std::string_view words) {
  try {
    return {head_of(words), {}, 0};
  } catch (Misread& fault) {
    return {{}, std::move(fault.message), fault.column};
  }
}

}  // namespace tilewalk
