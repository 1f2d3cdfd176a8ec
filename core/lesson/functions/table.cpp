#include "core/lesson/functions/arguments.h"

namespace tilewalk {

std::span<const QuantityFunction> quantity_functions() {
  static const std::vector<QuantityFunction> all = [] {
    std::vector<QuantityFunction> out;
    for (const auto part :
         {traffic_functions(), tile_functions(), machine_functions(), walk_functions(), timing_functions(),
          roofline_functions(), recorded_functions(), dispatch_functions(), arithmetic_functions()})
      out.insert(out.end(), part.begin(), part.end());
    return out;
  }();
  return all;
}

}  // namespace tilewalk
