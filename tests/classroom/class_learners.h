// A room of pages that learn: for playing a class with somebody who teaches; see class_check.cpp.
#pragma once

#include <string>

namespace tilewalk {

// So many pages follow, answer what is asked after some seconds and again after a discussion, draw a roofline, run once
// on the class's GPU where there is one, and lose their connection now and then, until the class is over or so many
// seconds have passed. Prints what came of it; 0 where nobody was left behind.
int play_learners(int port, const std::string& code, int pages, double seconds);

}  // namespace tilewalk
