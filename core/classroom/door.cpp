#include "core/classroom/door.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

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

bool Door::take(Bucket& bucket, double most, double per_second, double now) {
  bucket.left = std::min(most, bucket.left + (now - bucket.at) * per_second);
  bucket.at = now;
  if (bucket.left < 1) return false;
  bucket.left -= 1;
  return true;
}

Door::Who Door::let_in(std::string_view address, std::string_view code, std::string_view teacher, double now) {
  const auto found = of_address_.find(address);
  // A right code does not help who has guessed too often just now, nor is a guess told from a right one then.
  if (found != of_address_.end() && found->second.left + (now - found->second.at) * limits_.per_second < 1)
    return Who::TooOften;
  if (of_all_.left + (now - of_all_.at) * limits_.all_per_second < 1) return Who::TooOften;
  if (same_code(code, code_)) {
    if (teacher.empty()) return Who::Learner;
    if (same_secret(teacher, teacher_)) return Who::Teacher;
  }
  take(of_all_, limits_.all_guesses, limits_.all_per_second, now);
  if (found == of_address_.end() && of_address_.size() >= limits_.addresses)
    // Whose guesses have come back is forgotten; all of the others guess, and the limit of all holds for them.
    std::erase_if(of_address_, [&](const auto& each) {
      return each.second.left + (now - each.second.at) * limits_.per_second >= limits_.guesses;
    });
  if (found == of_address_.end() && of_address_.size() >= limits_.addresses) return Who::Nobody;
  Bucket& bucket = of_address_.try_emplace(std::string(address), Bucket{limits_.guesses, now}).first->second;
  take(bucket, limits_.guesses, limits_.per_second, now);
  return Who::Nobody;
}

}  // namespace tilewalk
