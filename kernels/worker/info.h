// `tilewalk-gpu info`: the GPUs, what runs on the first of them, and what is missing.
#pragma once

namespace tilewalk::gpu {

int info(bool json);

}  // namespace tilewalk::gpu
