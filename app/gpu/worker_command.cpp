#include "app/gpu/worker_client.h"

#include <algorithm>
#include <cstring>

namespace tilewalk {

WorkerCommand worker_command(std::string_view typed, const std::filesystem::path& program_folder) {
  if (typed.find_first_not_of(" \t") == std::string_view::npos) {
    const std::filesystem::path beside = program_folder / "tilewalk-gpu";
    std::error_code ignored;
    if (program_folder.empty() || !std::filesystem::exists(beside, ignored)) return {};
    WorkerCommand own;
    own.argv = {beside.string(), "serve"};
    return own;
  }
  WorkerCommand command;
  command.argv = {"/bin/sh", "-c", std::string(typed)};
  // "ssh -p 22 user@host ...": the first word that is no option nor an option's value.
  std::vector<std::string> words;
  for (size_t at = 0; at < typed.size();) {
    const size_t begin = typed.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(typed.find_first_of(" \t", begin), typed.size());
    words.emplace_back(typed.substr(begin, at - begin));
  }
  if (std::filesystem::path(words.front()).filename() == "ssh")
    for (size_t k = 1; k < words.size() && command.host.empty(); ++k) {
      if (words[k][0] != '-')
        command.host = words[k].substr(words[k].find('@') + 1);
      else if (words[k].size() == 2 && std::strchr("BbcDEeFIiJLlmOoPpRSWw", words[k][1]))
        ++k;
    }
  return command;
}

}  // namespace tilewalk
