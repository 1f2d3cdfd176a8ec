// Follows m, l and O, or dQ, dK and dV, through a program that came out wrong, and finds what broke first.
#pragma once

#include "core/attention/inputs.h"
#include "core/machine/machine.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

struct Broken {
  int line = 0;  // index into the program's code
  bool approximate = false;
  std::string message;
};

// None where every row holds what it should after every visit and at the end.
std::optional<Broken> what_broke(const Schedule& schedule, const Plan& plan, const Inputs& inputs,
                                 const std::vector<Step>& steps);

}  // namespace tilewalk
