#include "app/text/bound.h"
#include "app/text/fonts.h"
#include "app/text/text.h"
#include "app/text/utf8.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tilewalk::test_text {

namespace {
constexpr Face faces[] = {Face::Sans, Face::SansBold, Face::Mono, Face::MonoBold};

std::string family_of(Face face, char32_t code) { return font_family(glyph_of(face, code).font); }
}  // namespace

TEST_CASE("UTF-8 is read code point by code point, and faults one byte at a time") {
  const auto read = [](std::string_view text) {
    std::u32string out;
    for (size_t pos = 0; pos < text.size();) out += next_code_point(text, pos);
    return out;
  };
  CHECK(read("aα√😀") == U"aα√😀");
  CHECK(read("a\xFFz") == U"a\uFFFDz");
  CHECK(read("\xE2\x88") == U"\uFFFD\uFFFD");            // cut short
  CHECK(read("\xC0\x80") == U"\uFFFD\uFFFD");            // overlong
  CHECK(read("\xED\xA0\x80") == U"\uFFFD\uFFFD\uFFFD");  // half a surrogate pair
}

TEST_CASE("Widths are proportional to size and numbers do not jump") {
  for (const Face face : faces) {
    CHECK(text_width("", face, 18) == 0);
    CHECK(text_width("Tiles 12.5", face, 36) == doctest::Approx(2 * text_width("Tiles 12.5", face, 18)));
  }
  CHECK(text_width("1.11", Face::Mono, 16) == text_width("8.40", Face::Mono, 16));
  CHECK(text_width("0", Face::Mono, 10) == doctest::Approx(6));
  CHECK(text_width("m", Face::Sans, 18) > text_width("i", Face::Sans, 18));
}

TEST_CASE("Inter is kerned") {
  const float apart = text_width("T", Face::Sans, 100) + text_width("o", Face::Sans, 100);
  CHECK(text_width("To", Face::Sans, 100) < apart - 3);
  CHECK(text_width("AV", Face::SansBold, 100) <
        text_width("A", Face::SansBold, 100) + text_width("V", Face::SansBold, 100) - 3);
  CHECK(text_width("To", Face::Mono, 100) == doctest::Approx(120));
  CHECK(kerning(glyph_of(Face::Sans, U'H'), glyph_of(Face::Sans, U'H')) == 0);
}

TEST_CASE("Measuring and placing agree") {
  const std::string text = "To AV: α ← 0.81 × Kⱼᵀ";
  for (const Face face : faces) {
    std::vector<PlacedGlyph> glyphs;
    const float advance = place_glyphs(text, face, glyphs);
    CHECK(glyphs.size() == 21);
    CHECK(advance * 20 == doctest::Approx(text_width(text, face, 20)));
    CHECK(glyphs.front().x == 0);
  }
}

TEST_CASE("Each glyph comes from the face, the other family, or DejaVu Sans") {
  CHECK(family_of(Face::Sans, U'α') == "Inter");
  CHECK(family_of(Face::Mono, U'α') == "JetBrains Mono");
  CHECK(family_of(Face::Sans, U'ℓ') == "Inter");
  CHECK(family_of(Face::Mono, U'ℓ') == "JetBrains Mono");
  CHECK(family_of(Face::Mono, U'ⱼ') == "Inter");
  CHECK(family_of(Face::Sans, U'✕') == "JetBrains Mono");
  CHECK(family_of(Face::Sans, U'ᵀ') == "DejaVu Sans");
  CHECK(glyph_of(Face::SansBold, U'ᵀ').font == FontId::FallbackBold);
}

TEST_CASE("Every glyph that the program writes is in the fonts") {
  const std::string_view used = "αβγδεθλμπσΣΔΩℓ←↑→↓↔ᵀ₀₁₂₃₄₅₆₇₈₉ᵢⱼ√∑∞≤≥≈≠×·−±÷–—…′◆◇▲▼■□✓✕○●?½¹²³⁻“”‘’«»⌈⌉∈";
  for (const Face face : faces) CHECK(missing_glyphs(used, face).empty());
  CHECK(missing_glyphs("a漢b漢\n", Face::Sans) == std::vector<char32_t>{U'漢', U'\n'});
}

TEST_CASE("Capitals stand in the middle of the slot, on a whole pixel") {
  for (const Face face : faces) {
    const FaceMetrics metrics = face_metrics(face);
    CHECK(metrics.ascent > metrics.cap_height);
    CHECK(metrics.cap_height > metrics.x_height);
    CHECK(metrics.x_height > 0.5f);
    CHECK(metrics.descent > 0.1f);
    const Rect slot{0, 100, 50, 40};
    const float baseline = baseline_in(slot, face, 20);
    CHECK(baseline == std::round(baseline));
    CHECK(std::abs((baseline - metrics.cap_height * 10) - 120) <= 0.5f);
  }
}

TEST_CASE("Ink lies where the letter is drawn") {
  const Glyph cap = glyph_of(Face::Sans, U'H');
  const Rect ink = glyph_ink(cap.font, cap.index);
  CHECK(-ink.y == doctest::Approx(face_metrics(Face::Sans).cap_height).epsilon(0.01));
  CHECK(ink.bottom() == doctest::Approx(0));
  CHECK(glyph_ink(FontId::Sans, glyph_of(Face::Sans, U' ').index).w == 0);

  const GlyphBitmap bitmap = rasterize(cap.font, cap.index, 100, 0);
  CHECK(bitmap.top == doctest::Approx(-ink.y * 100).epsilon(0.02));
  CHECK(bitmap.width == doctest::Approx(ink.w * 100).epsilon(0.04));
}

TEST_CASE("A number and its unit stay on one line") {
  const std::string text = "At a thousand tokens S takes 1.02 MiB, and it is read in 32 µs.";
  for (float width = 60; width < 600; width += 1)
    for (const std::string& line : wrap_text(text, Face::Sans, 18, width)) {
      CHECK_FALSE(line.ends_with("1.02"));
      CHECK_FALSE(line.ends_with("32"));
    }
  CHECK(bind_formulas("6 of 8 MB") == "6 of 8\u00A0MB");
  CHECK(bind_formulas("Br 8 Bounces") == "Br 8 Bounces");
}

TEST_CASE("A formula stays on one line where it fits, and breaks before = where it does not") {
  for (const std::string text :
       {"With O = (P V) and ℓ = 0 it goes on from here to there.", "Of (dP − D) there is one."})
    for (float width = 100; width < 600; width += 1)
      for (const std::string& line : wrap_text(text, Face::Sans, 18, width)) {
        CAPTURE(line);
        CHECK((line.find('(') == std::string::npos) == (line.find(')') == std::string::npos));
        CHECK_FALSE(line.ends_with("="));
        CHECK_FALSE(line.starts_with("="));
      }
  CHECK(wrap_text("aaaa = bbbb = cccc", Face::Sans, 18, text_width("aaaa = bbbb", Face::Sans, 18)) ==
        std::vector<std::string>{"aaaa = bbbb", "= cccc"});
  CHECK(bind_formulas("(a word or two)") == "(a word or two)");
  CHECK(bind_formulas("(lanes 1, 2)") == "(lanes 1, 2)");
}

TEST_CASE("Lines break at spaces and never grow past the width") {
  const std::string text = "Every earlier exponential was taken against the old max, so each must shrink.";
  for (const float width : {60.0f, 150.0f, 333.0f, 5000.0f}) {
    const auto lines = wrap_text(text, Face::Sans, 18, width);
    std::string joined;
    for (const auto& line : lines) {
      if (line.find(' ') != std::string::npos) CHECK(text_width(line, Face::Sans, 18) <= width);
      joined += (joined.empty() ? "" : " ") + line;
    }
    CHECK(joined == text);
  }
  CHECK(wrap_text(text, Face::Sans, 18, 5000).size() == 1);
  CHECK(wrap_text("exponential", Face::Sans, 18, 10) == std::vector<std::string>{"exponential"});
  CHECK(wrap_text("a\nb", Face::Sans, 18, 500) == std::vector<std::string>{"a", "b"});
  CHECK(wrap_text("  ", Face::Sans, 18, 500).empty());
}

TEST_CASE("Shortened text fits and is as long as it can be") {
  const std::string text = "Same math, new schedule: αβγδε";
  CHECK(ellipsize(text, Face::Sans, 18, 1000) == text);
  for (float width = 20; width < 260; width += 7) {
    const std::string cut = ellipsize(text, Face::Sans, 18, width);
    CHECK(text_width(cut, Face::Sans, 18) <= width);
    if (cut != text) CHECK(cut.ends_with("…"));
  }
  CHECK(ellipsize(text, Face::Sans, 18, 1) == "…");
}

TEST_CASE("The letter l alone is drawn as the papers write the running sum, and stays an l in words") {
  CHECK(as_drawn("m, l and o; l = 0, (l, o), o / l. αl, l₁, l'") == "m, ℓ and o; ℓ = 0, (ℓ, o), o / ℓ. αℓ, ℓ₁, ℓ'");
  for (const std::string_view word : {"all", "log2", "l2", "m_l", "l_i", "-l", "él", "lé", "l'été", "we'll"})
    CHECK(as_drawn(word) == word);
  std::vector<PlacedGlyph> glyphs;
  place_glyphs("l", Face::Sans, glyphs);
  CHECK(glyphs[0].glyph.index == glyph_of(Face::Sans, U'ℓ').index);
  for (const Face face : {Face::Sans, Face::SansBold, Face::Mono, Face::MonoBold}) {
    CHECK(text_width("l", face, 20) == doctest::Approx(text_width("ℓ", face, 20)));
    CHECK(missing_glyphs("l", face).empty());
  }
}

}  // namespace tilewalk::test_text
