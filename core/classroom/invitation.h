// Where a class is and how one comes in, as it stands on the wall, in a link or in a QR code:
//
//   http://10.0.0.5:8660/#class/k7m-2xq     10.0.0.5:8660 k7m-2xq     k7m-2xq
//   https://class.example/#class/k7m-2xq/SECRET     who teaches
#pragma once

#include <string>
#include <string_view>

namespace tilewalk {

struct Invitation {
  std::string socket;  // "ws://10.0.0.5:8660/class"; empty: no address was named
  std::string page;    // "http://10.0.0.5:8660/"
  std::string code, teacher;
};

struct ReadInvitation {
  Invitation invitation;
  std::string fault;  // one sentence where it is none; empty otherwise
};
// `here`: the address that holds where none is named, "http://10.0.0.5:8660/"; empty: one has to be.
ReadInvitation read_invitation(std::string_view typed, std::string_view here = {});

// "http://10.0.0.5:8660/#class/k7m-2xq", with the secret where there is one.
std::string invitation_text(const Invitation& invitation);

}  // namespace tilewalk
