#include "app/export/page_prose.h"

#include "app/scene/svg_painter.h"
#include "app/text/fonts.h"
#include "app/session/region_id.h"
#include "core/lesson/glossary.h"
#include "core/machine/step.h"

#include <fmt/format.h>

#include <vector>

namespace tilewalk {
namespace {

// A word that is explained on the page: its anchor, its name and its meaning. Nothing where nobody explains it.
struct Explained {
  std::string anchor, name, meaning;
};
std::optional<Explained> explained(std::string_view target) {
  if (kind_of(target) == "term")
    if (const Term* term = term_named(rest_of(target))) return Explained{"term-" + term->id, term->name, term->meaning};
  if (kind_of(target) == "step")
    if (const auto step = step_named(rest_of(target))) {
      const StepInfo& info = info_of(*step);
      return Explained{fmt::format("step-{}", info.name), fmt::format("{}: {}", info.name, info.formula),
                       std::string(info.meaning)};
    }
  return std::nullopt;
}

// Where a link leads from a page; empty where only the program can light it up.
std::string address_of(std::string_view target, WordsUsed& used) {
  if (const auto word = explained(target)) {
    used.emplace(target);
    return "#" + word->anchor;
  }
  if (target.starts_with("https://") || target.starts_with("http://")) return std::string(target);
  if (kind_of(target) == "lesson") return fmt::format("tilewalk://lesson/{}", rest_of(target));
  return {};
}

std::string span_html(const Span& span, const ProseWords& words, WordsUsed& used) {
  std::string out;
  switch (span.kind) {
    case Span::Kind::Text: out = xml_escape(as_drawn(span.text)); break;
    case Span::Kind::Code: out = fmt::format("<code>{}</code>", xml_escape(span.text)); break;
    case Span::Kind::Break: return "<br />";
    case Span::Kind::Quantity: {
      const ProseWords::Shown shown = words.quantity(span);
      out = fmt::format("<span class=\"number\" title=\"{}\">{}</span>", xml_escape(shown.tip), xml_escape(shown.text));
      break;
    }
  }
  if (span.strong) out = fmt::format("<strong>{}</strong>", out);
  if (span.emphasis) out = fmt::format("<em>{}</em>", out);
  if (const std::string address = span.target.empty() ? "" : address_of(span.target, used); !address.empty())
    out = fmt::format("<a href=\"{}\">{}</a>", xml_escape(address), out);
  return out;
}

// Lists that are open, innermost last; an item stays open until the next one, as it may hold a list.
class Lists {
 public:
  explicit Lists(std::string& out) : out_(out) {}
  void item(const Block& block, const std::string& text) {
    const auto depth = size_t(block.level) + 1;
    while (open_.size() > depth) close();
    if (open_.size() == depth) out_ += "</li>\n";
    while (open_.size() < depth) {
      open_.push_back(block.ordinal > 0 ? "ol" : "ul");
      out_ += fmt::format("<{}>\n{}", open_.back(), open_.size() < depth ? "<li>" : "");
    }
    out_ += "<li>" + text;
  }
  void end() {
    while (!open_.empty()) close();
  }

 private:
  void close() {
    out_ += fmt::format("</li>\n</{}>\n", open_.back());
    open_.pop_back();
  }
  std::string& out_;
  std::vector<std::string> open_;
};

}  // namespace

std::string page_spans(std::span<const Span> spans, const ProseWords& words, WordsUsed& used) {
  std::string out;
  for (const Span& span : spans) out += span_html(span, words, used);
  return out;
}

std::string page_prose(std::span<const Block> prose, const ProseWords& words, int heading, WordsUsed& used) {
  std::string out;
  Lists lists(out);
  for (const Block& block : prose) {
    if (block.kind == Block::Kind::Item) {
      lists.item(block, page_spans(block.spans, words, used));
      continue;
    }
    lists.end();
    const std::string text = page_spans(block.spans, words, used);
    switch (block.kind) {
      case Block::Kind::Heading: out += fmt::format("<h{}>{}</h{}>\n", heading, text, heading); break;
      case Block::Kind::Code: out += fmt::format("<pre><code>{}</code></pre>\n", xml_escape(block.code)); break;
      case Block::Kind::Quote: out += fmt::format("<blockquote><p>{}</p></blockquote>\n", text); break;
      case Block::Kind::Table:
        out += "<table>\n";
        for (size_t r = 0; r < block.rows.size(); ++r) {
          const std::string_view cell = r == 0 ? "th" : "td";
          out += "<tr>";
          for (const auto& spans : block.rows[r])
            out += fmt::format("<{}>{}</{}>", cell, page_spans(spans, words, used), cell);
          out += "</tr>\n";
        }
        out += "</table>\n";
        break;
      default: out += fmt::format("<p>{}</p>\n", text);
    }
  }
  lists.end();
  return out;
}

std::string page_words(const WordsUsed& used) {
  std::string out;
  std::set<std::string> told;
  for (const std::string& target : used)
    if (const auto word = explained(target); word && told.insert(word->anchor).second)
      out += fmt::format("<dt id=\"{}\"><dfn>{}</dfn></dt>\n<dd>{}</dd>\n", xml_escape(word->anchor),
                         xml_escape(word->name), xml_escape(word->meaning));
  return out.empty() ? out : "<dl>\n" + out + "</dl>\n";
}

}  // namespace tilewalk
