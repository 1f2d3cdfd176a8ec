// Who may come in: a join code that is read out and typed, and a second secret for the one who teaches. Codes that are
// guessed are slowed down, for one address and for all together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tilewalk {

// Letters and digits that are not taken for one another: "k7m-2xq". 31^6: 888 million.
std::string join_code(uint64_t random);
// As people type it: in any case, with or without the hyphen, blanks around it.
bool same_code(std::string_view typed, std::string_view code);
// Takes as long whatever is typed, so that a secret cannot be felt for.
bool same_secret(std::string_view typed, std::string_view secret);
// 128 bits as 32 hexadecimal digits.
std::string secret_of(uint64_t high, uint64_t low);

struct DoorLimits {
  double guesses = 8, per_second = 0.2;           // wrong codes of one address: so many at once, then one in 5 s
  double all_guesses = 400, all_per_second = 20;  // of all addresses
  size_t addresses = 4096;                        // with a wrong code that are remembered
  double remembered = 600;                        // seconds that a wrong code is: "lately"
};

// What guesses are counted by: an IPv4 address, or the /64 of an IPv6 one, in which a computer makes up as many as it
// likes. Other words are themselves.
std::string network_of(std::string_view address);

class Door {
 public:
  Door(std::string code, std::string teacher, DoorLimits limits = {})
      : code_(std::move(code)), teacher_(std::move(teacher)), limits_(limits) {}

  enum class Who : uint8_t { Nobody, Learner, Teacher, TooOften };
  struct Answer {
    Who who = Who::Nobody;
    double again = 0;  // TooOften: seconds until a code is looked at again
  };
  // `address` as the network names it. A right code lets in an address that has said no wrong one lately, and a seat
  // that the room `knows`, whatever others guess; the limit of all holds for the rest, and for addresses beyond those
  // that are remembered.
  Answer let_in(std::string_view address, std::string_view code, std::string_view teacher, double now,
                bool knows = false);
  const std::string& code() const { return code_; }
  const std::string& teacher() const { return teacher_; }

 private:
  struct Bucket {
    double left, at, wrong = 0;  // wrong: when the last one was
  };
  static double wait(const Bucket& bucket, double per_second, double now);
  static bool take(Bucket& bucket, double most, double per_second, double now);

  std::string code_, teacher_;
  DoorLimits limits_;
  std::map<std::string, Bucket, std::less<>> of_address_;
  Bucket of_all_{limits_.all_guesses, 0};
};

}  // namespace tilewalk
