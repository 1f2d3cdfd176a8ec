// The family tree of fused attention, read from lessons/data/family.toml, which is embedded in the program and whose
// head says what the fields mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

enum class FamilyKind : uint8_t { Idea, Kernel, Library, Relative };
std::string_view name_of(FamilyKind kind);  // "idea", ...

struct FamilyMember {
  std::string id, title;
  FamilyKind kind = FamilyKind::Kernel;
  int year = 0, month = 0;  // month 0 is not known
  std::string date;         // "May 2018", "2022"
  std::string source, text;
  bool exact = false, training = false, decode = false;
  int least_cc = 0, most_cc = 0;         // compute capability times ten; 0 is not tied to a GPU
  int least_training_cc = 0;             // of the backward pass; 0 is as forward
  std::vector<std::string> from, wraps;  // ids of other members
};

// What is to be shown. A library runs where one of those it wraps does.
struct FamilyFilter {
  int cc = 0;                                            // 0 is any GPU
  int year = 9999;                                       // up to and with it
  bool exact = false, training = false, decode = false;  // true: only those
};

std::span<const FamilyMember> family();                  // oldest first
const FamilyMember* family_member(std::string_view id);  // or null
bool passes(const FamilyMember& member, const FamilyFilter& filter);
// Ids whose `wraps` name this one.
std::vector<std::string> wrapped_by(std::string_view id);

// Entries with a missing or impossible field are left out, and so are unknown ids in `from` and `wraps`; each leaves a
// sentence in `faults`.
std::vector<FamilyMember> read_family(std::string_view toml, std::string_view file, std::vector<std::string>& faults);

}  // namespace tilewalk
