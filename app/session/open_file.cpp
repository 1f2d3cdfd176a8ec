#include "app/session/open_file.h"

#include "app/session/go_to.h"
#include "app/session/lesson_moves.h"
#include "app/session/overlays.h"
#include "app/session/transport.h"
#include "app/session/write_moves.h"
#include "core/io/paths.h"
#include "core/io/qkv.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

bool opens(const fs::path& path) {
  return path.extension() == ".npy" || path.extension() == ".safetensors" || is_program_file(path);
}

// Tiles of 16 rows, larger where the problem would come out in more than 64 of them.
int64_t tile_rows(int64_t n) {
  int64_t rows = 16;
  while (n / rows > 64) rows *= 2;
  return rows;
}

std::string first_message(const std::vector<Fault>& faults) { return faults.empty() ? "" : faults.front().message; }

std::string walk_head(Session& session, ViewState& view, const QkvChoice& choice, int64_t head) {
  QkvSource source = choice.source;
  source.head = head;
  Qkv qkv = load_qkv(source);
  Setup setup = session.setup();
  setup.preset = "file";
  setup.problem.batch = setup.problem.heads = 1;
  setup.problem.distribution = Distribution::Custom;
  setup.problem.scale = 0;
  const bool one_format = qkv.q_format == qkv.k_format && qkv.q_format == qkv.v_format;
  setup.problem.format = one_format ? qkv.q_format : Format::Float32;
  setup.problem.br = tile_rows(qkv.sizes.n_q);
  setup.problem.bc = tile_rows(qkv.sizes.n_k);
  if (setup.machine == "toy") setup.machine = default_machine().id;
  const int64_t heads = qkv.sizes.heads;
  const std::vector<Fault> faults = session.change(setup, std::move(qkv.inputs));
  if (!faults.empty()) return first_message(faults);
  view.file_heads = int(heads);
  view.file_head = int(head);
  view.row = 0;
  seek(session.walk(), view, 0);
  return {};
}

}  // namespace

void list_folder(Picker& picker, const fs::path& wanted) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(fs::absolute(wanted, error), error);
  fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, error);
  if (error) {
    picker.fault = fmt::format("The folder {} cannot be read: {}.", folder.string(), error.message());
    return;
  }
  std::vector<Picker::Row> folders, files;
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.')) continue;
    std::error_code ignored;
    if (entry.is_directory(ignored)) {
      folders.push_back({true, name, "", entry.path()});
    } else if (opens(entry.path()) && entry.is_regular_file(ignored)) {
      const auto size = entry.file_size(ignored);
      files.push_back({false, name, ignored ? "" : bytes_words(int64_t(size)), entry.path()});
    }
  }
  const auto by_title = [](const Picker::Row& a, const Picker::Row& b) { return a.title < b.title; };
  std::ranges::sort(folders, by_title);
  std::ranges::sort(files, by_title);
  picker.rows.clear();
  if (folder.has_parent_path() && folder.parent_path() != folder)
    picker.rows.push_back({true, "..", "the folder above", folder.parent_path()});
  picker.rows.insert(picker.rows.end(), files.begin(), files.end());
  picker.rows.insert(picker.rows.end(), folders.begin(), folders.end());
  picker.folder = folder;
  picker.top = 0;
  picker.fault.clear();
}

void open_picker(ViewState& view) {
  close_overlays(view);
  view.over = FileList{};
  view.wishes.pick_files = true;
  view.picker.fault.clear();
  std::error_code error;
  list_folder(view.picker, view.picker.folder.empty() ? fs::current_path(error) : view.picker.folder);
}

void pick(Session& session, ViewState& view, size_t row) {
  Picker& picker = view.picker;
  if (row >= picker.rows.size()) return;
  const Picker::Row chosen = picker.rows[row];
  if (chosen.folder) return list_folder(picker, chosen.path);
  picker.fault = is_program_file(chosen.path) ? open_program(session, view, chosen.path)
                                              : open_files(session, view, {chosen.path});
  if (picker.fault.empty()) view.over = {};
}

std::string open_files(Session& session, ViewState& view, const std::vector<fs::path>& files, int group, int head) {
  try {
    const std::vector<QkvChoice> choices = find_qkv(files);
    std::string fault;
    for (int g = std::max(group, 0); g < int(choices.size()); ++g) {
      try {
        fault = walk_head(session, view, choices[size_t(g)], head);
      } catch (const IoError& error) {
        fault = error.what();
      }
      if (!fault.empty() && group < 0) continue;
      if (!fault.empty()) return fault;
      if (group < 0) drop_lesson(view);
      view.files = files;
      view.file_groups.clear();
      for (const QkvChoice& choice : choices) view.file_groups.push_back(choice.label);
      view.file_group = g;
      view.notice = fmt::format("Opened {}.", session.inputs().source);
      return {};
    }
    return fault.empty() ? "There is no such group of tensors in the file." : fault;
  } catch (const IoError& error) {
    return error.what();
  }
}

std::string open_head(Session& session, ViewState& view, int group, int head) {
  if (view.files.empty()) return "No file is open.";
  return open_files(session, view, view.files, group, head);
}

std::optional<fs::path> real_head_file() {
  constexpr const char *kInstalled = "inputs/induction-head.safetensors",
                       *kInTree = "assets/inputs/induction-head.safetensors";
  const std::vector<fs::path> found = program_data(read_environment().program.parent_path(), kInstalled, kInTree);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

bool on_real_head(const Session& session, const ViewState& view) {
  const auto file = real_head_file();
  return file && session.setup().preset == "file" && view.files.size() == 1 && view.files.front() == *file;
}

std::string open_real_head(Session& session, ViewState& view) {
  const std::optional<fs::path> file = real_head_file();
  if (!file) return "The real head is missing: inputs/induction-head.safetensors was not found beside the program.";

  // The mask must be there before the inputs are: the head was trained with it.
  const Setup before = session.setup();
  Setup causal = before;
  causal.problem.mask = Mask::Causal;
  causal.machine = std::string(default_machine().id);
  if (std::string fault = first_message(session.change(causal)); !fault.empty()) return fault;
  std::string fault = open_files(session, view, {*file}, 1, 0);
  if (!fault.empty()) {
    session.change(before);
    return fault;
  }
  view.row = 40;
  go_to("row max of Q tile 3 and K tile 2", session, view);
  view.notice = "A trained head: row 41's max jumps where the matching key arrives.";
  return {};
}

}  // namespace tilewalk
