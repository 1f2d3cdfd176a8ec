// Slides that are pages of a PDF: named by file and page, drawn by pdftoppm, and refused with a sentence.
#include "app/scene/image_file.h"
#include "app/session/pdf_page.h"
#include "app/session/set_list.h"
#include "app/session/slide_picture.h"

#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

namespace tilewalk::test_pdf_slides {

namespace {

// A page of 200 x 100 points for each colour, which covers it.
std::string pdf_of(const std::vector<std::string>& colours) {
  std::string out = "%PDF-1.4\n", kids;
  std::vector<size_t> places;
  const auto object = [&](const std::string& body) {
    places.push_back(out.size());
    out += fmt::format("{} 0 obj\n{}\nendobj\n", places.size(), body);
  };
  for (size_t k = 0; k < colours.size(); ++k) kids += fmt::format("{} 0 R ", 3 + 2 * k);
  object("<< /Type /Catalog /Pages 2 0 R >>");
  object(fmt::format("<< /Type /Pages /Kids [{}] /Count {} >>", kids, colours.size()));
  for (const std::string& colour : colours) {
    const std::string drawn = colour + " rg 0 0 200 100 re f";
    object(fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents {} 0 R >>", places.size() + 2));
    object(fmt::format("<< /Length {} >>\nstream\n{}\nendstream", drawn.size(), drawn));
  }
  const size_t table = out.size();
  out += fmt::format("xref\n0 {}\n0000000000 65535 f \n", places.size() + 1);
  for (const size_t place : places) out += fmt::format("{:010} 00000 n \n", place);
  return out + fmt::format("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n", places.size() + 1, table);
}

struct Deck {
  ScratchFolder folder;
  SetList set;
  std::vector<ShelvedPicture> shelf;
  Deck() {
    put(folder / "deck.pdf", pdf_of({"1 0 0", "0 0 1"}));
    put(folder / "words.pdf", "no PDF at all");
    set.file = folder / "talk.set";
  }
  SlidePicture of(const std::string& name) { return picture_of_slide("slide: " + name, set, shelf); }
};

std::array<int, 3> middle(const Pixels& p) {
  const uint8_t* at = p.rgba.data() + (size_t(p.height / 2) * size_t(p.width) + size_t(p.width / 2)) * 4;
  return {at[0], at[1], at[2]};
}

bool have_pdftoppm() { return std::system("pdftoppm -v >/dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("A slide's line names a page of a PDF, the first where none is named") {
  CHECK(pdf_place("deck.pdf").page == 1);
  CHECK(pdf_place("talks/deck.PDF#12").page == 12);
  CHECK(pdf_place("talks/deck.PDF#12").file == "talks/deck.PDF");
  CHECK(pdf_place("a.png").page == 0);
  CHECK(pdf_place(".pdf").page == 0);
  CHECK(pdf_place("about pdf#3").page == 0);
  for (const char* wrong : {"a.pdf#0", "a.pdf#-1", "a.pdf#x", "a.pdf#", "a.pdf#10000", "a.pdf#1 2"})
    CHECK(pdf_place(wrong).page == -1);
  const Slide slide = slide_of("slide: What we measured | deck.pdf#3");
  CHECK(slide.picture == "deck.pdf#3");
  CHECK(slide.title == "What we measured");
  CHECK(slide_of("slide: talks/deck.pdf#3").name() == "deck.pdf, page 3");
  CHECK(slide_of("slide: talks/setup.png").name() == "setup");
  const SetList list = read_set_list("slide: deck.pdf#0 # mine\nslide: deck.pdf#2 # [1 min] mine\n", "t.set");
  REQUIRE(list.faults.size() == 1);
  CHECK(faults_of(list)[0] ==
        "t.set line 1: \"deck.pdf#0\" names no page of a PDF: behind # stands a number from 1 on.");
  REQUIRE(list.items.size() == 1);
  CHECK(list.items[0].link == "slide: deck.pdf#2");
}

TEST_CASE("Pages are drawn as wide as the largest wall, each its own, and read once") {
  if (!have_pdftoppm()) {
    MESSAGE("skipped: pdftoppm is not installed");
    return;
  }
  Deck deck;
  const SlidePicture first = deck.of("deck.pdf"), second = deck.of("deck.pdf#2");
  REQUIRE_MESSAGE(first.pixels, first.fault);
  REQUIRE_MESSAGE(second.pixels, second.fault);
  CHECK(first.pixels->width == kImageWidth);
  CHECK(std::abs(first.pixels->height - kImageWidth / 2) <= 2);  // a pixel that is begun is one
  CHECK(middle(*first.pixels) == std::array{255, 0, 0});
  CHECK(middle(*second.pixels) == std::array{0, 0, 255});
  CHECK(deck.of("deck.pdf#2").pixels == second.pixels);
  CHECK(deck.of("deck.pdf#3").fault.find("deck.pdf has no page 3, or is no PDF") != std::string::npos);
  CHECK(deck.of("words.pdf").fault.find("words.pdf has no page 1, or is no PDF") != std::string::npos);
}

TEST_CASE("A page that was drawn ahead is there without being drawn when its stop comes") {
  if (!have_pdftoppm()) return;
  Deck deck;
  draw_slide_ahead("slide: deck.pdf#2", deck.set, deck.shelf);
  draw_slide_ahead("slide: gone.pdf", deck.set, deck.shelf);
  CHECK(deck.of("gone.pdf").fault.find("gone.pdf is not there.") != std::string::npos);  // the other one is begun
  REQUIRE(deck.of("deck.pdf#2").pixels);
  CHECK(middle(*deck.of("deck.pdf#2").pixels) == std::array{0, 0, 255});
}

TEST_CASE("A PDF that is not there, and pages where nothing draws them, are told") {
  Deck deck;
  CHECK(deck.of("gone.pdf").fault.find("gone.pdf is not there.") != std::string::npos);
  const char* path = std::getenv("PATH");
  const std::string before = path ? path : "";
  setenv("PATH", (deck.folder / "nothing").c_str(), 1);
  const SlidePicture none = deck.of("deck.pdf");
  setenv("PATH", before.c_str(), 1);
  CHECK(!none.pixels);
  CHECK(none.fault.find("needs pdftoppm") != std::string::npos);
}

}  // namespace tilewalk::test_pdf_slides
