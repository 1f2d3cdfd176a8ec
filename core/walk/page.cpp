#include "core/walk/page.h"

#include "core/walk/reader.h"
#include "core/walk/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

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

)";

constexpr std::string_view kMiddle = R"(
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

constexpr WalkHeader kHeaders[] = {
    {"for each Q tile i:", "all tiles of Q, O, dO, dQ, m, l, L and D, one after the other"},
    {"for each K/V tile j:", "all tiles of K, V, dK and dV"},
    {"... that i sees", "only tiles that the mask does not hide from each other", "... that sees j"},
    {"for each Q tile i that sees no key:", "the rest, under a causal mask that ends right of the first queries"},
    {"... of the block", "where thread blocks share a head: this one's Q tiles"},
    {"for each Q tile i and split s of 4:",
     "outermost: every Q tile, once for each split of the keys, 2 to 64 of them"},
    {"for each K/V tile j of split s:", "in such a loop, the K/V tiles of its split"},
    {"for each split s of 4:", "within a loop over Q tiles: what the splits left; the same number in the whole text"},
    {"..., in parallel", "outermost loops only: a thread block for each turn, each beginning with nothing on chip"},
    {"..., last to first", "the order of the tiles; without it, first to last", "..., in any order"},
    {"at the first visit:", "where a Q tile meets its first, or its last, K/V tile", "at the last visit:"},
    {"at the first turn:", "of the outermost loop"},
    {"if i sees a key:", ""},
    {"else:", "behind any of these four"},
};

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string row(const WalkStatement& s) {
  return fmt::format("| `{}` | {} | {}{} |\n", escaped(s.typed), s.steps, s.meaning,
                     s.note.empty() ? "" : fmt::format(" ({})", s.note));
}

std::string tile_of(Tensor tensor) {
  return tensor == Tensor::M ? "l[i], m[i]" : fmt::format("{}[{}]", walk_name(tensor), walk_index(tensor));
}

}  // namespace

std::span<const WalkHeader> walk_headers() { return kHeaders; }

std::string_view looked_for_as(std::string_view typed) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"... that i sees", "causal mask skip hidden tiles"},
      {"... that sees j", "causal mask skip hidden tiles"},
      {"..., in parallel", "thread blocks multiprocessors grid"},
      {"m' = max(m, rowmax(S))", "new max running max m_new streaming online softmax"},
      {"alpha = exp(m - m')", "rescale correction factor shrink online softmax"},
      {"l = alpha l + rowsum(P)", "rescale running sum denominator online softmax"},
      {"O = alpha O", "rescale correction"},
      {"O = alpha O + P V[j]", "rescale correction"},
      {"O = O / l", "divide normalize normalise softmax"},
      {"P = P / l", "divide normalize normalise softmax"},
      {"P = exp(S - m)", "softmax weights exponential"},
      {"P = exp(S - m')", "softmax weights exponential"},
      {"S = Q[i] K[j]^T * scale", "scores dot product QK"},
      {"S = -inf where key > query", "causal skip hide"},
      {"L = m + log(l)", "logsumexp lse backward"},
  };
  const auto found = std::ranges::find(kWords, typed, [](const auto& row) { return row.first; });
  return found == std::end(kWords) ? std::string_view() : found->second;
}

std::vector<WalkStatement> walk_statements() {
  std::vector<WalkStatement> out;
  const auto add = [&](std::string typed, StepKind kind) {
    out.push_back({std::move(typed), std::string(info_of(kind).name), std::string(info_of(kind).meaning), {}, {}});
  };
  for (int t = 0; t < kTensorCount; ++t) {
    const auto tensor = Tensor(t);
    if (tensor == Tensor::L) continue;  // moves with m
    if (const auto kind = load_of(tensor)) add("load " + tile_of(tensor), *kind);
    if (const auto kind = store_of(tensor)) add("store " + tile_of(tensor), *kind);
  }
  add("load O[i,s], L[i,s]", StepKind::LoadPart);
  add("store O[i,s], L[i,s]", StepKind::StorePart);
  for (const WalkForm& form : walk_forms()) {
    add(std::string(form.typed), form.kind);
    WalkStatement& made = out.back();
    if (form.then) {
      made.steps += fmt::format(", {}", info_of(*form.then).name);
      made.meaning += fmt::format(" {}", info_of(*form.then).meaning);
    }
    if (form.typed == "m = max(m, rowmax(S))") made.meaning = "m takes in the greatest score of each row.";
    if (form.typed == "l = l + rowsum(P)") made.meaning = "l takes in the sums of P's rows.";
    made.with = form.with;
    made.note = form.with.empty() ? std::string(form.note) : fmt::format("with `{}` beside it", form.with);
  }
  return out;
}

std::string walk_language_page() {
  std::string page(kBegin);
  page += "| header | what it does |\n| --- | --- |\n";
  for (const WalkHeader& header : kHeaders)
    page +=
        fmt::format("| `{}`{} | {}{}|\n", header.typed, header.also.empty() ? "" : fmt::format(", `{}`", header.also),
                    header.meaning, header.meaning.empty() ? "" : " ");
  page += kMiddle;
  for (const WalkStatement& statement : walk_statements()) page += row(statement);
  page += fmt::format(
      "\nA text has up to {} KiB, {} lines of up to {} bytes, {} loops that stand in no other, and blocks up to {} "
      "deep.\n",
      kMostWalkBytes >> 10, kMostWalkLines, kMostWalkLineBytes, kMostWalkNests, kMostWalkDepth);
  return page;
}

}  // namespace tilewalk
