// Guessing roles from names, checking that shapes fit, loading three slices. See qkv.h.
#include "core/io/qkv.h"

#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace tilewalk {
namespace fs = std::filesystem;
namespace {

// The ways in which a word says which of the three a tensor is. One set of names keeps to one spelling.
constexpr std::array<std::string_view, 3> spellings[] = {
    {"q", "k", "v"},           {"Q", "K", "V"},           {"query", "key", "value"},
    {"Query", "Key", "Value"}, {"QUERY", "KEY", "VALUE"}, {"queries", "keys", "values"},
    {"xq", "xk", "xv"},
};

// Where in a name its role stands: name == before + role word + after.
struct Role {
  size_t part;  // 0 is Q, 1 is K, 2 is V
  size_t spelling;
  std::string before, after;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The last word of the name that is a role; words end where letters end, so "layer0q" has the word "q".
std::optional<Role> role_of(const std::string& name) {
  for (const std::string_view weights : {"weight", "bias"}) {
    if (name.ends_with(weights)) return std::nullopt;
  }
  for (size_t end = name.size(); end > 0;) {
    size_t start = end;
    while (start > 0 && is_letter(name[start - 1])) --start;
    const std::string_view word = std::string_view(name).substr(start, end - start);
    for (size_t s = 0; s < std::size(spellings); ++s) {
      for (size_t part = 0; part < 3; ++part) {
        if (word == spellings[s][part]) return Role{part, s, name.substr(0, start), name.substr(end)};
      }
    }
    end = start > 0 && start == end ? end - 1 : start;
  }
  return std::nullopt;
}

std::string label_of(const Role& role) {
  std::string label = role.before;
  if (role.after != "_proj" && role.after != "_states") label += role.after;
  const auto outer = [](char c) { return std::string_view("._-/: ").find(c) != std::string_view::npos; };
  while (!label.empty() && outer(label.back())) label.pop_back();
  while (!label.empty() && outer(label.front())) label.erase(0, 1);
  if (!label.empty()) return label;
  const auto& words = spellings[role.spelling];
  return fmt::format("{}, {}, {}", words[0], words[1], words[2]);
}

std::vector<std::string> names_in(const TensorFile& file) {
  std::vector<std::string> names;
  for (const TensorInfo& info : file.tensors()) names.push_back(info.name);
  return names;
}

std::vector<QkvChoice> choices_in(const TensorFile& file) {
  const std::vector<std::string> names = names_in(file);
  std::vector<QkvChoice> choices;
  for (const QkvNames& group : guess_qkv(names)) {
    const auto& path = file.path();
    choices.push_back({group.label, {{path, group.names[0]}, {path, group.names[1]}, {path, group.names[2]}}});
  }
  if (!choices.empty()) return choices;
  const bool weights = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name.ends_with("weight") || name.ends_with("bias");
  });
  if (weights) {
    io_fail(file.path(), "holds a model's weights, not its Q, K and V; save these three as a head receives them");
  }
  io_fail(file.path(), fmt::format("holds no tensors named like Q, K and V; name one for each of the three out of {}",
                                   some_of(names)));
}

// One tensor in a file of its own: its siblings by name, or itself three times.
QkvChoice choice_of_one(const fs::path& path) {
  const std::optional<Role> role = role_of(path.stem().native());
  if (!role) {
    return {fmt::format("{} as Q, K and V", printable_path(path.filename())), {{path, ""}, {path, ""}, {path, ""}}};
  }
  std::array<fs::path, 3> files;
  for (size_t part = 0; part < 3; ++part) {
    const std::string stem = role->before + std::string(spellings[role->spelling][part]) + role->after;
    files[part] = path.parent_path() / (stem + path.extension().native());
    std::error_code ignored;
    if (fs::exists(files[part], ignored)) continue;
    io_fail(path,
            fmt::format("is only one of Q, K and V, and {} is not beside it; put it there or name all three files",
                        in_quotes(files[part].filename().native())));
  }
  return {label_of(*role), {{files[0], ""}, {files[1], ""}, {files[2], ""}}};
}

QkvChoice choice_of_three(const std::vector<fs::path>& files) {
  std::array<const fs::path*, 3> by_role{};
  for (const fs::path& file : files) {
    if (const auto role = role_of(file.stem().native())) by_role[role->part] = &file;
  }
  const bool told = by_role[0] && by_role[1] && by_role[2];
  if (!told) by_role = {&files[0], &files[1], &files[2]};
  std::string label;
  for (const fs::path* file : by_role) label += (label.empty() ? "" : ", ") + printable_path(file->filename());
  return {label, {{*by_role[0], ""}, {*by_role[1], ""}, {*by_role[2], ""}}};
}

// The files of a source, each opened once even where two or three tensors share it.
class OpenFiles {
 public:
  explicit OpenFiles(const QkvSource& source) {
    for (const TensorPlace* place : {&source.q, &source.k, &source.v}) {
      if (!files_.contains(place->file)) files_.emplace(place->file, TensorFile(place->file));
    }
  }
  const TensorFile& at(const TensorPlace& place) const { return files_.at(place.file); }

 private:
  std::map<fs::path, TensorFile> files_;
};

// For a person to recognise: the file, what the three are called together, batch and head where there are several.
std::string source_words(const QkvSource& source, const QkvSizes& sizes) {
  std::string words = printable_path(source.q.file.filename());
  if (!source.q.name.empty()) {
    const auto role = role_of(source.q.name);
    words += ", " + printable(role && role->part == 0 ? label_of(*role) : source.q.name);
  }
  if (sizes.batches > 1) words += fmt::format(", batch {}", source.batch + 1);
  if (sizes.heads > 1) words += fmt::format(", head {}", source.head + 1);
  return words;
}

QkvSizes sizes_of(const QkvSource& source, const OpenFiles& files) {
  auto axes = [&](const TensorPlace& place) { return files.at(place).axes(place.name); };
  auto shape = [&](std::string_view role, const TensorPlace& place) {
    const TensorInfo& info = files.at(place).find(place.name);
    return fmt::format("{} ({}) has shape {}", role, in_quotes(info.name), shape_text(info.shape));
  };
  const TensorAxes q = axes(source.q), k = axes(source.k), v = axes(source.v);
  auto differ = [&](std::string_view a, const TensorPlace& at_a, std::string_view b, const TensorPlace& at_b,
                    std::string_view what) {
    io_fail(at_a.file, fmt::format("does not fit: {} and {}; {}", shape(a, at_a), shape(b, at_b), what));
  };
  if (q.cols != k.cols) differ("Q", source.q, "K", source.k, "both need the same d, the last axis");
  if (k.cols != v.cols) differ("K", source.k, "V", source.v, "both need the same d, the last axis");
  if (k.rows != v.rows) differ("K", source.k, "V", source.v, "both need the same N, the last axis but one");
  if (k.heads != v.heads) differ("K", source.k, "V", source.v, "both need the same number of heads");
  if (q.heads % k.heads != 0) {
    differ("Q", source.q, "K", source.k, "Q needs as many heads as K or a multiple of them");
  }
  if (q.batches != k.batches) differ("Q", source.q, "K", source.k, "both need the same number of batches");
  if (k.batches != v.batches) differ("K", source.k, "V", source.v, "both need the same number of batches");
  return {q.batches, q.heads, k.heads, q.rows, k.rows, q.cols};
}

}  // namespace

std::vector<QkvNames> guess_qkv(const std::vector<std::string>& names) {
  struct Group {
    std::string key;
    QkvNames found;
  };
  std::vector<Group> groups;
  std::map<std::string, size_t> by_key;
  for (const std::string& name : names) {
    const auto role = role_of(name);
    if (!role) continue;
    const std::string key = fmt::format("{}\n{}\n{}", role->spelling, role->before, role->after);
    const auto [at, added] = by_key.emplace(key, groups.size());
    if (added) groups.push_back({key, {label_of(*role), {}}});
    groups[at->second].found.names[role->part] = name;
  }
  std::vector<QkvNames> out;
  for (Group& group : groups) {
    const auto& found = group.found.names;
    if (std::none_of(found.begin(), found.end(), [](const auto& name) { return name.empty(); })) {
      out.push_back(std::move(group.found));
    }
  }
  return out;
}

std::vector<QkvChoice> find_qkv(const std::vector<fs::path>& files) {
  if (files.size() != 1 && files.size() != 3) {
    throw IoError(fmt::format("{} files were named for Q, K and V; name one .safetensors file or three .npy files.",
                              files.size()));
  }
  // All are opened first: a file that cannot be read is a better answer than a guess about it.
  std::vector<TensorFile> open;
  for (const fs::path& path : files) open.emplace_back(path);
  if (files.size() == 1) {
    if (open[0].tensors().size() > 1) return choices_in(open[0]);
    return {choice_of_one(files[0])};
  }
  for (const TensorFile& file : open) file.find("");
  return {choice_of_three(files)};
}

QkvSizes qkv_sizes(const QkvSource& source) { return sizes_of(source, OpenFiles(source)); }

Qkv load_qkv(const QkvSource& source) {
  const OpenFiles files(source);
  Qkv qkv;
  qkv.sizes = sizes_of(source, files);
  const int64_t group = qkv.sizes.heads / qkv.sizes.kv_heads;
  // Q first: an index out of range is then told in Q's heads, as it was given.
  Slice q = files.at(source.q).load(source.q.name, source.batch, source.head);
  Slice k = files.at(source.k).load(source.k.name, source.batch, source.head / group);
  Slice v = files.at(source.v).load(source.v.name, source.batch, source.head / group);
  qkv.q_format = q.format;
  qkv.k_format = k.format;
  qkv.v_format = v.format;
  qkv.inputs = {std::move(q.values), std::move(k.values), std::move(v.values), source_words(source, qkv.sizes)};
  return qkv;
}

}  // namespace tilewalk
