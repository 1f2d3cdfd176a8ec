#include "app/cli/describe.h"

#include "app/cli/linked.h"
#include "app/panels/describe.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>

namespace tilewalk {

DescribeCommand::DescribeCommand(CLI::App& command) {
  command
      .add_option("link", link_, "tilewalk://lesson/6/beat/2, tilewalk://walk/step/37?N=64, tilewalk://board/clocks")
      ->required()
      ->type_name("LINK");
  command.footer("Leaves with 1 where the link leads nowhere, or asks for more than is told.");
}

void DescribeCommand::run(Console& console) const {
  const std::unique_ptr<Linked> linked = follow_link(link_, "describe", console);
  for (const std::string& line : describe(linked->session, linked->view)) {
    const int indent = int(line.find_first_not_of(' ') == std::string::npos ? 0 : line.find_first_not_of(' '));
    // Code keeps its own lines.
    const bool keeps = line.find('\n') != std::string::npos;
    fmt::print(console.out, "{}\n",
               keeps ? line
                     : std::string(size_t(indent), ' ') +
                           wrapped(line.substr(size_t(indent)), console.columns - indent, indent + 2));
  }
  if (!linked->lost.empty()) throw CommandError(kFailure, std::vector<std::string>{});
}

}  // namespace tilewalk
