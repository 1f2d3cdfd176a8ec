#include "core/classroom/door.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace tilewalk {
namespace {

constexpr std::string_view kLetters = "23456789abcdefghjkmnpqrstuvwxyz";

std::string letters_of(std::string_view typed) {
  std::string out;
  for (const char c : typed)
    if (std::isalnum(static_cast<unsigned char>(c))) out += char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string join_code(uint64_t random) {
  std::string code;
  for (int k = 0; k < 6; ++k, random /= kLetters.size()) {
    if (k == 3) code += '-';
    code += kLetters[random % kLetters.size()];
  }
  return code;
}

bool same_code(std::string_view typed, std::string_view code) {
  return typed.size() <= 64 && !code.empty() && letters_of(typed) == letters_of(code);
}

bool same_secret(std::string_view typed, std::string_view secret) {
  unsigned char differs = typed.size() == secret.size() && !secret.empty() ? 0 : 1;
  for (size_t k = 0; k < secret.size(); ++k)
    differs |= static_cast<unsigned char>(secret[k] ^ (k < typed.size() ? typed[k] : '\0'));
  return differs == 0;
}

std::string secret_of(uint64_t high, uint64_t low) { return fmt::format("{:016x}{:016x}", high, low); }

std::string network_of(std::string_view address) {
  std::string_view text = address.substr(0, address.find('%'));
  if (text.find(':') == text.npos) return std::string(address);
  if (const size_t dotted = text.find('.'); dotted != text.npos) return std::string(text.substr(text.rfind(':') + 1));
  // The groups before "::", and as many zeros as make eight with those behind it: only the first four count.
  const size_t gap = text.find("::");
  std::string out;
  size_t groups = 0;
  for (std::string_view left = text.substr(0, gap); !left.empty() && groups < 4; ++groups) {
    const size_t end = std::min(left.find(':'), left.size());
    std::string_view group = left.substr(0, end);
    while (group.size() > 1 && group.front() == '0') group.remove_prefix(1);
    out.append(group).append(":");
    left.remove_prefix(std::min(left.size(), end + 1));
  }
  if (gap == text.npos) return out + ":/64";
  std::vector<std::string_view> behind;
  for (std::string_view left = text.substr(gap + 2); !left.empty();) {
    const size_t end = std::min(left.find(':'), left.size());
    behind.push_back(left.substr(0, end));
    left.remove_prefix(std::min(left.size(), end + 1));
  }
  for (; groups < 4; ++groups) {
    const bool zero = groups + behind.size() < 8;
    std::string_view group = zero ? "0" : behind[groups + behind.size() - 8];
    while (group.size() > 1 && group.front() == '0') group.remove_prefix(1);
    out.append(group).append(":");
  }
  return out + ":/64";
}

bool Door::take(Bucket& bucket, double most, double per_second, double now) {
  bucket.left = std::min(most, bucket.left + (now - bucket.at) * per_second);
  bucket.at = now;
  if (bucket.left < 1) return false;
  bucket.left -= 1;
  return true;
}

double Door::wait(const Bucket& bucket, double per_second, double now) {
  const double left = bucket.left + (now - bucket.at) * per_second;
  return left < 1 ? (1 - left) / per_second : 0;
}

Door::Answer Door::let_in(std::string_view address, std::string_view code, std::string_view teacher, double now,
                          bool knows) {
  const Who right = !same_code(code, code_)          ? Who::Nobody
                    : teacher.empty()                ? Who::Learner
                    : same_secret(teacher, teacher_) ? Who::Teacher
                                                     : Who::Nobody;
  if (knows && right != Who::Nobody) return {right};  // who made it up has said the right code before
  const std::string network = network_of(address);
  const auto lately = [&](const Bucket& bucket) { return now - bucket.wrong < limits_.remembered; };
  auto found = of_address_.find(network);
  if (found == of_address_.end() && of_address_.size() >= limits_.addresses)
    std::erase_if(of_address_, [&](const auto& each) { return !lately(each.second); });
  const bool room = found != of_address_.end() || of_address_.size() < limits_.addresses;
  const bool clean = room && (found == of_address_.end() || !lately(found->second));
  // A right code does not help who has guessed too often just now, nor is a guess told from a right one then.
  if (found != of_address_.end())
    if (const double again = wait(found->second, limits_.per_second, now); again > 0) return {Who::TooOften, again};
  if (const double again = wait(of_all_, limits_.all_per_second, now); again > 0 && !clean)
    return {Who::TooOften, again};
  if (right != Who::Nobody) return {right};
  take(of_all_, limits_.all_guesses, limits_.all_per_second, now);
  if (!room) return {Who::Nobody};
  if (found == of_address_.end()) found = of_address_.emplace(network, Bucket{limits_.guesses, now}).first;
  found->second.wrong = now;
  take(found->second, limits_.guesses, limits_.per_second, now);
  return {Who::Nobody};
}

}  // namespace tilewalk
