// The family tree. See family.h.
#include "core/model/family.h"

#include "core/io/data_entry.h"
#include "core/io/embedded.h"
#include "core/io/date.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tilewalk {
namespace {

constexpr std::string_view kFile = "lessons/data/family.toml";
constexpr std::array<std::string_view, 4> kKinds{"idea", "kernel", "library", "relative"};

FamilyMember member_of(DataEntry& entry) {
  FamilyMember member;
  member.id = entry.text("id");
  member.title = entry.text("title");
  const std::string kind = entry.text("kind");
  const auto found = std::ranges::find(kKinds, kind);
  if (found == kKinds.end())
    entry.fault("kind is none of idea, kernel, library, relative.");
  else
    member.kind = FamilyKind(found - kKinds.begin());
  const std::string date = entry.text("date");
  if (const auto read = read_date(date)) {
    member.year = read->year;
    member.month = read->month;
    member.date = date_words(*read);
  } else {
    entry.fault("date is neither like 2022 nor like 2022-05.");
  }
  member.source = entry.text("source");
  member.text = entry.text("text");
  for (const auto& [key, value] :
       {std::pair{"exact", &member.exact}, {"training", &member.training}, {"decode", &member.decode}}) {
    if (!entry.has(key)) entry.fault(std::string(key) + " is missing.");
    *value = entry.flag(key);
  }
  if (const auto cc = entry.numbers("cc"); entry.has("cc")) {
    if (cc.size() != 2 || !(cc[0] >= 5 && cc[0] <= cc[1] && cc[1] < 100)) {
      entry.fault("cc is not a lowest and a highest compute capability.");
    } else {
      member.least_cc = int(std::lround(10 * cc[0]));
      member.most_cc = int(std::lround(10 * cc[1]));
    }
  }
  if (entry.has("training_from")) {
    member.least_training_cc = int(std::lround(10 * entry.number("training_from", 5, 99)));
    if (member.most_cc == 0 || member.least_training_cc > member.most_cc) entry.fault("training_from is beyond cc.");
  }
  member.from = entry.texts("from");
  member.wraps = entry.texts("wraps");
  return member;
}

}  // namespace

std::string_view name_of(FamilyKind kind) { return kKinds[size_t(kind)]; }

std::vector<FamilyMember> read_family(std::string_view toml, std::string_view file, std::vector<std::string>& faults) {
  std::vector<FamilyMember> members;
  const auto has = [&](std::string_view id) {
    return std::ranges::find(members, id, &FamilyMember::id) != members.end();
  };
  for_each_entry(toml, file, {"member"}, faults, [&](std::string_view, const toml::table& table) {
    DataEntry entry(table, file, "[[member]] " + printable(table["id"].value_or(std::string_view("without id"))),
                    faults);
    FamilyMember member = member_of(entry);
    if (has(member.id)) entry.fault("the id is taken by an entry before.");
    if (entry.finish()) members.push_back(std::move(member));
  });
  // Links may lead forward, so they are checked last; one that leads nowhere is dropped.
  for (FamilyMember& member : members)
    for (auto* list : {&member.from, &member.wraps})
      std::erase_if(*list, [&](const std::string& other) {
        if (has(other) && other != member.id) return false;
        faults.push_back(fmt::format("{}: [[member]] {}: {} is no other entry's id.", printable(file),
                                     printable(member.id), in_quotes(other)));
        return true;
      });
  std::ranges::stable_sort(members, {}, [](const FamilyMember& m) {
    return m.year * 13 + (m.month == 0 ? 13 : m.month) - 1;  // some time that year: behind what has its month
  });
  return members;
}

std::span<const FamilyMember> family() {
  static const std::vector<FamilyMember> members = [] {
    std::vector<std::string> faults;  // of our own file: a test says that there are none
    return read_family(embedded_file(kFile), kFile, faults);
  }();
  return members;
}

const FamilyMember* family_member(std::string_view id) {
  const auto found = std::ranges::find(family(), id, &FamilyMember::id);
  return found == family().end() ? nullptr : &*found;
}

bool passes(const FamilyMember& member, const FamilyFilter& filter) {
  if (member.year > filter.year) return false;
  if ((filter.exact && !member.exact) || (filter.training && !member.training) || (filter.decode && !member.decode))
    return false;
  if (filter.cc == 0) return true;
  const int least = filter.training ? std::max(member.least_cc, member.least_training_cc) : member.least_cc;
  if (member.most_cc > 0) return filter.cc >= least && filter.cc <= member.most_cc;
  if (member.wraps.empty()) return true;
  return std::ranges::any_of(member.wraps, [&](const std::string& id) {
    const FamilyMember* wrapped = family_member(id);
    return wrapped && passes(*wrapped, {filter.cc});
  });
}

std::vector<std::string> wrapped_by(std::string_view id) {
  std::vector<std::string> by;
  for (const FamilyMember& member : family())
    if (std::ranges::find(member.wraps, id) != member.wraps.end()) by.push_back(member.id);
  return by;
}

}  // namespace tilewalk
