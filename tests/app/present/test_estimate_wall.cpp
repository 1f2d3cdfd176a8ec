// An estimate on the wall: its result is the largest number there, and each of its rows is read from the last one.
#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

using namespace tilewalk;

namespace {

// Sizes in pixels of 1080 lines by what stands in that size; the largest where it stands twice.
std::map<std::string, float> sizes_on(const Scene& scene, Vec2 wall) {
  std::map<std::string, float> sizes;
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item))
      sizes[label->text] = std::max(sizes[label->text], label->size * 1080 / wall.y);
  return sizes;
}

constexpr float kReadFromAfar = 46;  // seven of a sixth's 180 lines, and more

}  // namespace

TEST_CASE("Every row of an estimate is read where the wall is shrunk to a sixth") {
  for (const Vec2 wall : {Vec2{1280, 720}, Vec2{1920, 1080}})
    for (const char* stop : {"tilewalk://board/estimate?gpu=h200&method=fa3\n",
                             "tilewalk://board/estimate?gpu=h200-measured&method=eager&N=65536\n",
                             "tilewalk://board/estimate?gpu=a100-80&method=fa2&pass=backward&mask=causal\n"}) {
      CAPTURE(stop);
      Talk talk(stop);
      const auto sizes = sizes_on(layout_audience(talk.session, talk.view, wall), wall);
      float largest = 0;
      for (const auto& [words, size] : sizes) largest = std::max(largest, size);
      int wins = 0;
      for (const auto& [words, size] : sizes)
        if (words.ends_with("×") && size > 150 && size == largest) ++wins;
      CHECK(wins == 1);
      for (const char* row : {"Standard", "Eager", "tensor cores", "exponentials", "DRAM"}) {
        CAPTURE(std::string(row));
        REQUIRE(sizes.contains(row));
        CHECK(sizes.at(row) > kReadFromAfar);
      }
      int times = 0;
      for (const auto& [words, size] : sizes) {
        const bool time = words.ends_with(" µs") || words.ends_with(" ms") || words.ends_with(" s");
        if (!time || words.size() > 14) continue;
        ++times;
        CHECK_MESSAGE(size > kReadFromAfar, words);
      }
      CHECK(times >= 6);
    }
}
