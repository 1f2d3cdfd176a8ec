#include "app/cli/worksheet.h"

#include "app/boards/worksheet.h"
#include "app/scene/svg_painter.h"
#include "core/io/file.h"
#include "core/io/number.h"
#include "core/io/printable.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <filesystem>

namespace tilewalk {
namespace {

constexpr int64_t kLastSheet = 99;  // of the board's knob
constexpr std::string_view kLesson = "7";

std::string svg_of(const Worksheet& sheet) {
  SvgOptions options;
  options.title = fmt::format("One row on paper, sheet {}{}", sheet.seed, sheet.answers ? ": answers" : "");
  return to_svg(worksheet_scene(sheet), options);
}

}  // namespace

void WorksheetOptions::add_to(CLI::App& command) {
  const char* group = "Lesson";
  command.add_flag("--worksheet", asked_, "a page to print for pencil and paper, and its answers")->group(group);
  command
      .add_option("--lesson", lesson_,
                  "all of it as one page, .html; with --worksheet lesson 7, the only one that has one")
      ->type_name("N")
      ->group(group);
  command.add_option("--tiles", tiles_, "of two keys each: 2 or 3; --seed picks the numbers, 0 to 99")
      ->type_name("N")
      ->group(group);
}

void WorksheetOptions::run(const std::string& out, const std::string* seed, Console& console) const {
  std::vector<std::string> faults;
  Worksheet sheet;
  if (lesson_ && *lesson_ != kLesson)
    faults.push_back(fmt::format("Lesson {} has no worksheet; lesson {} has one.", in_quotes(*lesson_, 40), kLesson));
  const auto number = [&](std::string_view name, const std::string& text, int64_t least, int64_t most,
                          int64_t otherwise) {
    const auto value = number_of<int64_t>(text);
    if (value && *value >= least && *value <= most) return *value;
    faults.push_back(fmt::format("{} is {}; of a worksheet it must be a whole number from {} to {}.", name,
                                 in_quotes(text, 40), least, most));
    return otherwise;
  };
  if (seed) sheet.seed = uint64_t(number("--seed", *seed, 0, kLastSheet, 5));
  if (tiles_) sheet.tiles = int(number("--tiles", *tiles_, 2, 3, 2));
  if (sheet.seed == 0 && sheet.tiles != 2)
    faults.push_back("Sheet 0 is the example, which has 2 tiles; take another --seed.");
  const std::filesystem::path file = out;
  const bool html = file.extension() == ".html" || file.extension() == ".htm";
  if (out != "-" && !html && file.extension() != ".svg")
    faults.push_back(fmt::format("--out is {}; a worksheet is written as .svg or .html.", in_quotes(out, 60)));
  if (!faults.empty()) throw CommandError(kUsage, faults);

  try {
    if (out == "-") {
      console.document(svg_of(sheet));
    } else if (html) {
      write_file(file, worksheet_html(sheet));
    } else {
      Worksheet answers = sheet;
      answers.answers = true;
      std::filesystem::path beside = file;
      beside.replace_filename(file.stem().string() + "-answers.svg");
      write_file(file, svg_of(sheet));
      write_file(beside, svg_of(answers));
      fmt::print(console.out, "The answers are in {}.\n", printable_path(beside));
    }
  } catch (const IoError& error) {
    throw CommandError(kFailure, error.what());
  }
}

}  // namespace tilewalk
