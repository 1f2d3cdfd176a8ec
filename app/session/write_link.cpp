#include "app/session/write_link.h"

#include "app/session/write_moves.h"
#include "app/state/written.h"
#include "core/io/printable.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string packed_program(std::string_view text) {
  std::string out;
  uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (have += 8; have >= 6; have -= 6) out += kDigits[bits >> (have - 6) & 63];
  }
  if (have > 0) out += kDigits[bits << (6 - have) & 63];
  return out;
}

std::optional<std::string> unpacked_program(std::string_view packed) {
  std::string out;
  uint32_t bits = 0;
  int have = 0;
  for (const char c : packed) {
    const size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) return std::nullopt;
    bits = bits << 6 | uint32_t(digit);
    if ((have += 6) < 8) continue;
    have -= 8;
    out += char(bits >> have & 255);
  }
  return out;
}

std::string put_program(const Link& link, Session& session, ViewState& view) {
  const bool writes = link.place == Link::Place::Write;
  const std::string* packed = link.find("program");
  if (const std::string* id = link.find("puzzle"); id && writes) {
    if (!begin_puzzle_named(session, view, *id))
      return fmt::format("There is no puzzle called {}.", in_quotes(*id, 40));
  } else if (writes && !packed) {
    open_write(session, view);
  }
  if (!packed) return {};
  const std::optional<std::string> text = unpacked_program(*packed);
  if (!text) return "The link's program cannot be read.";
  if (writes && view.write.puzzle && link.find("puzzle")) {
    replace_all(view.write.program, clean_program(*text));
    run_written(session, view);
    return {};
  }
  if (writes) return take_program(session, view, clean_program(*text)), std::string();
  WalkRead read = read_walk(*text);
  if (!read.program) return fmt::format("The link's program, line {}: {}", read.faults[0].line, read.faults[0].message);
  Setup setup = session.setup();
  setup.own = std::make_shared<const Schedule>(own_schedule(*std::move(read.program)));
  setup.schedule = Method::Own;
  const std::vector<Fault> faults = session.change(setup);
  if (!faults.empty()) return faults.front().message;
  if (view.write.program.text.empty()) view.write.program.text = view.write.kept = clean_program(*text);
  return {};
}

std::string add_program(Link& link, const ViewState& view) {
  if (view.write.open) {
    link.place = Link::Place::Write;
    if (view.write.puzzle && puzzle_named(view.write.puzzle->id))
      link.keys.emplace_back("puzzle", view.write.puzzle->id);
  }
  std::string packed = packed_program(view.write.program.text);
  if (link_text(link).size() + packed.size() + 1000 > kLongestLink)
    return fmt::format("The program is too long for a link, {}: save it as a file.",
                       byte_count(view.write.program.text.size()));
  link.keys.emplace_back("program", std::move(packed));
  return {};
}

}  // namespace tilewalk
