#include "app/scene/svg_painter.h"

#include "app/scene/image_file.h"
#include "app/scene/shape.h"
#include "app/text/fonts.h"
#include "app/text/text.h"
#include "app/text/utf8.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace tilewalk {

namespace {

// A label that fills more of its slot than this is pinned to its measured width, in case the reader lacks the font.
constexpr float snug = 0.85f;

constexpr int kWidestImage = 1920;  // pixels of an image that the file carries

std::string_view family(FontId font) {
  switch (font) {
    case FontId::Sans:
    case FontId::SansBold: return "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
    case FontId::Mono:
    case FontId::MonoBold: return "'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    default: return "'DejaVu Sans', sans-serif";
  }
}

std::string_view weight(Face face) { return face == Face::SansBold ? "600" : face == Face::MonoBold ? "700" : "400"; }

// Programming fonts draw "->" or "4x8" as one shape where a renderer lets them; the screen does not.
bool joins(char32_t a, char32_t b) {
  constexpr std::u32string_view operators = U"-<>=!:+*/|&~.#?_\\^%@$;";
  const bool digit = a >= U'0' && a <= U'9';
  if (digit && (b == U'x' || b == U':')) return true;
  return operators.find(a) != operators.npos && operators.find(b) != operators.npos;
}

class Writer {
 public:
  std::string text;

  Writer& operator<<(std::string_view s) {
    text += s;
    return *this;
  }
  Writer& operator<<(float value) {
    long long hundredths = std::isfinite(value) ? std::llround(static_cast<double>(value) * 100) : 0;
    if (hundredths < 0) text += '-', hundredths = -hundredths;
    append(hundredths / 100);
    const auto rest = static_cast<int>(hundredths % 100);
    if (rest == 0) return *this;
    text += '.';
    text += static_cast<char>('0' + rest / 10);
    if (rest % 10) text += static_cast<char>('0' + rest % 10);
    return *this;
  }
  Writer& attribute(std::string_view name, float value) { return *this << " " << name << "=\"" << value << "\""; }
  Writer& attribute(std::string_view name, std::string_view value) {
    return *this << " " << name << "=\"" << value << "\"";
  }
  Writer& paint(std::string_view name, Color c) {
    if (c.a == 0) return attribute(name, "none");
    constexpr char digits[] = "0123456789abcdef";
    std::string hex = "#";
    for (const uint8_t channel : {c.r, c.g, c.b}) hex += digits[channel >> 4], hex += digits[channel & 15];
    attribute(name, hex);
    if (c.a != 255) attribute(std::string(name) + "-opacity", static_cast<float>(c.a) / 255);
    return *this;
  }
  Writer& rect(const RoundedRect& s) {
    *this << "<rect";
    attribute("x", s.rect.x).attribute("y", s.rect.y).attribute("width", std::max(0.0f, s.rect.w));
    attribute("height", std::max(0.0f, s.rect.h));
    if (s.radius > 0) attribute("rx", s.radius);
    return *this;
  }
  Writer& dashes(float dash) {
    if (!(dash > 0)) return *this;
    // More decimals than elsewhere: an error here adds up along the line.
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), dash, std::chars_format::fixed, 4).ptr;
    return attribute("stroke-dasharray", std::string_view(buffer.data(), end));
  }

 private:
  void append(long long whole) {
    std::array<char, 24> buffer;
    text.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), whole).ptr);
  }
};

class SvgPainter {
 public:
  explicit SvgPainter(Writer& out) : out_(out) {}

  void operator()(const Box& box) {
    const bool filled = box.fill.a > 0, stroked = box.stroke.a > 0 && box.stroke_width > 0;
    const RoundedRect path = stroke_path(box);
    // An opaque solid stroke hides the edge of the fill, so that one element serves.
    const bool together = filled && stroked && box.stroke.a == 255 && !(box.dash > 0);
    if (filled && !together) out_.rect(rounded(box.rect, box.radius)).paint("fill", box.fill) << "/>\n";
    if (!stroked) return;
    out_.rect(path).paint("fill", together ? box.fill : Color{}).paint("stroke", box.stroke);
    out_.attribute("stroke-width", box.stroke_width).dashes(dash_of_loop(perimeter(path), box.dash)) << "/>\n";
  }

  void operator()(const Label& label) {
    if (label.text.empty() || label.color.a == 0 || !(label.size > 0)) return;
    if (open_ != label.face) {
      close();
      out_ << "<g";
      out_.attribute("font-family", family(static_cast<FontId>(label.face)))
          .attribute("font-weight", weight(label.face));
      out_ << ">\n";
      open_ = label.face;
    }
    const float x = label.align == Align::Left     ? label.slot.x
                    : label.align == Align::Center ? label.slot.x + label.slot.w / 2
                                                   : label.slot.right();
    out_ << "<text";
    out_.attribute("x", x).attribute("y", baseline_in(label.slot, label.face, label.size));
    out_.attribute("font-size", label.size).paint("fill", label.color);
    if (label.align == Align::Center) out_.attribute("text-anchor", "middle");
    if (label.align == Align::Right) out_.attribute("text-anchor", "end");
    const float width = text_width(label.text, label.face, label.size);
    if (width > snug * label.slot.w) {
      out_.attribute("textLength", width).attribute("lengthAdjust", "spacingAndGlyphs");
    }
    // A space at an end parts the words from those beside them. Chromium does not take it from the picture's xml:space.
    if (label.text.front() == ' ' || label.text.back() == ' ') out_.attribute("xml:space", "preserve");
    out_ << ">";
    runs(label);
    out_ << "</text>\n";
  }

  void operator()(const Line& given) {
    if (given.color.a == 0) return;
    const Line line = crisp(given);
    const ArrowHead head = line.arrow ? arrow_head(line) : ArrowHead{{}, {}, {}, line.to};
    if (line.width > 0) {
      const float length = std::hypot(head.line_end.x - line.from.x, head.line_end.y - line.from.y);
      out_ << "<line";
      out_.attribute("x1", line.from.x).attribute("y1", line.from.y);
      out_.attribute("x2", head.line_end.x).attribute("y2", head.line_end.y).paint("stroke", line.color);
      out_.attribute("stroke-width", line.width).dashes(dash_of_line(length, line.dash)) << "/>\n";
    }
    if (line.arrow) (*this)(Polygon{{head.tip, head.left, head.right}, line.color});
  }

  void operator()(const Polygon& polygon) {
    if (polygon.points.size() < 3 || polygon.fill.a == 0) return;
    out_ << "<polygon points=\"";
    for (size_t i = 0; i < polygon.points.size(); ++i) {
      out_ << (i ? " " : "") << polygon.points[i].x << "," << polygon.points[i].y;
    }
    out_ << "\"";
    out_.paint("fill", polygon.fill) << "/>\n";
  }

  void operator()(const Image& image) {
    if (!image.pixels || image.pixels->rgba.empty() || !(image.rect.w > 0) || !(image.rect.h > 0)) return;
    const Rect& r = image.rect;
    out_ << "<image";
    out_.attribute("x", r.x).attribute("y", r.y).attribute("width", r.w).attribute("height", r.h);
    out_ << " preserveAspectRatio=\"none\" href=\"" << image_data(*image.pixels, kWidestImage) << "\"/>\n";
  }

  void close() {
    if (open_) out_ << "</g>\n";
    open_.reset();
  }

 private:
  // The label's text, in pieces where the font changes or where two characters must not join.
  void runs(const Label& label) {
    const std::string drawn = as_drawn(label.text);
    const std::string_view text = drawn;
    const auto own = static_cast<FontId>(label.face);
    FontId font = own;
    char32_t previous = 0;
    bool in_span = false;
    size_t written = 0;
    for (size_t pos = 0; pos < text.size();) {
      const size_t start = pos;
      const char32_t code = next_code_point(text, pos);
      const FontId now = glyph_of(label.face, code).font;
      if (now != font || joins(previous, code)) {
        out_ << xml_escape(text.substr(written, start - written));
        written = start;
        if (in_span) out_ << "</tspan>";
        in_span = now != own || joins(previous, code);
        if (in_span) out_ << "<tspan";
        if (now != own) out_.attribute("font-family", family(now));
        if (in_span) out_ << ">";
      }
      font = now;
      previous = code;
    }
    out_ << xml_escape(text.substr(written));
    if (in_span) out_ << "</tspan>";
  }

  Writer& out_;
  std::optional<Face> open_;
};

}  // namespace

std::string xml_escape(std::string_view text) {
  std::string out;
  for (size_t pos = 0; pos < text.size();) {
    const size_t start = pos;
    const char32_t code = next_code_point(text, pos);
    switch (code) {
      case U'&': out += "&amp;"; break;
      case U'<': out += "&lt;"; break;
      case U'>': out += "&gt;"; break;
      case U'"': out += "&quot;"; break;
      case U'\'': out += "&#39;"; break;
      default: {
        // Controls, and what turns the order round in which a browser sets text.
        const bool forbidden = (code < 0x20 && code != U'\t' && code != U'\n') || (code >= 0x7F && code < 0xA0) ||
                               (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
                               code == 0xFFFE || code == 0xFFFF;
        out += forbidden || code == 0xFFFD ? "\uFFFD" : text.substr(start, pos - start);
      }
    }
  }
  return out;
}

std::string to_svg(const Scene& scene, const SvgOptions& options) {
  Writer out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  out.attribute("width", scene.size.x).attribute("height", scene.size.y);
  out << " viewBox=\"0 0 " << scene.size.x << " " << scene.size.y << "\" role=\"img\" xml:space=\"preserve\"";
  out << " style=\"font-variant-ligatures:none\">\n";
  if (!options.title.empty()) out << "<title>" << xml_escape(options.title) << "</title>\n";
  if (!options.description.empty()) out << "<desc>" << xml_escape(options.description) << "</desc>\n";
  if (scene.background.a > 0) {
    out.rect({{0, 0, scene.size.x, scene.size.y}, 0}).paint("fill", scene.background) << "/>\n";
  }
  SvgPainter painter(out);
  for (const Item& item : scene.items) std::visit(painter, item);
  painter.close();
  if (options.tips) {
    for (const Region& region : scene.regions) {
      out.rect({region.rect, 0}) << " fill=\"none\" pointer-events=\"all\"><title>" << xml_escape(region.tip)
                                 << "</title></rect>\n";
    }
  }
  out << "</svg>\n";
  return std::move(out.text);
}

}  // namespace tilewalk
