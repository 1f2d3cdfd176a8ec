#include "core/walk/page.h"

#include "core/walk/reader.h"
#include "core/walk/words.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

constexpr std::string_view kBegin =
    R"(# The language of schedules

A schedule is a text: loops over tiles with statements in them. `tilewalk walk --program my.walk` runs it step by step,
`tilewalk check my.walk` says whether it is attention, and where and why not. The schedules that come with the program
are such texts too: `core/schedules/*.walk`. FlashAttention-2 is this one:

```
for each Q tile i, in parallel:
  load Q[i];  O = 0;  l = 0;  m = -inf
  for each K/V tile j that i sees, in any order:
    load K[j], V[j]
    S = Q[i] K[j]^T * scale
    m' = max(m, rowmax(S));  alpha = exp(m - m')
    P = exp(S - m');  l = alpha l + rowsum(P)
    O = alpha O + P V[j]
  O = O / l;  L = m + log(l)
  store O[i], L[i]
```

## Lines

- A line ends in `:` and opens a block, or holds statements with `;` between them. A block's lines stand deeper than its
  header, all alike; its first statements may stand behind the `:`.
- `#` begins a comment. Spaces and `*` between factors mean nothing. Signs may be typed or pasted: `alpha` or `α`,
  `m'` or `m′`, `-inf` or `−∞`, `K[j]^T` or `Kⱼᵀ`, `.*` or `∘`, `exp(x)` or `e^(x)`.
- `pass NAME` at the left edge begins a kernel: what follows is launched when all before it is done.

## Loops and conditions

| header | what it does |
| --- | --- |
| `for each Q tile i:` | all tiles of Q, O, dO, dQ, m, l, L and D, one after the other |
| `for each K/V tile j:` | all tiles of K, V, dK and dV |
| `... that i sees`, `... that sees j` | only tiles that the mask does not hide from each other |
| `for each Q tile i that sees no key:` | the rest, under a causal mask that ends right of the first queries |
| `... of the block` | where thread blocks share a head: this one's Q tiles |
| `for each Q tile i and split s of 4:` | outermost: every Q tile, once for each split of the keys, 2 to 64 of them |
| `for each K/V tile j of split s:` | in such a loop, the K/V tiles of its split |
| `for each split s of 4:` | within a loop over Q tiles: what the splits left; the same number in the whole text |
| `..., in parallel` | outermost loops only: a thread block for each turn, each beginning with nothing on chip |
| `..., last to first`, `..., in any order` | the order of the tiles; without it, first to last |
| `at the first visit:`, `at the last visit:` | where a Q tile meets its first, or its last, K/V tile |
| `at the first turn:` | of the outermost loop |
| `if i sees a key:` | |
| `else:` | behind any of these four |

A loop may hold one over the other kind of tile, so that every program comes to its end. In a loop over K/V tiles
`[j-1]` is the tile of the turn before; a statement with it is left out at the first turn. Behind that loop, `j` is its
last tile. A statement that needs K, V, S, P or alpha is left out where the loop that it belongs to has no turn.

## What follows by itself

- Which steps are a Q tile's first visit. At it `O = alpha O` does nothing, since O is 0.
- The mask: it hides keys in S where S is made or loaded for the softmax, unless a line says where.
- Buffers: two of K, V and the scores where something works on `[j-1]`; one a tile where a loop reads what another one
  left; else one.
- The format of O and dQ in memory: that of the output where nothing loads them again.

## Statements

`load` and `store` take tiles with commas between them: `load K[j], V[j]`. m and l move together,
and so do O and L of a split. Splits are of whole K/V tiles, as evenly as they go; there are fewer where the tiles are.

| statement | steps | what it does |
| --- | --- | --- |
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string row(std::string_view typed, std::string_view steps, std::string_view meaning, std::string_view note) {
  return fmt::format("| `{}` | {} | {}{} |\n", escaped(typed), steps, meaning,
                     note.empty() ? "" : fmt::format(" ({})", note));
}

}  // namespace

std::string walk_language_page() {
  std::string page(kBegin);
  for (int t = 0; t < kTensorCount; ++t) {
    const auto tensor = Tensor(t);
    if (tensor == Tensor::L) continue;  // moves with m
    const std::string tile =
        tensor == Tensor::M ? "l[i], m[i]" : fmt::format("{}[{}]", walk_name(tensor), walk_index(tensor));
    if (const auto kind = load_of(tensor)) page += row("load " + tile, info_of(*kind).name, info_of(*kind).meaning, "");
    if (const auto kind = store_of(tensor))
      page += row("store " + tile, info_of(*kind).name, info_of(*kind).meaning, "");
  }
  for (const auto& [verb, kind] : {std::pair("load", StepKind::LoadPart), std::pair("store", StepKind::StorePart)})
    page += row(fmt::format("{} O[i,s], L[i,s]", verb), info_of(kind).name, info_of(kind).meaning, "");
  for (const WalkForm& form : walk_forms()) {
    std::string steps(info_of(form.kind).name), meaning(info_of(form.kind).meaning);
    if (form.then) {
      steps += fmt::format(", {}", info_of(*form.then).name);
      meaning += fmt::format(" {}", info_of(*form.then).meaning);
    }
    std::string note(form.note);
    if (!form.with.empty()) note = fmt::format("with `{}` beside it", form.with);
    page += row(form.typed, steps, meaning, note);
  }
  page += fmt::format(
      "\nA text has up to {} KiB, {} lines of up to {} bytes, {} loops that stand in no other, and blocks up to {} "
      "deep.\n",
      kMostWalkBytes >> 10, kMostWalkLines, kMostWalkLineBytes, kMostWalkNests, kMostWalkDepth);
  return page;
}

}  // namespace tilewalk
