#include "core/kernel/kernel_source.h"

#include "core/io/embedded.h"
#include "core/method/table.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tilewalk {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

// The line on which the brace closes that is the first one on `line` or behind it.
int closing_line(const std::vector<std::string_view>& lines, int line) {
  int depth = 0;
  for (bool opened = false; line < int(lines.size()); ++line) {
    const std::string_view text = lines[size_t(line)];
    for (const char c : text.substr(0, text.find("//"))) {
      depth += c == '{';
      depth -= c == '}';
      opened = opened || c == '{';
      if (opened && depth == 0) return line;
    }
  }
  return int(lines.size()) - 1;
}

std::optional<StepKind> heading_of(std::string_view line) {
  for (const std::string_view begin : {"STEP(", "STEP_BEGIN("}) {
    const size_t at = line.find_first_not_of(' ');
    if (at == std::string_view::npos || !line.substr(at).starts_with(begin)) continue;
    const std::string_view rest = line.substr(at + begin.size()), name = rest.substr(0, rest.find(','));
    for (const StepInfo& info : vocabulary())
      if (info.name == name) return info.kind;
  }
  return std::nullopt;
}

KernelSource parse(const MethodInfo& info) {
  const std::string_view file = info.kernel.source;
  KernelSource out{info.id, file, lines_of(embedded_file(file)), {}, 0};
  int visit_end = 0;
  for (int k = 0; k < int(out.lines.size()); ++k) {
    const std::string_view line = out.lines[size_t(k)];
    if (line.find("auto visit = [&]") != std::string_view::npos) out.visit = k, visit_end = closing_line(out.lines, k);
    if (const auto kind = heading_of(line))
      out.blocks.push_back({*kind, k, closing_line(out.lines, k), k > out.visit && k < visit_end});
  }
  return out;
}

}  // namespace

const KernelSource* source_of(Method kernel) {
  static const std::map<Method, KernelSource> all = [] {
    std::map<Method, KernelSource> out;
    for (const MethodInfo& info : all_kernels())
      if (!info.kernel.source.empty()) out.emplace(info.id, parse(info));
    return out;
  }();
  const auto found = all.find(kernel);
  return found == all.end() ? nullptr : &found->second;
}

std::vector<Method> rungs_of(Method schedule) {
  std::vector<Method> out;
  for (const MethodInfo& info : all_kernels())
    if (info.walk.text == schedule && !info.kernel.source.empty()) out.push_back(info.id);
  std::ranges::stable_sort(out, {}, [](Method m) { return info_of(m).rung.number; });
  return out;
}

const SourceBlock* block_of(const KernelSource& source, const Step& step) {
  std::vector<const SourceBlock*> found;
  for (const SourceBlock& block : source.blocks)
    if (block.kind == step.kind) found.push_back(&block);
  const auto drop = [&](auto&& which) {
    if (std::ranges::any_of(found, [&](const SourceBlock* b) { return !which(*b); }))
      std::erase_if(found, [&](const SourceBlock* b) { return which(*b); });
  };
  // A store before the first visit is for queries that see no key at all.
  if (step.kind == StepKind::StoreO || step.kind == StepKind::StoreLse)
    drop([&](const SourceBlock& b) { return !b.in_visit && b.first < source.visit; });
  // What stands outside of `visit` is done for the first tile of a walk; a product behind it, for the last.
  const bool product = step.kind == StepKind::Accumulate;
  const bool outside = product ? step.j == 0 : step.visit == 0;
  drop([&](const SourceBlock& b) { return b.in_visit == outside; });
  // Of two stores of O, one that is final and one between visits, the final one stands first.
  if (found.empty()) return nullptr;
  return step.kind == StepKind::StoreO && !step.has(Step::kOutput) ? found.back() : found.front();
}

}  // namespace tilewalk
