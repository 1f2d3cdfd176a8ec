// Where libwebsockets was not there when this was built.
#include "app/shell/desktop/class_wire.h"

namespace tilewalk {

std::unique_ptr<ClassSocket> make_class_socket(std::function<void()>) { return nullptr; }

}  // namespace tilewalk
