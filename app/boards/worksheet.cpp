#include "app/boards/worksheet.h"

#include "app/boards/paper_sheet.h"
#include "app/scene/pen.h"
#include "app/scene/svg_painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr float kWidth = 794, kHeight = 1123, kMargin = 57;  // 15 mm
constexpr float kSquare = 96 / 25.4f * 5;                    // 5 mm
constexpr float kHead = 1.5f * kSquare, kRow = 4 * kSquare;
constexpr float kTitle = 24, kText = 15, kCell = 16, kSmall = 14;
// Of the table: scores and values, m, alpha, P, l, o.
constexpr std::array<float, 6> kShares{0.20f, 0.08f, 0.11f, 0.22f, 0.12f, 0.27f};
constexpr std::array<std::string_view, 6> kHeads{"score → value", "m", "α", "P", "l", "o"};

struct Page : Pen {
  const PaperSheet& sheet;
  const std::vector<PaperCell>& cells;
  bool answers;

  const PaperCell& cell(std::string_view id) const { return *std::ranges::find(cells, id, &PaperCell::id); }
  void write(Rect r, std::string_view words, Face face, float size, Align align = Align::Left) const {
    text(r, words, face, size, Role::Text, align);
  }
};

// To write in, or filled in.
void lay_cell(const Page& page, Rect slot, std::string_view id) {
  const Rect box = slot.inset(4, std::max(4.0f, (slot.h - 2 * kSquare) / 2));
  page.box(box, 4, Role::Background, Role::Border, 1.2f);
  if (page.answers)
    page.write(box.inset(2, 0), paper_number(page.cell(id).value), Face::MonoBold, kCell, Align::Center);
}

float lay_table(const Page& page, float y) {
  const float width = kWidth - 2 * kMargin;
  std::array<Rect, 6> columns;
  float x = kMargin;
  const float bottom = y + kHead + kRow * float(page.sheet.tiles());
  for (size_t c = 0; c < columns.size(); ++c) {
    columns[c] = {x, y, width * kShares[c], bottom - y};
    page.write({x, y, columns[c].w, kHead}, kHeads[c], Face::MonoBold, kText, c == 0 ? Align::Left : Align::Center);
    if (c > 0) page.line({x, y}, {x, bottom}, Role::Line, 1);
    x += columns[c].w;
  }
  for (int t = 0; t < page.sheet.tiles(); ++t) {
    const float top = y + kHead + kRow * float(t);
    page.line({kMargin, top}, {kMargin + width, top}, Role::Border, 1.2f);
    const auto slot = [&](size_t c, float from = 0, float to = 1) {
      return Rect{columns[c].x + columns[c].w * from, top, columns[c].w * (to - from), kRow};
    };
    const std::string n = std::to_string(t + 1);
    const RowStream::Visit& visit = page.sheet.stream.visits[size_t(t)];
    for (size_t k = 0; k < visit.keys.size(); ++k) {
      const int key = visit.keys[k];
      page.write({kMargin, top + kRow / 2 + 22 * (float(k) - 1), columns[0].w, 22},
                 fmt::format("k{}  {} → ({}, {})", key + 1, paper_number(page.sheet.scores[size_t(key)]),
                             paper_number(page.sheet.values.at(key, 0)), paper_number(page.sheet.values.at(key, 1))),
                 Face::Mono, kText);
    }
    lay_cell(page, slot(1), "m" + n);
    if (t > 0)
      lay_cell(page, slot(2), "alpha" + n);
    else
      page.write(slot(2), "0", Face::Mono, kText, Align::Center);
    lay_cell(page, slot(3, 0, 0.5f), "p" + n + "a");
    lay_cell(page, slot(3, 0.5f, 1), "p" + n + "b");
    lay_cell(page, slot(4), "l" + n);
    lay_cell(page, slot(5, 0, 0.5f), "ox" + n);
    lay_cell(page, slot(5, 0.5f, 1), "oy" + n);
  }
  page.line({kMargin, bottom}, {kMargin + width, bottom}, Role::Border, 1.2f);
  return bottom;
}

// The end of the row: one division, and L.
float lay_end(const Page& page, float y) {
  const float w = (kWidth - 2 * kMargin) / 10, h = 3 * kSquare;
  page.write({kMargin, y, 1.6f * w, h}, "O = o / l", Face::MonoBold, kText);
  lay_cell(page, {kMargin + 1.7f * w, y, 1.5f * w, h}, "out_x");
  lay_cell(page, {kMargin + 3.2f * w, y, 1.5f * w, h}, "out_y");
  page.write({kMargin + 5 * w, y, 3.2f * w, h}, "L = m + log l", Face::MonoBold, kText, Align::Right);
  lay_cell(page, {kMargin + 8.4f * w, y, 1.6f * w, h}, "L");
  return y + h;
}

void lay_squares(const Page& page, Rect area) {
  const Color ink = page.style[Role::Line];
  const int across = int(area.w / kSquare), down = int(area.h / kSquare);
  for (int c = 0; c <= across; ++c)
    page.line({area.x + float(c) * kSquare, area.y}, {area.x + float(c) * kSquare, area.y + float(down) * kSquare}, ink,
              0.7f);
  for (int r = 0; r <= down; ++r)
    page.line({area.x, area.y + float(r) * kSquare}, {area.x + float(across) * kSquare, area.y + float(r) * kSquare},
              ink, 0.7f);
}

// Every cell with how it comes about.
void lay_workings(const Page& page, Rect area) {
  const float row = std::min(22.0f, area.h / float(page.cells.size()));
  for (size_t k = 0; k < page.cells.size(); ++k) {
    const PaperCell& cell = page.cells[k];
    page.write({area.x, area.y + float(k) * row, area.w, row},
               fmt::format("{} = {} = {}", cell.name, cell.formula, paper_number(cell.value)), Face::Sans, kSmall);
  }
}

}  // namespace

Scene worksheet_scene(const Worksheet& asked) {
  const Style style(Theme::Projector, 1);
  const PaperSheet sheet = make_sheet(asked.seed, asked.tiles, false);
  const std::vector<PaperCell> cells = cells_of(sheet);
  Scene scene;
  scene.size = {kWidth, kHeight};
  scene.background = style[Role::Background];
  const Page page{{scene, style}, sheet, cells, asked.answers};
  const float width = kWidth - 2 * kMargin;

  float y = kMargin;
  page.write({kMargin, y, width * 0.72f, 32}, asked.answers ? "One row on paper: answers" : "One row on paper",
             Face::SansBold, kTitle);
  page.write({kMargin + width * 0.72f, y, width * 0.28f, 32},
             asked.seed == 0 ? "the example" : fmt::format("sheet {}", asked.seed), Face::Mono, kText, Align::Right);
  y += 40;
  for (const std::string_view line :
       {"A query row meets its keys, two at a time. Fill the table from left to right, then divide once.",
        "Three digits are enough.  m: the largest score so far.  P = e^(s − m).  α = e^(old m − new m).",
        "l = α × old l + both P.  o = α × old o + each P × its value."}) {
    page.write({kMargin, y, width, 21}, line, Face::Sans, kText);
    y += 21;
  }
  if (!asked.answers) {
    page.write({kMargin, y + 10, 60, 24}, "Name", Face::Sans, kText);
    page.line({kMargin + 50, y + 30}, {kMargin + width * 0.6f, y + 30}, Role::Border, 1);
  }
  y = lay_end(page, lay_table(page, y + 48) + 8) + 14;

  const float foot = kHeight - kMargin;
  const Rect rest{kMargin, y, width, foot - 26 - y};
  if (asked.answers)
    lay_workings(page, rest);
  else
    lay_squares(page, rest);
  page.write({kMargin, foot - 18, width, 18}, worksheet_link(asked), Face::Mono, kSmall);
  return scene;
}

std::string worksheet_link(const Worksheet& sheet) {
  return fmt::format("tilewalk://board/paper?numbers={}&tiles={}&given=nothing&v=1", sheet.seed, sheet.tiles);
}

std::string worksheet_html(Worksheet sheet) {
  const auto page = [&](bool answers) {
    sheet.answers = answers;
    SvgOptions options;
    options.title = answers ? "Answers" : "Worksheet";
    return to_svg(worksheet_scene(sheet), options);
  };
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>One row on paper, sheet "
      "{}</title>\n"
      "<style>\n@page {{ size: A4; margin: 0 }}\nbody {{ margin: 0 }}\nsvg {{ display: block }}\n"
      ".answers {{ break-before: page }}\n</style>\n</head>\n<body>\n<div>\n{}</div>\n<div "
      "class=\"answers\">\n{}</div>\n"
      "</body>\n</html>\n",
      sheet.seed, page(false), page(true));
}

}  // namespace tilewalk
