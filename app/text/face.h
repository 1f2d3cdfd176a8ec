// The faces that text is set in; app/text/fonts.h has their files.
#pragma once

#include <cstdint>

namespace tilewalk {

enum class Face : uint8_t { Sans, SansBold, Mono, MonoBold };

}  // namespace tilewalk
