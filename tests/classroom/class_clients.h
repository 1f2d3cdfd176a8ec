// Pages that run on a class's GPU by the client that a window has, checks included; see class_check.cpp.
#pragma once

#include <string>

namespace tilewalk {

// Each of so many pages runs a problem of its own, then all of them the same one, then a written program. Prints what
// came of it; 0 where all of it is right.
int run_clients(int port, const std::string& code, int pages);

}  // namespace tilewalk
