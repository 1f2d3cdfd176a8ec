// Which way up a camera held a JPEG picture.
#pragma once

#include <string_view>

namespace tilewalk {

// 1 to 8 as Exif counts them: 1 as it is, 3 upside down, 6 to be turned clockwise, 8 the other way, the others mirrored
// too. 1 where the file does not say.
int orientation_of_jpeg(std::string_view bytes);

}  // namespace tilewalk
