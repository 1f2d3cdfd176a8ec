// The table of methods: whatever is said of one is in its row, and every list of methods is a part of the table.
#pragma once

#include "core/method/method.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Which instruction multiplies. Hopper's wgmma reads its operands from shared memory and runs by itself, and so does
// Blackwell's tcgen05, into tensor memory; mma.sync takes them from registers and holds its warp. On what is not
// NVIDIA's MmaSync is its one instruction.
enum class Multiply : uint8_t { MmaSync, Wgmma, Tcgen05 };

// What the units of a multiprocessor let run at the same time in a pass.
enum class Blend : uint8_t {
  Free,       // anything under anything: many blocks to a multiprocessor, or cuBLAS
  Waits,      // FA1 backward: a block waits for what it loads, then multiplies, then takes exponentials
  InWarp,     // FA1 forward, FA2: copies run under the arithmetic; a warp's products and its softmax follow each other
  TwoGroups,  // FA3: one warpgroup's softmax falls under the products of another
  Roles,      // FA4: warps for products, softmax and rescaling each; every unit runs under every other
};

// Usual ones stand on the ladder or by it. Beside it: neither there nor among those that the papers compare. Retired:
// known by its key, as recordings say it, and never run.
enum class KernelKind : uint8_t { None, Usual, Beside, Retired };

struct MethodInfo {
  Method id;
  std::string_view key;   // "fa2-small": command line, links, lessons, JSON
  std::string_view name;  // "FA2": short, on screen
  Direction direction;
  std::optional<Method> turned;  // the same in the other direction, or the nearest to it

  struct Walk {
    Method text;               // whose text its steps are: core/schedules/<that key>.walk
    std::string_view title{};  // of a text of its own, in one line: what is special about it
    Way way{};
    std::array<std::string_view, 2> more{};  // texts beside the first: other loops of its kernel
  } walk;

  struct Estimate {
    std::optional<Method> as{};  // whose estimate its time is: one of the first six
    Multiply multiply = Multiply::MmaSync;
    Blend blend = Blend::InWarp;  // forward
    bool splits = false;          // can cut K and V among thread blocks where there are few queries (Flash-Decoding)
  } estimate{};

  struct Kernel {
    KernelKind kind = KernelKind::None;
    int least_cc = 0, most_cc = 0;  // compute capability, times ten
    std::string_view source{};      // "kernels/fa2.cu", where the lines of its steps are shown
    std::string_view words{};       // what it is called, if not by its name: "FA1, as released"
    std::string_view row{}, tab{};  // likewise in a row of the GPU panel, and in a tab: "FA1 Alg. 1", "FA1·A1"
  } kernel{};

  struct Rung {
    int number = 0;           // of the ladder; the plainest kernel is 1 (kernels/README.md)
    std::string_view idea{};  // what is new in it, in a line
  } rung{};

  constexpr bool has_text() const { return walk.text == id && id != Method::Own; }
  constexpr bool backward() const { return direction == Direction::Backward; }
  // A usual kernel that walks a text of its own, forward: those of the papers.
  constexpr bool is_compared() const { return kernel.kind == KernelKind::Usual && has_text() && !backward(); }
  constexpr std::string_view kernel_name() const { return kernel.words.empty() ? name : kernel.words; }
};

std::span<const MethodInfo> all_methods();
const MethodInfo& info_of(Method method);
inline bool is_beside(Method method) { return info_of(method).kernel.kind == KernelKind::Beside; }

// Parts of it, in its order. No list has the retired kernels.
std::span<const MethodInfo> estimated_methods();
std::span<const MethodInfo> kernels();           // the usual ones, forward
std::span<const MethodInfo> compared_kernels();  // of those, what is_compared()
std::span<const MethodInfo> backward_kernels();
std::span<const MethodInfo> kernels_beside();
std::span<const MethodInfo> all_kernels();
std::span<const Method> ladder();  // from the plainest kernel to the fastest

// "standard, fa1, fa2": of methods, of schedules.
template <class Rows>
std::string key_list(const Rows& rows) {
  std::string out;
  for (const auto& row : rows) out.append(out.empty() ? "" : ", ").append(row.key);
  return out;
}

// The kernel with the rungs next to it, in the ladder's order. A kernel that is no rung (another form of FA1, small
// tiles, standard attention) stands alone, and FA3 in FP8 beside that in 16 bits.
std::vector<Method> with_neighbours(Method kernel);

// By key: one that is estimated; one with a kernel, retired ones too.
std::optional<Method> method_named(std::string_view key);
std::optional<Method> kernel_named(std::string_view key);

}  // namespace tilewalk
