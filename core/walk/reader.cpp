#include "core/walk/reader.h"

#include "core/io/printable.h"
#include "core/walk/derive.h"
#include "core/walk/loop_head.h"
#include "core/walk/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tilewalk {
namespace {

using Tokens = std::span<const WalkToken>;

struct Conditions {
  std::string_view words;
  When when;
};
constexpr Conditions kConditions[] = {
    {"at the first visit", When::FirstVisit},
    {"at the last visit", When::LastVisit},
    {"at the first turn", When::FirstTurn},
    {"if i sees a key", When::SeesKey},
};

class Reader {
 public:
  WalkRead read(std::string_view text);

 private:
  struct Fault {
    int column;
    std::string message;
  };
  // A block that is still open: its lines stand deeper than its header.
  struct Open {
    size_t indent;
    std::vector<WalkNode>* body;
    size_t inside = 0;  // where its lines stand, once there is one
  };

  void line(std::string_view raw, int number);
  void header(std::string_view words, size_t indent, std::string_view rest, int column);
  void statements(std::string_view text, int column, std::vector<WalkNode>& body);
  void statement(Tokens tokens, std::string_view typed, std::vector<WalkNode>& body);
  void move(Tokens tokens, std::vector<WalkNode>& body);
  void close_halves();
  WalkNode& add(std::vector<WalkNode>& body, StepKind kind, int flags, bool before);
  std::vector<WalkNode>& body_at(size_t indent, int column);

  WalkProgram program_;
  std::vector<WalkFault> faults_;
  std::vector<Open> open_;
  std::vector<WalkNode> top_;  // loops that stand in no other
  std::vector<uint8_t> pass_of_top_;
  // A step that is written as two statements, one of which has been met.
  struct Half {
    const WalkForm* form;
    size_t line;
    int column;
  };
  std::optional<Half> half_;
  const std::vector<WalkNode>* half_in_ = nullptr;
};

// Where the sign with so many before it begins, in UTF-8.
size_t byte_of(std::string_view text, int signs) {
  size_t at = 0;
  for (; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && signs-- == 0) break;
  return at;
}

WalkNode& Reader::add(std::vector<WalkNode>& body, StepKind kind, int flags, bool before) {
  WalkNode& node = body.emplace_back();
  node.line = uint8_t(program_.code.size() - 1);
  node.kind = kind;
  node.flags = uint8_t(flags);
  node.before = before;
  return node;
}

// Whether an index says the tile of the turn before; throws where it is not the tensor's.
bool says_before(const WalkToken& token, Tensor tensor) {
  const std::string_view wanted = walk_index(tensor);
  if (token.index.empty() || token.index == wanted) return false;
  if (by_key_tile(tensor) && token.index == std::string(wanted) + "-1") return true;
  throw std::pair(token.column, fmt::format("a tile of {} is {}[{}].", walk_name(tensor), walk_name(tensor), wanted));
}

void Reader::move(Tokens tokens, std::vector<WalkNode>& body) {
  const bool loads = tokens.front().text == "load";
  const std::string_view verb = loads ? "load" : "store";
  bool wanted = true;               // a tensor, else a comma
  const WalkToken* half = nullptr;  // m without l, or l without m; O[i,s] without L[i,s], or the other way round
  for (const WalkToken& token : tokens.subspan(1)) {
    if (token.text == "[" || token.text == "]")
      throw Fault{token.column, fmt::format("the brackets are not closed, or hold no tile: write for instance {}.",
                                            loads ? "load K[j]" : "store O[i]")};
    if (!wanted && token.text != ",") {
      const bool another = &token != &tokens.back() && (&token + 1)->text == "=";
      throw Fault{token.column, another ? fmt::format("a new statement begins at {}: put ; before it, or a new line.",
                                                      in_quotes(token.text, 20))
                                        : fmt::format("a comma is missing before {}.", in_quotes(token.text, 20))};
    }
    wanted = !wanted;
    if (wanted) continue;
    const auto tensor = walk_tensor(token.text);
    const auto kind = !tensor ? std::nullopt : loads ? load_of(*tensor) : store_of(*tensor);
    if (!kind)
      throw Fault{token.column, fmt::format("there is nothing to {} that is called {}; write for instance {}.", verb,
                                            in_quotes(token.text, 20), loads ? "load K[j]" : "store O[i]")};
    if (token.index == "i,s" && (*tensor == Tensor::O || *tensor == Tensor::Lse)) {
      if (half && half->index == token.index && half->text != token.text) {
        add(body, loads ? StepKind::LoadPart : StepKind::StorePart, 0, false);
        half = nullptr;
      } else {
        half = &token;
      }
      continue;
    }
    const bool before = says_before(token, *tensor);
    if (half && half->index == "i,s") break;
    if (*tensor != Tensor::M && *tensor != Tensor::L) {
      add(body, *kind, 0, before);
    } else if (!half) {
      half = &token;
    } else if (half->text == token.text) {
      throw Fault{token.column, fmt::format("{} stands here twice.", token.text)};
    } else {
      add(body, *kind, 0, false);
      half = nullptr;
    }
  }
  if (wanted) throw Fault{tokens.back().column, fmt::format("what to {} is missing.", verb)};
  if (half && half->index == "i,s")
    throw Fault{half->column, fmt::format("a part's O and L move together: write {} O[i,s], L[i,s].", verb)};
  if (half) throw Fault{half->column, fmt::format("m and l move together: write {} l[i], m[i].", verb)};
}

void Reader::statement(Tokens tokens, std::string_view typed, std::vector<WalkNode>& body) {
  if (tokens.empty()) return;
  if (tokens.front().text == "load" || tokens.front().text == "store") return move(tokens, body);
  const WalkForm* form = walk_form(tokens);
  if (!form) {
    if (const std::string_view why = why_no_statement(tokens); !why.empty()) {
      half_.reset();  // what was meant is told
      throw Fault{tokens.front().column, std::string(why)};
    }
    throw Fault{tokens.front().column,
                fmt::format("the nearest statement is {}; {} is none.", in_quotes(nearest_walk_form(tokens).typed, 60),
                            in_quotes(trimmed_words(typed), 60))};
  }
  bool before = false;
  for (const WalkToken& token : tokens)
    if (const auto tensor = walk_tensor(token.text); tensor && !token.index.empty()) {
      const bool parts = is_part(form->kind) || (form->then && is_part(*form->then));
      if (parts && token.index == "i,s" && (*tensor == Tensor::O || *tensor == Tensor::Lse)) continue;
      before |= says_before(token, *tensor);
    }
  if (!form->with.empty()) {
    if (half_ && half_->form->with == form->typed && half_in_ == &body) {
      half_.reset();
      return;  // the first half stands for both
    }
    close_halves();
    half_ = Half{form, program_.code.size() - 1, tokens.front().column};
    half_in_ = &body;
  }
  add(body, form->kind, form->flags, before);
  if (form->then) add(body, *form->then, 0, before);
}

void Reader::close_halves() {
  if (!half_) return;
  faults_.push_back({program_.source_line[half_->line], half_->column,
                     fmt::format("{} needs {} beside it or in the next line.", half_->form->typed, half_->form->with)});
  half_.reset();
}

void Reader::statements(std::string_view text, int column, std::vector<WalkNode>& body) {
  std::vector<WalkToken> tokens = walk_tokens(text);
  for (WalkToken& token : tokens) token.column += column - 1;
  size_t begin = 0;
  int depth = 0;
  for (size_t k = 0; k <= tokens.size(); ++k) {
    if (k < tokens.size()) {
      depth += (tokens[k].text == "(") - (tokens[k].text == ")");
      // "m = -inf, l = 0": a comma parts two statements where a new one begins behind it.
      const bool next = tokens[k].text == "," && depth == 0 && k + 2 < tokens.size() && tokens[k + 2].text == "=";
      if (tokens[k].text != ";" && !next) continue;
    }
    // As it was typed, from its first sign to the one that parts it from the next.
    const size_t from = begin < k ? byte_of(text, tokens[begin].column - column) : 0;
    const size_t to = k < tokens.size() ? byte_of(text, tokens[k].column - column) : text.find('#');
    statement(Tokens(tokens).subspan(begin, k - begin), text.substr(from, to - from), body);
    begin = k + 1;
    depth = 0;
  }
}

std::vector<WalkNode>& Reader::body_at(size_t indent, int column) {
  while (!open_.empty() && open_.back().indent >= indent) open_.pop_back();
  if (open_.empty()) {
    if (indent) throw Fault{column, "this line stands deeper than a line above it that opens nothing."};
    return top_;
  }
  Open& block = open_.back();
  if (!block.inside) block.inside = indent;
  if (indent != block.inside)
    throw Fault{column, fmt::format("this line stands {} space{} in, and those before it in its block {}.", indent,
                                    indent == 1 ? "" : "s", block.inside)};
  return *block.body;
}

void Reader::header(std::string_view words, size_t indent, std::string_view rest, int rest_column) {
  const int column = int(indent) + 1;
  close_halves();
  std::vector<WalkNode>& around = body_at(indent, column);
  if (open_.size() >= kMostWalkDepth) throw Fault{column, "this is too deep."};
  std::vector<WalkNode>* body = nullptr;
  if (words == "else") {
    if (around.empty() || around.back().type != WalkNode::Type::Condition || !around.back().otherwise.empty())
      throw Fault{column, "this \"else:\" follows no condition."};
    body = &around.back().otherwise;
  } else {
    WalkNode made;
    made.line = uint8_t(program_.code.size() - 1);
    const auto found = std::ranges::find(kConditions, words, &Conditions::words);
    if (found != std::end(kConditions)) {
      made.type = WalkNode::Type::Condition;
      made.when = found->when;
      if (&around == &top_) throw Fault{column, "a condition stands in a loop."};
    } else {
      made.type = WalkNode::Type::Loop;
      try {
        LoopHeadRead read = read_loop_head(words);
        if (!read.fault.empty()) throw Fault{column + read.column, std::move(read.fault)};
        made.loop = read.head;
      } catch (const Fault& fault) {  // said once: the lines below are read as its own all the same
        faults_.push_back({program_.source_line.back(), fault.column, fault.message});
      }
    }
    if (&around == &top_) {
      if (top_.size() == kMostWalkNests)
        throw Fault{column, fmt::format("a program has up to {} loops that stand in no other.", kMostWalkNests)};
      pass_of_top_.push_back(uint8_t(program_.passes.empty() ? 0 : program_.passes.size() - 1));
    }
    body = &around.emplace_back(std::move(made)).body;
  }
  open_.push_back({indent, body, 0});
  statements(rest, rest_column, *body);
}

void Reader::line(std::string_view raw, int number) {
  if (raw.size() > kMostWalkLineBytes) {
    faults_.push_back(
        {number, 1, fmt::format("a line has up to {} bytes; this has {}.", kMostWalkLineBytes, raw.size())});
    return;
  }
  const size_t indent = std::min(raw.find_first_not_of(' '), raw.size());
  std::string_view text = raw.substr(indent, raw.find('#', indent) - indent);
  if (trimmed_words(text).empty()) return;
  if (program_.code.size() == kMostWalkLines) {
    faults_.push_back({number, 1, fmt::format("a program has up to {} lines.", kMostWalkLines)});
    return;
  }
  program_.code.push_back(walk_shown(raw));
  program_.source_line.push_back(number);
  try {
    if (const size_t tab = text.find('\t'); tab != std::string_view::npos)
      throw Fault{int(indent + tab) + 1, "this is a tab; lines are set in with spaces."};
    if (text.starts_with("pass ")) {
      if (indent) throw Fault{int(indent) + 1, "a pass stands at the left edge."};
      close_halves();
      open_.clear();
      if (!top_.empty() && program_.passes.empty()) program_.passes.push_back("attention");
      if (program_.passes.size() == kMostWalkNests)
        throw Fault{1, fmt::format("a program has up to {} passes.", kMostWalkNests)};
      if (const size_t loop = text.find(" for each "); loop != std::string_view::npos)
        throw Fault{int(loop) + 2, "a pass has its name and no more in its line: the loop begins the next one."};
      program_.passes.push_back(walk_shown(trimmed_words(text.substr(5))));
      return;
    }
    if (const size_t colon = text.find(':'); colon != std::string_view::npos)
      return header(trimmed_words(text.substr(0, colon)), indent, text.substr(colon + 1), int(indent + colon) + 2);
    if (text.starts_with("for "))
      throw Fault{int(indent) + 1, "a loop is \"for each Q tile i:\" or \"for each K/V tile j:\", with a colon."};
    std::vector<WalkNode>& body = body_at(indent, int(indent) + 1);
    if (&body == &top_) throw Fault{int(indent) + 1, "this stands in no loop: of which tile is it said?"};
    statements(text, int(indent) + 1, body);
  } catch (const Fault& fault) {
    faults_.push_back({number, fault.column, fault.message});
  } catch (const std::pair<int, std::string>& fault) {
    faults_.push_back({number, fault.first, fault.second});
  }
}

WalkRead Reader::read(std::string_view text) {
  if (text.size() > kMostWalkBytes)
    return {{}, {{1, 1, fmt::format("a program has up to {} bytes; this has {}.", kMostWalkBytes, text.size())}}};
  int number = 0;
  for (size_t at = 0; at <= text.size() && faults_.size() < kMostWalkFaults; ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    line(text.substr(at, end - at), number + 1);
    at = end + 1;
  }
  close_halves();
  if (faults_.empty() && top_.empty()) faults_.push_back({1, 1, "there is no loop here, and so nothing to do."});
  if (program_.passes.empty()) program_.passes.push_back("attention");
  for (size_t n = 0; n < top_.size(); ++n) {
    WalkNest& nest = program_.nests.emplace_back();
    nest.pass = pass_of_top_[n];
    nest.loop = std::move(top_[n]);
  }
  if (faults_.empty())
    if (auto fault = derive_walk(program_)) faults_.push_back(*std::move(fault));
  std::ranges::sort(faults_, {}, [](const WalkFault& fault) { return std::pair(fault.line, fault.column); });
  if (!faults_.empty()) return {{}, std::move(faults_)};
  return {std::move(program_), {}};
}

}  // namespace

WalkRead read_walk(std::string_view text) { return Reader().read(text); }

}  // namespace tilewalk
