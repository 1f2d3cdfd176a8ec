#include "app/session/diagnostics.h"

#include "app/gpu/diagnostics.h"
#include "app/session/link_moves.h"

#include <fmt/format.h>

namespace tilewalk {

std::string program_diagnostics(const Session& session, const ViewState& view, const std::deque<std::string>& log) {
  std::string out = gpu_diagnostics(view.gpu.status);
  out += fmt::format("Display: {}, scale {:.2f} of a monitor at {:.2f}, {} theme\n",
                     view.about_facts.renderer.empty() ? "not known" : view.about_facts.renderer, view.scale,
                     view.monitor_scale, name_of(view.theme));
  out += fmt::format("Place: {}\n", link_here(session, view).text);
  if (!log.empty()) out += "The log's last lines:\n";
  for (const std::string& line : log) out += fmt::format("  {}\n", line);
  const LeftOver& left = view.left_over;
  if (!left.link.empty()) out += fmt::format("The run before did not come to its end; it was at {}\n", left.link);
  if (!left.log.empty()) out += "Its log's last lines:\n";
  for (const std::string& line : left.log) out += fmt::format("  {}\n", line);
  return out;
}

}  // namespace tilewalk
