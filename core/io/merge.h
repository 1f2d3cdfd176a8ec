// One table in three versions: as it was known, what it became here, and what it became elsewhere meanwhile.
#pragma once

namespace tilewalk {

// What changed here since it was `known` is taken from `ours`, removals too; all else from `theirs`.
template <class Map>
Map merged_by_key(const Map& known, const Map& ours, const Map& theirs) {
  const auto value = [](const Map& map, const auto& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
  };
  Map out = theirs;
  for (const auto& [key, now] : ours)
    if (const auto* before = value(known, key); !before || *before != now) out[key] = now;
  for (const auto& [key, before] : known)
    if (!value(ours, key)) out.erase(key);
  return out;
}

}  // namespace tilewalk
