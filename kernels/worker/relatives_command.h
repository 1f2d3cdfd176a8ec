// `tilewalk-gpu relatives`: sparse, latent and differential attention beside what they replace.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace tilewalk::gpu {

class RelativesOptions {
 public:
  void add_to(CLI::App& command);
  int run(bool anyway, bool json) const;  // the exit code; throws CommandFault

 private:
  std::string relative_, record_, note_;
  int64_t n_ = 0;
  bool sweep_ = false, small_ = false, quick_ = false;
};

}  // namespace tilewalk::gpu
