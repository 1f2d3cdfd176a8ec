// Invitations as people type, copy and scan them.
#include "core/classroom/invitation.h"

#include "core/classroom/door.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

namespace tilewalk::test_invitation {

TEST_CASE("An address and a code are read however they are written") {
  for (const char* typed : {"http://10.0.0.5:8660/#class/k7m-2xq", "10.0.0.5:8660 k7m-2xq", "k7m-2xq  10.0.0.5:8660",
                            " 10.0.0.5:8660/, k7m-2xq\n", "http://10.0.0.5:8660/?class#class/k7m-2xq"}) {
    CAPTURE(typed);
    const ReadInvitation read = read_invitation(typed);
    CHECK(read.fault.empty());
    CHECK(read.invitation.socket == "ws://10.0.0.5:8660/class");
    CHECK(read.invitation.page == "http://10.0.0.5:8660/");
    CHECK(read.invitation.code == "k7m-2xq");
    CHECK(read.invitation.teacher.empty());
    CHECK(invitation_text(read.invitation) == "http://10.0.0.5:8660/#class/k7m-2xq");
  }
  const ReadInvitation proxied = read_invitation("https://school.example/room/7/#class/abc-def/0123abcd");
  CHECK(proxied.fault.empty());
  CHECK(proxied.invitation.socket == "wss://school.example/room/7/class");
  CHECK(proxied.invitation.teacher == "0123abcd");
  CHECK(invitation_text(proxied.invitation) == "https://school.example/room/7/#class/abc-def/0123abcd");
  const ReadInvitation code = read_invitation("K7M2XQ", "http://[::1]:8660/");
  CHECK(code.fault.empty());
  CHECK(code.invitation.socket == "ws://[::1]:8660/class");
  CHECK(code.invitation.code == "K7M2XQ");
  // As it is read out and typed, in two halves; a browser writes the blank its own way.
  for (const char* typed : {"10.0.0.5:8660 C6K B75", "C6K B75 10.0.0.5:8660", "10.0.0.5:8660  C6K - B75",
                            "http://10.0.0.5:8660/#class/C6K%20B75", "C6K B75", " c6k  b75 "}) {
    CAPTURE(typed);
    const ReadInvitation halves = read_invitation(typed, "http://10.0.0.5:8660/");
    CHECK(halves.fault.empty());
    CHECK(same_code(halves.invitation.code, "c6k-b75"));
    CHECK(halves.invitation.page == "http://10.0.0.5:8660/");
  }
  CHECK(read_invitation("localhost:8660 abc").invitation.socket == "ws://localhost:8660/class");
}

TEST_CASE("What is no invitation is answered with what to type") {
  for (const char* typed :
       {"", "   ", "k7m-2xq", "10.0.0.5:8660", "http://10.0.0.5:8660/", "a b c", "10.0.0.5:8660 k7m 2x",
        "10.0.0.5:8660 k7m 2xq abc", "http://a b/#class/x", "10.0.0.5:8660 k7m/2x q", "http://10.0.0.5:8660/#class/a b",
        "10.0.0.5\"><script> abc", "10.0.0.5:8660 k7m;ls"}) {
    CAPTURE(typed);
    CHECK(read_invitation(typed).fault.find("10.0.0.5:8660 k7m-2xq") != std::string::npos);
  }
  CHECK_FALSE(read_invitation(std::string(2000, 'a'), "http://a/").fault.empty());
  std::mt19937 random(7);
  constexpr std::string_view kLetters = "a0.:/#-[]? cls\n\x80";
  for (int k = 0; k < 20000; ++k) {
    std::string typed;
    for (size_t n = random() % 24; n > 0; --n) typed += kLetters[random() % kLetters.size()];
    const ReadInvitation read = read_invitation(typed, random() % 2 ? "http://a/" : "");
    if (!read.fault.empty()) continue;
    const ReadInvitation again = read_invitation(invitation_text(read.invitation));
    CAPTURE(typed);
    CHECK(again.fault.empty());
    CHECK(again.invitation.socket == read.invitation.socket);
    CHECK(again.invitation.code == read.invitation.code);
  }
}

}  // namespace tilewalk::test_invitation
