#include "app/panels/prose_text.h"

#include "app/panels/widgets.h"
#include "app/text/bound.h"
#include "app/text/text.h"
#include "core/machine/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <numeric>

namespace tilewalk {
namespace {

// How a run of text looks, and what pointing at it says.
struct Run {
  Face face = Face::Sans;
  float size = 0;
  Color color;
  bool code = false, underline = false;
  std::string id, tip;
};

// A piece that is never broken; `glued` to the one before: no space between.
struct Atom {
  std::string text;
  int run;
  bool glued;
  float width;
};

struct Fragment {
  std::string text;
  int run;
  float x, width;
};

std::optional<Tensor> tensor_of_link(std::string_view target) {
  if (!target.starts_with("tile:")) return std::nullopt;
  const std::string_view name = target.substr(5, target.find('/', 5) - 5);
  for (const Tensor t : {Tensor::Q, Tensor::K, Tensor::V, Tensor::S, Tensor::P, Tensor::O})
    if (symbol_of(t) == name) return t;
  return std::nullopt;
}

// The longest beginning of the text that is narrower than `width`, at least one character.
size_t fitting(std::string_view text, const Run& run, float width) {
  size_t at = 0;
  while (at < text.size()) {
    size_t next = at + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
    if (at > 0 && text_width(text.substr(0, next), run.face, run.size) > width) break;
    at = next;
  }
  return at;
}

class Inline {
 public:
  Inline(const ProsePage& page, const ProseLook& look, float indent) : page_(page), look_(look), indent_(indent) {}

  void take(std::span<const Span> spans) {
    for (const Span& span : spans) take(span);
    finish_line();
  }

  // Left of the first line: a list item's bullet or number.
  void mark(const std::string& text, float x) {
    if (lines_.empty()) return;
    runs_.push_back({Face::Sans, look_.size, look_.color, false, false, {}, {}});
    lines_.front().push_back({text, int(runs_.size()) - 1, x, text_width(text, Face::Sans, look_.size)});
  }

  size_t lines() const { return lines_.size() + size_t(cut_); }  // a word that is cut counts as one more

  void put(Flow& flow) {
    auto runs = std::make_shared<const std::vector<Run>>(std::move(runs_));
    for (std::vector<Fragment>& line : lines_)
      flow.add(look_.pitch, [&scene = page_.scene, &style = page_.style, hover = page_.view.hover, runs,
                             line = std::move(line)](Rect r) { draw(scene, style, hover, *runs, line, r); });
  }

 private:
  void take(const Span& span) {
    if (span.kind == Span::Kind::Break) return finish_line();
    const bool bold = span.strong || span.emphasis || look_.strong;
    Run run{bold ? Face::SansBold : Face::Sans, look_.size, look_.color, false, false, {}, {}};
    std::string text = span.text;
    if (span.kind == Span::Kind::Code) {
      run.face = span.strong || look_.strong ? Face::MonoBold : Face::Mono;
      run.size = std::max(page_.style.small(), look_.size * 0.9f);
      run.code = true;
    }
    if (span.kind == Span::Kind::Quantity) {
      const ProseWords::Shown shown = page_.words.quantity(span);
      text = shown.text;
      run.face = Face::SansBold;
      if (shown.fault) run.color = page_.style[Role::WrongText];
      run.id = fmt::format("quantity:{}|{}", span.text, span.format);
      run.tip = shown.tip;
    }
    if (!span.target.empty()) {
      run.underline = look_.links;
      run.id = "link:" + span.target;
      run.tip = page_.words.link_tip(span.target);
      if (const auto tensor = tensor_of_link(span.target))
        run.color = page_.style.palette.ink(*tensor);
      else if (!span.target.starts_with("term:"))
        run.color = page_.style[Role::AccentText];
    }
    runs_.push_back(std::move(run));
    const int index = int(runs_.size()) - 1;
    if (span.kind == Span::Kind::Quantity) return atom(std::move(text), index);
    // Room for what may be set close to it: "(" or ".".
    const float room = look_.width - indent_ - look_.size;
    text =
        loosen(span.kind == Span::Kind::Code ? bind_all(text) : powers_bound(bind_formulas(std::move(text))),
               [&](std::string_view word) { return text_width(word, runs_.back().face, runs_.back().size) <= room; });
    for (size_t at = 0; at < text.size();) {
      if (text[at] == ' ' || text[at] == '\n') {
        space_ = true;
        ++at;
        continue;
      }
      const size_t end = std::min(text.find_first_of(" \n", at), text.size());
      word(text.substr(at, end - at), index);
      at = end;
    }
  }

  // "e^(2 − 4)" stays on one line, too; its numbers may be spans of their own.
  std::string powers_bound(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size(); ++at) {
      if (text.substr(at).starts_with("^(")) power_ = true;
      if (text[at] == ')') power_ = false;
      out += power_ && text[at] == ' ' ? std::string_view("\u00A0") : text.substr(at, 1);
    }
    return out;
  }

  // "l", "l," and "l = 2" begin with a letter of the papers, wherever they stand in what is bound together.
  void word(std::string text, int run) {
    constexpr std::string_view kBound = "\u00A0";
    if (const size_t at = text.find(kBound, 1);
        look_.mono_l && at != std::string::npos && at + kBound.size() < text.size()) {
      word(text.substr(0, at), run);
      atom(std::string(kBound), run);
      return word(text.substr(at + kBound.size()), run);
    }
    const bool letter = look_.mono_l && text.front() == 'l' && !runs_[size_t(run)].code &&
                        (text.size() == 1 || !std::isalpha(static_cast<unsigned char>(text[1])));
    if (!letter) return atom(std::move(text), run);
    Run mono = runs_[size_t(run)];
    mono.face = mono.face == Face::SansBold ? Face::MonoBold : Face::Mono;
    runs_.push_back(std::move(mono));
    atom("l", int(runs_.size()) - 1);
    atom(text.substr(1), run);
  }

  // Adds what may not be broken to the word under way, or begins the next one.
  void atom(std::string text, int run) {
    if (text.empty()) return;
    const bool glued = !space_ && !(word_.empty() && x_ == 0);
    if (!glued) finish_word();
    space_ = false;
    const float width = text_width(text, runs_[size_t(run)].face, runs_[size_t(run)].size);
    word_.push_back({std::move(text), run, glued && !word_.empty(), width});
  }

  float space_width() const { return text_width(" ", Face::Sans, look_.size); }

  void finish_word() {
    if (word_.empty()) return;
    float width = 0;
    for (const Atom& a : word_) width += a.width;
    const float room = look_.width - indent_;
    if (x_ > 0 && x_ + space_width() + width > room) break_line();
    bool first = true;
    for (Atom& a : word_) {
      const bool spaced = first && x_ > 0;
      first = false;
      // A word wider than the column is cut where it must be.
      while (x_ + (spaced ? space_width() : 0) + a.width > room && a.width > room) {
        if (x_ > 0) break_line();
        const size_t cut = fitting(a.text, runs_[size_t(a.run)], room);
        if (cut >= a.text.size()) break;
        cut_ = true;
        append(a.text.substr(0, cut), a.run, false);
        break_line();
        a.text.erase(0, cut);
        a.width = text_width(a.text, runs_[size_t(a.run)].face, runs_[size_t(a.run)].size);
      }
      append(a.text, a.run, spaced && x_ > 0);
    }
    word_.clear();
  }

  // One fragment for neighbours of one run, so that they are set, pointed at and underlined as one.
  void append(const std::string& bound, int run, bool spaced) {
    const std::string text = unbound(bound);
    const Run& r = runs_[size_t(run)];
    if (!line_.empty() && line_.back().run == run) {
      Fragment& last = line_.back();
      last.text += (spaced ? " " : "") + text;
      last.width = text_width(last.text, r.face, r.size);
      x_ = last.x - indent_ + last.width;
      return;
    }
    if (spaced) x_ += space_width();
    const float width = text_width(text, r.face, r.size);
    line_.push_back({text, run, indent_ + x_, width});
    x_ += width;
  }

  void break_line() {
    lines_.push_back(std::move(line_));
    line_.clear();
    x_ = 0;
  }
  void finish_line() {
    finish_word();
    if (!line_.empty()) break_line();
    space_ = false;
  }

  static void draw(Scene& scene, const Style& style, const std::string& hover, const std::vector<Run>& runs,
                   const std::vector<Fragment>& line, Rect r) {
    for (const Fragment& f : line) {
      const Run& run = runs[size_t(f.run)];
      const Rect slot{r.x + f.x, r.y, f.width + style.px(1), r.h};
      const bool hot = !run.id.empty() && hover == run.id;
      // What leads to another lesson has a ground of its own: the other words only light something up.
      if (run.code || hot || (run.underline && run.id.starts_with("link:lesson:")))
        scene.box({slot.x - style.px(2), r.y + r.h * 0.1f, f.width + style.px(4), r.h * 0.8f}, style.px(4),
                  style[Role::SurfaceStrong]);
      scene.label(slot, f.text, run.face, run.size, run.color);
      if (run.underline) {
        const float y = std::round(r.center().y + run.size * 0.46f);
        scene.line({slot.x, y}, {slot.x + f.width, y}, run.color, style.px(hot ? 2 : 1.2f),
                   run.id.starts_with("link:term:") ? style.px(2.5f) : 0);
      }
      if (run.id.empty()) continue;
      // Wide enough to be found by a finger, however short the word.
      const float w = std::max(f.width, run.underline ? style.px(24) : 0), h = std::max(r.h, style.px(24));
      scene.region({slot.x - (w - f.width) / 2, r.center().y - h / 2, w, h}, run.id, run.tip, run.underline,
                   style.px(4));
    }
  }

  const ProsePage& page_;
  const ProseLook& look_;
  float indent_, x_ = 0;
  bool space_ = false, cut_ = false, power_ = false;
  std::vector<Run> runs_;
  std::vector<Atom> word_;
  std::vector<Fragment> line_;
  std::vector<std::vector<Fragment>> lines_;
};

// The least width at which it has as many lines.
float width_balanced(const ProsePage& page, std::span<const Span> spans, ProseLook look, float indent) {
  const auto lines_at = [&](float width) {
    look.width = width;
    Inline line(page, look, indent);
    line.take(spans);
    return line.lines();
  };
  float wide = look.width;
  const size_t lines = lines_at(wide);
  for (float less = wide / 4; lines > 1 && less > 1; less /= 2)
    if (lines_at(wide - less) == lines) wide -= less;
  return wide;
}

void set_item(Flow& flow, const ProsePage& page, const Block& block, const ProseLook& look) {
  const float indent = look.size * (1.3f + 1.2f * float(block.level));
  const float mark_x = look.size * 1.2f * float(block.level);
  const std::string mark = block.ordinal > 0 ? fmt::format("{}.", block.ordinal) : "•";
  Inline line(page, look, indent);
  line.take(block.spans);
  line.mark(mark, mark_x);
  line.put(flow);
}

void set_code(Flow& flow, const ProsePage& page, const Block& block, const ProseLook& look, int index) {
  const Style& style = page.style;
  const float size = style.small(), pitch = size * 1.45f, pad = style.px(12), head = style.px(30);
  const Run run{Face::Mono, size, look.color, false, false, {}, {}};
  const float top = flow.height();
  flow.add(head, [&scene = page.scene, &style, &view = page.view,
                  language = block.language == "text" ? std::string() : block.language, index, pad](Rect r) {
    scene.label({r.x + pad, r.y, r.w * 0.5f, r.h}, language, Face::Sans, style.small(), style[Role::TextSecondary]);
    const float w = text_width("Copy", Face::Sans, style.small()) + style.px(20);
    text_button(scene, view, style, {r.right() - w - style.px(4), r.y + style.px(3), w, r.h - style.px(4)}, "Copy",
                fmt::format("copy:{}", index), "Copies these lines", Look::Plain, Face::Sans, style.small());
  });
  std::string_view rest = block.code;
  while (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
  while (true) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string line(rest.substr(0, end));
    // A line that is too long goes on below, further in.
    for (float indent = 0;; indent = size * 1.2f) {
      const float room = look.width - 2 * pad - indent;
      const bool fits = text_width(line, Face::Mono, size) <= room;
      const size_t cut = fits ? line.size() : fitting(line, run, room);
      flow.add(pitch, [&scene = page.scene, &style, part = line.substr(0, cut), indent, pad, size, look](Rect r) {
        if (!part.empty())
          scene.label({r.x + pad + indent, r.y, r.w - 2 * pad - indent + style.px(1), r.h}, part, Face::Mono, size,
                      look.color);
      });
      line.erase(0, cut);
      if (line.empty()) break;
    }
    if (end >= rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  flow.space(style.px(8));
  flow.ground(top, [&scene = page.scene, &style](Rect r) { scene.box(r, style.r_medium(), style[Role::Surface]); });
}

// Cells take the width of their words as far as there is room; then they wrap.
void set_table(Flow& flow, const ProsePage& page, const Block& block, const ProseLook& look) {
  size_t columns = 0;
  for (const auto& row : block.rows) columns = std::max(columns, row.size());
  if (columns == 0) return;
  const Style& style = page.style;
  const float gap = style.px(14), size = std::max(style.small(), look.size * 0.9f),
              room = look.width - gap * float(columns - 1);
  const auto words_of = [&](const std::vector<Span>& cell) {
    std::string out;
    for (const Span& span : cell) out += span.kind == Span::Kind::Quantity ? page.words.quantity(span).text : span.text;
    return out;
  };
  std::vector<float> widths(columns, style.px(24));
  for (const auto& row : block.rows)
    for (size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], text_width(words_of(row[c]), Face::SansBold, size) + style.px(2));
  const float all = std::accumulate(widths.begin(), widths.end(), 0.0f);
  if (all > room) {
    // Narrow columns keep their width; the wide ones share what is left.
    const float even = room / float(columns);
    float wide = 0, left = room;
    for (float w : widths) (w <= even ? left -= w : wide += w);
    for (float& w : widths)
      if (w > even) w = left * w / wide;
  }
  for (size_t k = 0; k < block.rows.size(); ++k) {
    const bool head = k == 0;
    auto cells = std::make_shared<std::vector<std::pair<float, Flow>>>();
    float x = 0, height = 0;
    for (size_t c = 0; c < block.rows[k].size(); ++c) {
      const ProseLook cell{widths[c], size, size * 1.35f, head ? style[Role::TextSecondary] : look.color, head};
      Flow one;
      set_spans(one, page, block.rows[k][c], cell);
      height = std::max(height, one.height());
      cells->emplace_back(x, std::move(one));
      x += widths[c] + gap;
    }
    flow.add(height + style.px(10), [&scene = page.scene, &style, cells, widths, head](Rect r) {
      for (size_t c = 0; c < cells->size(); ++c) {
        const auto& [at, one] = (*cells)[c];
        one.draw({r.x + at, r.y + style.px(4), widths[c], one.height() + 1}, widths[c], 0);
      }
      scene.line({r.x, r.bottom() - style.px(1)}, {r.right(), r.bottom() - style.px(1)},
                 style[head ? Role::Text : Role::Line], style.px(head ? 1.5f : 1));
    });
  }
}

}  // namespace

void set_spans(Flow& flow, const ProsePage& page, std::span<const Span> spans, const ProseLook& wanted, float indent) {
  ProseLook look = wanted;
  if (wanted.balanced) look.width = width_balanced(page, spans, wanted, indent);
  Inline line(page, look, indent);
  line.take(spans);
  line.put(flow);
}

void set_prose(Flow& flow, const ProsePage& page, std::span<const Block> prose, const ProseLook& look, int codes) {
  for (size_t k = 0; k < prose.size(); ++k) {
    const Block& block = prose[k];
    const bool list = block.kind == Block::Kind::Item && k > 0 && prose[k - 1].kind == Block::Kind::Item;
    if (k > 0) flow.space(list ? look.size * 0.25f : look.size * 0.7f);
    switch (block.kind) {
      case Block::Kind::Paragraph: set_spans(flow, page, block.spans, look); break;
      case Block::Kind::Heading: {
        ProseLook heading = look;
        heading.strong = true;
        set_spans(flow, page, block.spans, heading);
        break;
      }
      case Block::Kind::Item: set_item(flow, page, block, look); break;
      case Block::Kind::Quote: {
        const float top = flow.height(), indent = look.size * 0.9f;
        set_spans(flow, page, block.spans, look, indent);
        flow.ground(top, [&scene = page.scene, &style = page.style](Rect r) {
          scene.box({r.x, r.y, style.px(4), r.h}, style.px(2), style[Role::Accent]);
        });
        break;
      }
      case Block::Kind::Code: set_code(flow, page, block, look, codes++); break;
      case Block::Kind::Table: set_table(flow, page, block, look); break;
    }
  }
}

}  // namespace tilewalk
