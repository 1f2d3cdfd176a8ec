// Where the program keeps its files: the XDG base directories, or one folder beside the program. Finding them changes
// nothing on disk; folders are made when something is first written.
// Source: XDG Base Directory Specification 0.8; xdg-user-dirs for the folder of pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// What the answer depends on. A variable that is set but empty counts as unset.
struct Environment {
  std::optional<std::string> xdg_config_home, xdg_data_home, xdg_state_home, xdg_cache_home;
  std::optional<std::string> home;         // $HOME
  std::optional<std::string> passwd_home;  // the account's home folder, for when HOME is missing
  std::optional<std::string> xdg_pictures_dir;
  std::filesystem::path program;  // the running binary; empty where the system does not tell
};
Environment read_environment();

// Our own folders, absolute. One that is empty has no place: what belongs there is not kept.
struct Folders {
  std::filesystem::path config, data, state, cache;
  std::string notice;  // one sentence when some folder has no place, otherwise empty
};

// `portable` keeps everything in tilewalk-data beside the program. Relative values of XDG variables and of HOME are
// ignored, as the specification says.
Folders find_folders(const Environment& environment, bool portable);

// What comes with the program and is there: PREFIX/share/tilewalk/`installed` for a program in PREFIX/bin, and
// `in_tree` of the checkout for one in the build folder's bin. No other folder near the program is looked at: those
// above it may be anybody's. Nor is one that others may write to although they may not write to the program's own.
std::vector<std::filesystem::path> program_data(const std::filesystem::path& program_folder, std::string_view installed,
                                                std::string_view in_tree);

// Where pictures and tables go that a person saves: XDG_PICTURES_DIR where it is set and absolute; empty otherwise,
// which is the working folder.
std::filesystem::path find_pictures(const Environment& environment);

// The path in "file:///home/a%20b", as desktops name a file; nothing where it is another kind of address.
// Source: RFC 8089, section 2.
std::optional<std::filesystem::path> path_of_url(std::string_view url);

// Makes the folder and those above it that are missing, all with permissions 0700. IoError (core/io/file.h) otherwise.
void make_folder(const std::filesystem::path& folder);

}  // namespace tilewalk
