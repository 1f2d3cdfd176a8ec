// CommonMark by md4c, flattened into blocks of spans. See prose.h.
//
// Quantities are taken out before md4c reads the text, and put back afterwards: an expression may hold * and |, which
// mean something in Markdown. A quantity's place is held by its number between two private-use characters.
#include "core/lesson/prose.h"

#include "core/io/number.h"
#include "core/io/printable.h"
#include "core/io/trimmed.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>

namespace tilewalk {
namespace {

constexpr std::string_view kOpen = "\xEE\x80\x80", kClose = "\xEE\x80\x81";        // U+E000, U+E001
constexpr std::string_view kWindow = "\xEE\x80\x82", kWindowEnd = "\xEE\x80\x83";  // for [[ and ]]
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";                          // U+FFFD

// The text with every {{...}} that closes on its line replaced by its number, and every [[...]] that closes before the
// next empty line by its two marks, as valid UTF-8 on the same lines.
struct Prepared {
  std::string text;
  std::vector<std::string> quantities;  // what stood between the braces
};

Prepared prepare(std::string_view markdown) {
  Prepared out;
  size_t end = 0;             // the next } or line end at or behind `at`: looked for once, however many {{ wait for it
  size_t close = 0, gap = 0;  // the next ]] and the next empty line, in the same way
  bool window = false;
  for (size_t at = 0; at < markdown.size();) {
    if (markdown.substr(at).starts_with("{{")) {
      if (end < at + 2) end = std::min(markdown.find_first_of("}\n", at + 2), markdown.size());
      if (markdown.substr(end).starts_with("}}")) {
        out.text += fmt::format("{}{}{}", kOpen, out.quantities.size(), kClose);
        out.quantities.emplace_back(markdown.substr(at + 2, end - at - 2));
        at = end + 2;
        continue;
      }
    }
    if (!window && markdown.substr(at).starts_with("[[")) {
      if (close < at + 2) close = std::min(markdown.find("]]", at + 2), markdown.size());
      if (gap <= at) gap = std::min(markdown.find("\n\n", at), markdown.size());
      window = close < gap;
    }
    if (window && (markdown.substr(at).starts_with("[[") || at == close)) {
      out.text += at == close ? kWindowEnd : kWindow;
      window = at != close;
      at += 2;
      continue;
    }
    const size_t length = utf8_length(markdown.substr(at));
    const std::string_view character = markdown.substr(at, std::max<size_t>(length, 1));
    const bool ours = character == kOpen || character == kClose || character == kWindow || character == kWindowEnd;
    out.text += length == 0 || ours ? kReplacement : character;
    at += character.size();
  }
  return out;
}

std::string utf8_of(uint32_t code) {
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return std::string(kReplacement);
  const auto tail = [code](int shift) { return char(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return {char(code)};
  if (code < 0x800) return {char(0xC0 | code >> 6), tail(0)};
  if (code < 0x10000) return {char(0xE0 | code >> 12), tail(6), tail(0)};
  return {char(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

// "&amp;", "&#955;", "&#x3bb;". A name that is not among the few stays as it is written.
std::string entity_text(std::string_view entity) {
  static constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
      {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&nbsp;", "\xC2\xA0"}};
  for (const auto& [name, text] : kNamed)
    if (entity == name) return std::string(text);
  if (!entity.starts_with("&#") || entity.size() < 4) return std::string(entity);
  const bool hex = entity[2] == 'x' || entity[2] == 'X';
  const char *first = entity.data() + (hex ? 3 : 2), *last = entity.data() + entity.size() - 1;
  uint32_t code = 0;
  const auto [end, error] = std::from_chars(first, last, code, hex ? 16 : 10);
  return error == std::errc() && end == last ? utf8_of(code) : std::string(kReplacement);
}

class Builder {
 public:
  Builder(const Prepared& source, int first_line) : source_(source), first_line_(first_line) {
    for (size_t at = 0; at < source.text.size(); ++at)
      if (source.text[at] == '\n') line_ends_.push_back(at);
  }

  void enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_QUOTE: containers_.push_back({.quote = true}); break;
      case MD_BLOCK_UL: containers_.push_back({}); break;
      case MD_BLOCK_OL:
        containers_.push_back({.next = int(std::min(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start, 999'999'999u))});
        break;
      case MD_BLOCK_LI:
        containers_.back().fresh = true;
        containers_.back().ordinal = containers_.back().next < 0 ? 0 : containers_.back().next++;
        break;
      case MD_BLOCK_H:
        begin(Block::Kind::Heading);
        out_.back().level = int(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
        return;
      case MD_BLOCK_CODE: {
        begin(Block::Kind::Code);
        const auto& code = *static_cast<MD_BLOCK_CODE_DETAIL*>(detail);
        out_.back().language = attribute(code.lang);
        fenced_ = code.fence_char != 0;
        return;
      }
      case MD_BLOCK_TABLE: begin(Block::Kind::Table); return;
      case MD_BLOCK_TR: out_.back().rows.emplace_back(); return;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD: out_.back().rows.back().emplace_back(); return;
      case MD_BLOCK_THEAD:
      case MD_BLOCK_TBODY: return;
      default: break;
    }
    open_ = false;
  }

  void leave(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_QUOTE:
      case MD_BLOCK_UL:
      case MD_BLOCK_OL: containers_.pop_back(); break;
      case MD_BLOCK_THEAD:
      case MD_BLOCK_TBODY:
      case MD_BLOCK_TR:
      case MD_BLOCK_TH:
      case MD_BLOCK_TD: return;
      default: break;
    }
    open_ = false;
  }

  void enter(MD_SPANTYPE type, void* detail) {
    if (type == MD_SPAN_STRONG) ++strong_;
    if (type == MD_SPAN_EM) ++emphasis_;
    if (type == MD_SPAN_A) targets_.push_back(attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href));
  }

  void leave(MD_SPANTYPE type) {
    if (type == MD_SPAN_STRONG) --strong_;
    if (type == MD_SPAN_EM) --emphasis_;
    if (type == MD_SPAN_A) targets_.pop_back();
  }

  void text(MD_TEXTTYPE type, std::string_view text) {
    if (!open_) begin(Block::Kind::Paragraph);
    Block& block = out_.back();
    if (block.line == 0) block.line = line_of(text.data());
    if (block.kind == Block::Kind::Code) {
      if (block.code.empty() && fenced_) block.line -= 1;  // the fence
      block.code += type == MD_TEXT_NULLCHAR ? std::string(kReplacement) : restored(text);
      return;
    }
    switch (type) {
      case MD_TEXT_NULLCHAR: return add(Span::Kind::Text, kReplacement);
      case MD_TEXT_BR: return add(Span::Kind::Break, {});
      case MD_TEXT_SOFTBR: return add(Span::Kind::Text, " ");
      case MD_TEXT_ENTITY: return add(Span::Kind::Text, entity_text(text));
      case MD_TEXT_CODE: return add(Span::Kind::Code, restored(text));
      default: return add_with_quantities(text);
    }
  }

  Prose take() {
    int line = first_line_;
    for (Block& block : out_) line = block.line = std::max(block.line, line);  // a block without text of its own
    return std::move(out_);
  }

 private:
  struct Container {
    bool quote = false;
    int next = -1;       // ordinal of the list's next item; below 0: bullets
    int ordinal = 0;     // of the item that is open
    bool fresh = false;  // nothing of that item has been written yet
  };

  void begin(Block::Kind kind) {
    Block block;
    block.kind = kind;
    if (kind == Block::Kind::Paragraph && !containers_.empty()) {
      Container& inner = containers_.back();
      const auto lists = std::ranges::count(containers_, false, &Container::quote);
      if (inner.quote) {
        block.kind = Block::Kind::Quote;
      } else if (inner.fresh) {
        block.kind = Block::Kind::Item;
        block.level = int(lists) - 1;
        block.ordinal = inner.ordinal;
        inner.fresh = false;
      }
    }
    out_.push_back(std::move(block));
    open_ = true;
    window_ = false;
  }

  std::vector<Span>& spans() {
    Block& block = out_.back();
    const bool cell = block.kind == Block::Kind::Table && !block.rows.empty() && !block.rows.back().empty();
    return cell ? block.rows.back().back() : block.spans;
  }

  void add(Span::Kind kind, std::string_view text, std::string_view format = {}) {
    Span span{kind,        std::string(text), std::string(format),
              strong_ > 0, emphasis_ > 0,     targets_.empty() ? "" : targets_.back(),
              window_};
    std::vector<Span>& into = spans();
    if (!into.empty() && (kind == Span::Kind::Text || kind == Span::Kind::Code)) {
      Span& last = into.back();
      if (last.kind == kind && last.strong == span.strong && last.emphasis == span.emphasis &&
          last.window == span.window && last.target == span.target) {
        last.text += span.text;
        return;
      }
    }
    into.push_back(std::move(span));
  }

  // Calls `plain` and `quantity` for the pieces of a text in which quantities are numbers.
  template <class Plain, class Quantity>
  void pieces(std::string_view text, Plain plain, Quantity quantity) const {
    while (!text.empty()) {
      const size_t open = std::min(text.find(kOpen), text.size());
      if (open) plain(text.substr(0, open));
      text.remove_prefix(open);
      const size_t close = text.find(kClose);
      if (close == std::string_view::npos) return;  // text is empty: every number is whole
      const size_t index = number_or(text.substr(kOpen.size()), size_t{0});
      if (index < source_.quantities.size()) quantity(source_.quantities[index]);
      text.remove_prefix(close + kClose.size());
    }
  }

  void add_with_quantities(std::string_view text) {
    pieces(
        text, [&](std::string_view plain) { add_plain(plain); },
        [&](std::string_view inside) {
          const size_t bar = inside.rfind('|');
          add(Span::Kind::Quantity, trimmed(inside.substr(0, bar)),
              bar == std::string_view::npos ? "" : trimmed(inside.substr(bar + 1)));
        });
  }

  // Text without the marks of the window's own, which open and close here.
  void add_plain(std::string_view text) {
    while (!text.empty()) {
      const size_t mark = std::min({text.find(kWindow), text.find(kWindowEnd), text.size()});
      if (mark) add(Span::Kind::Text, text.substr(0, mark));
      text.remove_prefix(mark);
      if (text.empty()) return;
      window_ = text.starts_with(kWindow);
      text.remove_prefix(kWindow.size());
    }
  }

  // As it was written, marks and all: code is left alone.
  std::string restored(std::string_view text) const {
    std::string out;
    pieces(
        text,
        [&](std::string_view plain) {
          for (size_t at = 0; at < plain.size(); ++at) {
            const std::string_view rest = plain.substr(at);
            const bool open = rest.starts_with(kWindow), close = rest.starts_with(kWindowEnd);
            if (open || close) out += open ? "[[" : "]]", at += kWindow.size() - 1;
            if (!open && !close) out += plain[at];
          }
        },
        [&](std::string_view inside) { out += fmt::format("{{{{{}}}}}", inside); });
    return out;
  }

  std::string attribute(const MD_ATTRIBUTE& attribute) const {
    std::string out;
    for (size_t k = 0; attribute.size && attribute.substr_offsets[k] < attribute.size; ++k) {
      const MD_OFFSET from = attribute.substr_offsets[k], to = attribute.substr_offsets[k + 1];
      const std::string_view part(attribute.text + from, to - from);
      const MD_TEXTTYPE type = attribute.substr_types[k];
      out += type == MD_TEXT_ENTITY     ? entity_text(part)
             : type == MD_TEXT_NULLCHAR ? std::string(kReplacement)
                                        : restored(part);
    }
    return out;
  }

  // 0 for text that md4c made itself.
  int line_of(const char* at) const {
    const char* begin = source_.text.data();
    if (std::less<>()(at, begin) || !std::less<>()(at, begin + source_.text.size())) return 0;
    return first_line_ + int(std::ranges::lower_bound(line_ends_, size_t(at - begin)) - line_ends_.begin());
  }

  const Prepared& source_;
  int first_line_;
  std::vector<size_t> line_ends_;
  Prose out_;
  std::vector<Container> containers_;
  std::vector<std::string> targets_;
  int strong_ = 0, emphasis_ = 0;
  bool window_ = false;  // between [[ and ]]
  bool open_ = false;    // the last block takes text
  bool fenced_ = false;  // of the code block
};

Builder& builder(void* data) { return *static_cast<Builder*>(data); }

}  // namespace

Prose read_prose(std::string_view markdown, int first_line) {
  const Prepared source = prepare(markdown.substr(0, std::numeric_limits<int32_t>::max() / 4));
  Builder into(source, first_line);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) { return builder(data).enter(type, detail), 0; };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* data) { return builder(data).leave(type), 0; };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* data) { return builder(data).enter(type, detail), 0; };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* data) { return builder(data).leave(type), 0; };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
    return builder(data).text(type, {text, size}), 0;
  };
  md_parse(source.text.data(), MD_SIZE(source.text.size()), &parser, &into);
  return into.take();
}

int64_t count_words(const Prose& prose) {
  int64_t words = 0;
  const auto count = [&](const std::vector<Span>& spans) {
    std::string line;  // pieces of one word may be in several spans
    for (const Span& span : spans)
      line += span.kind == Span::Kind::Quantity ? "0" : span.kind == Span::Kind::Break ? " " : span.text;
    bool inside = false;
    for (const char c : line) {
      const bool space = c == ' ' || c == '\t' || c == '\n';
      const bool sign = !space && (uint8_t(c) < 0x80) && !isalnum(uint8_t(c));
      if (space)
        inside = false;
      else if (!inside && !sign)
        inside = true, ++words;
    }
  };
  for (const Block& block : prose) {
    count(block.spans);
    for (const auto& row : block.rows)
      for (const auto& cell : row) count(cell);
  }
  return words;
}

int count_sentences(const Prose& prose) {
  int count = 0;
  for (const Block& block : prose) {
    std::string text;
    for (const Span& span : block.spans) text += span.kind == Span::Kind::Text ? span.text : "x";
    for (size_t k = 0; k < text.size(); ++k)
      count +=
          (text[k] == '.' || text[k] == '?') && (k + 1 == text.size() || text[k + 1] == ' ' || text[k + 1] == '\n');
  }
  return count;
}

}  // namespace tilewalk
