// Slides that are pictures of the speaker's own: read, turned upright, bounded, refused with a sentence, and as large
// as the wall allows.
#include "app/export/talk_page.h"
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/panels/room_overview.h"
#include "app/scene/image_file.h"
#include "app/scene/layout_check.h"
#include "app/scene/png.h"
#include "app/scene/raster.h"
#include "app/scene/svg_painter.h"
#include "app/session/present_moves.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/session/slide_picture.h"

#include "tests/app/null_screen.h"
#include "tests/app/shipped_lessons.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace tilewalk::test_picture_slides {

namespace {

// Red above left, green above right, blue below left, white below right.
Pixels quarters(int width, int height) {
  Pixels out{width, height, std::vector<uint8_t>(size_t(width) * size_t(height) * 4, 255)};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      uint8_t* at = out.rgba.data() + (size_t(y) * size_t(width) + size_t(x)) * 4;
      const bool right = 2 * x >= width, low = 2 * y >= height;
      at[0] = low == right ? 255 : 0, at[1] = right ? 255 : 0, at[2] = low ? 255 : 0;
    }
  return out;
}

std::string png_of(const Pixels& p) { return encode_png(p.width, p.height, p.rgba); }

std::array<int, 3> pixel(const Pixels& p, int x, int y) {
  const uint8_t* at = p.rgba.data() + (size_t(y) * size_t(p.width) + size_t(x)) * 4;
  return {at[0], at[1], at[2]};
}

// As a camera writes it that was held another way.
std::string with_orientation(const std::string& jpeg, char orientation) {
  std::string exif("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0_\0\0\0\0\0\0\0", 32);
  exif[exif.find('_')] = orientation;
  return jpeg.substr(0, 2) + std::string("\xFF\xE1\0", 3) + char(exif.size() + 2) + exif + jpeg.substr(2);
}

const Image* image_in(const Scene& scene) {
  for (const Item& item : scene.items)
    if (const auto* image = std::get_if<Image>(&item)) return image;
  return nullptr;
}

struct Talk {
  ScratchFolder folder;
  Session session;
  ViewState view;
  Talk() {
    give_shipped_lessons(view);
    std::filesystem::create_directory(folder / "figures");
    put(folder / "figures/wide.png", png_of(quarters(1600, 400)));
    put(folder / "tall.png", png_of(quarters(300, 900)));
    put(folder / "broken.png", png_of(quarters(80, 80)).substr(0, 60));
    view.present.set = read_set_list(
        "slide: figures/wide.png  # say what it is\nslide: What we measured | tall.png\ntilewalk://lesson/6/beat/2\n"
        "slide: gone.png\nslide: The last | broken.png\n",
        folder / "talk.set");
    REQUIRE(view.present.set.faults.empty());
    begin_presenting(session, view, true);
    view.present.screens = Screens::Two;
  }
  Scene room(Vec2 size = {1920, 1080}) { return layout_audience(session, view, size); }
};

}  // namespace

TEST_CASE("A slide's line names a picture beside the list, with a title or without, and nothing else") {
  const Slide plain = slide_of("slide: figures/My plot.PNG");
  CHECK(plain.picture == "figures/My plot.PNG");
  CHECK(plain.title.empty());
  CHECK(plain.name() == "My plot");
  const Slide titled = slide_of("slide: A title | a.jpeg");
  CHECK(titled.picture == "a.jpeg");
  CHECK(titled.name() == "A title");
  CHECK(slide_of("slide: Why .png files").picture.empty());
  const SetList list =
      read_set_list("slide: /etc/a.png\nslide: x/../../a.png\nslide: A | a.png | b\nslide: a.png | b.png\n", "t.set");
  CHECK(list.items.empty());
  REQUIRE(list.faults.size() == 4);
  CHECK(
      faults_of(list)[0] ==
      "t.set line 1: the picture \"/etc/a.png\" does not lie beside the set list: put it there, or in a folder there.");
  CHECK(faults_of(list)[1].find("does not lie beside") != std::string::npos);
  CHECK(faults_of(list)[2] ==
        "t.set line 3: beside the picture \"a.png\" a slide has a title and nothing more: give the lines a slide of "
        "their "
        "own.");
  CHECK(faults_of(list)[3].find("a title and nothing more") != std::string::npos);
}

TEST_CASE("The line that tells how far the talk is lies over no picture of the speaker's") {
  Talk talk;
  const auto has_line = [&] {
    const Scene wall = talk.room();
    return std::ranges::any_of(wall.items, [](const Item& item) {
      const auto* box = std::get_if<Box>(&item);
      return box && box->rect.h > 0 && box->rect.h <= 5 && box->rect.bottom() > 1079;
    });
  };
  REQUIRE(talk.view.present.slide_pixels);
  CHECK_FALSE(has_line());
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  CHECK(has_line());
}

TEST_CASE("PNG and JPEG are read, on white, upright, and no larger than a wall shows") {
  Pixels clear = quarters(4, 4);
  clear.rgba[3] = 0;
  const ReadImage png = read_image(png_of(clear));
  REQUIRE(png.pixels);
  CHECK(pixel(*png.pixels, 0, 0) == std::array{255, 255, 255});
  CHECK(pixel(*png.pixels, 1, 1) == std::array{255, 0, 0});
  const Pixels upright = quarters(64, 32);
  const std::string jpeg = encode_jpeg(64, 32, upright.rgba);
  // Where red, above left, comes to lie.
  const auto corner = [&](char orientation) {
    const ReadImage read = read_image(with_orientation(jpeg, orientation));
    REQUIRE(read.pixels);
    const Pixels& p = *read.pixels;
    CHECK((p.width < p.height) == (orientation >= 5));
    for (const bool low : {false, true})
      for (const bool right : {false, true}) {
        const auto [r, g, b] = pixel(p, right ? p.width - 3 : 2, low ? p.height - 3 : 2);
        if (r > 200 && g < 60 && b < 60) return std::string(low ? "below " : "above ") + (right ? "right" : "left");
      }
    return std::string("nowhere");
  };
  CHECK(corner(1) == "above left");
  CHECK(corner(2) == "above right");
  CHECK(corner(3) == "below right");
  CHECK(corner(4) == "below left");
  CHECK(corner(5) == "above left");
  CHECK(corner(6) == "above right");
  CHECK(corner(7) == "below right");
  CHECK(corner(8) == "below left");
  const ReadImage large = read_image(png_of(quarters(5000, 1000)));
  REQUIRE(large.pixels);
  CHECK(large.pixels->width == kImageWidth);
  CHECK(large.pixels->height == 768);
  CHECK(pixel(*large.pixels, kImageWidth - 1, 767) == std::array{255, 255, 255});
}

TEST_CASE("What is no picture, is damaged or too large is refused with what to do") {
  CHECK(read_image("").fault == "is neither PNG nor JPEG; export it as one of them");
  CHECK(read_image("GIF89a").fault == "is neither PNG nor JPEG; export it as one of them");
  const std::string png = png_of(quarters(200, 200));
  CHECK(read_image(png.substr(0, png.size() / 2)).fault == "is damaged; export it again");
  std::string huge = png;
  huge[16] = 0, huge[17] = 0, huge[18] = 0x3F, huge[22] = 0x3F;  // 16,128 on a side
  CHECK(read_image(huge).fault.find("pixels, more than 50 million; save it smaller") != std::string::npos);
  CHECK(read_image(std::string(kMostImageBytes + 1, 'x')).fault == "has more than 32 MB; save it smaller");
  // Whatever is cut off or changed: a picture or a sentence.
  const std::string jpeg = with_orientation(encode_jpeg(64, 32, quarters(64, 32).rgba), 6);
  for (const std::string& good : {png, jpeg})
    for (size_t k = 0; k < good.size(); k += 1 + good.size() / 300) {
      std::string bad = good;
      bad[k] = char(bad[k] ^ 0x5A);
      for (const std::string& bytes : {bad, good.substr(0, k)}) {
        const ReadImage read = read_image(bytes);
        CHECK(bool(read.pixels) != !read.fault.empty());
      }
    }
}

TEST_CASE("A picture is as large as the wall allows, whole and in its shape, below its title") {
  Talk talk;
  for (const Vec2 size : {Vec2{1280, 720}, Vec2{1920, 1080}, Vec2{3840, 2160}}) {
    REQUIRE(open_set_item(talk.session, talk.view, 0));
    const Scene wide = talk.room(size);
    const Image* image = image_in(wide);
    REQUIRE(image);
    CHECK(image->rect.x == 0);
    CHECK(image->rect.w == size.x);
    CHECK(image->rect.h == doctest::Approx(size.x / 4).epsilon(0.01));
    REQUIRE(open_set_item(talk.session, talk.view, 1));
    const Scene tall = talk.room(size);
    image = image_in(tall);
    REQUIRE(image);
    CHECK(image->rect.bottom() <= size.y);
    CHECK(image->rect.h > size.y * 0.85f);
    CHECK(image->rect.h == doctest::Approx(image->rect.w * 3).epsilon(0.01));
    CHECK(layout_faults(tall, kRoomText * size.y / 1080, room_scale(talk.view, size)).empty());
    CHECK(layout_faults(layout_presenter(talk.session, talk.view, {1920, 1080}), 14, 1).empty());
  }
  // What the room is painted: the picture's corners, upright.
  const Scene tall = talk.room();
  const Rect at = image_in(tall)->rect;
  const Pixels painted = Rasterizer().paint(tall);
  CHECK(pixel(painted, int(at.x) + 5, int(at.y) + 5) == std::array{255, 0, 0});
  CHECK(pixel(painted, int(at.right()) - 5, int(at.y) + 5) == std::array{0, 255, 0});
  CHECK(pixel(painted, int(at.x) + 5, int(at.bottom()) - 9) == std::array{0, 0, 255});
}

TEST_CASE("A picture that is not there is said to the speaker; the wall has the slide's own title, or nothing") {
  Talk talk;
  const auto words = [&] {
    std::string all;
    for (const Item& item : talk.room().items)
      if (const auto* label = std::get_if<Label>(&item)) all += label->text + "\n";
    return all;
  };
  REQUIRE(open_set_item(talk.session, talk.view, 3));
  CHECK(talk.view.notice.find("talk.set line 4: ") == 0);
  CHECK(talk.view.notice.find("gone.png is not there") != std::string::npos);
  CHECK_FALSE(image_in(talk.room()));
  CHECK(words().find("gone") == std::string::npos);
  CHECK(words().find("not there") == std::string::npos);
  CHECK(words().empty());
  REQUIRE(open_set_item(talk.session, talk.view, 4));
  CHECK(talk.view.notice.find("broken.png is damaged; export it again.") != std::string::npos);
  CHECK(words().find("The last\n") != std::string::npos);
  CHECK(words().find("broken") == std::string::npos);
  // Put there meanwhile, it is shown; and one that has changed is read again.
  put(talk.folder / "gone.png", png_of(quarters(40, 40)));
  REQUIRE(open_set_item(talk.session, talk.view, 3));
  CHECK(talk.view.notice.empty());
  REQUIRE(image_in(talk.room()));
  put(talk.folder / "gone.png", png_of(quarters(60, 40)));
  std::filesystem::last_write_time(talk.folder / "gone.png",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(9));
  REQUIRE(open_set_item(talk.session, talk.view, 3));
  CHECK(image_in(talk.room())->pixels->width == 60);
}

TEST_CASE("Between stops a picture comes and goes with its slide, and few are kept") {
  Talk talk;
  CHECK(image_in(talk.room()));
  present_next(talk.session, talk.view);
  present_next(talk.session, talk.view);
  CHECK_FALSE(image_in(talk.room()));
  present_back(talk.session, talk.view);
  const Scene back = talk.room();
  REQUIRE(image_in(back));
  CHECK(image_in(back)->pixels->width == 300);
  for (int k = 0; k < 9; ++k) {
    const std::string name = "p" + std::to_string(k) + ".png";
    put(talk.folder / name, png_of(quarters(8, 8)));
    CHECK(picture_of_slide("slide: " + name, talk.view.present.set, talk.view.present.shelf).pixels);
  }
  CHECK(talk.view.present.shelf.size() == 3);
}

TEST_CASE("The overview keeps a small copy, the handout carries the picture within itself") {
  Talk talk;
  const Scene small = small_picture(layout_audience(talk.session, talk.view, {320, 180}));
  REQUIRE(image_in(small));
  CHECK(image_in(small)->pixels->width == 320);
  SetList set = talk.view.present.set;
  set.items.resize(2);
  const std::string page = talk_page(talk.view.lesson.course, set, false);
  CHECK(page.find("href=\"data:image/png;base64,iVBORw0KGgo") != std::string::npos);
  CHECK(page.find("<h2>1. wide</h2>") != std::string::npos);
  // A photo is much smaller as JPEG, a drawing as PNG.
  std::mt19937 random{7};
  Pixels noise = quarters(200, 200);
  for (size_t k = 0; k < noise.rgba.size(); ++k)
    if (k % 4 != 3) noise.rgba[k] = uint8_t(k / 4 % 200 + random() % 4);
  CHECK(image_data(noise, 1920).starts_with("data:image/jpeg;base64,/9j/"));
  CHECK(image_data(quarters(30, 20), 10).size() < 400);
}

TEST_CASE("An image is one texture as long as somebody holds its pixels") {
  struct Counted final : AlphaTextures {
    int made = 0, gone = 0;
    uint64_t create(int, int) override { return 99; }
    void update(uint64_t, int, int, int, int, const uint8_t*, int) override {}
    uint64_t create_picture(const Pixels&) override { return uint64_t(100 + ++made); }
    void destroy(uint64_t texture) override { gone += texture > 100; }
  } textures;
  NullImgui imgui;
  NullScreen screen;
  screen.fonts_changed();
  {
    ImguiPainter painter(textures);
    for (int frame = 0; frame < 3; ++frame) {
      ImGui::GetIO().DisplaySize = {400, 300};
      ImGui::NewFrame();
      painter.begin_frame();
      Scene scene;
      scene.size = {400, 300};
      static std::shared_ptr<const Pixels> held;
      if (frame == 0) held = std::make_shared<const Pixels>(quarters(4, 4));
      if (frame < 2) scene.image({10, 10, 40, 40}, held);
      if (frame == 1) held.reset();
      painter.paint(scene, *ImGui::GetBackgroundDrawList());
      int drawn = 0;
      for (const ImDrawCmd& command : ImGui::GetBackgroundDrawList()->CmdBuffer)
        drawn += command.ElemCount == 6 && uint64_t(intptr_t(command.GetTexID())) == 101;
      CHECK(drawn == (frame < 2 ? 1 : 0));
      ImGui::Render();
    }
    CHECK(textures.made == 1);
    CHECK(textures.gone == 1);
  }
  CHECK(textures.gone == 1);
}

}  // namespace tilewalk::test_picture_slides
