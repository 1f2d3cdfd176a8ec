#include "app/classroom/qr.h"

namespace tilewalk {

std::string qr_lines(std::string_view) { return {}; }

}  // namespace tilewalk
