// The worker as the window's companion: requests come in on standard input, answers go out on standard output, one JSON
// object a line. PROTOCOL.md tells it with examples.
#pragma once

namespace tilewalk::gpu {

// Until "quit" or the end of standard input. The process's exit code.
int serve();

}  // namespace tilewalk::gpu
