#include "app/cli/classroom.h"

#include "app/classroom/qr.h"
#include "app/classroom/server.h"
#include "app/gpu/worker_client.h"
#include "core/classroom/invitation.h"
#include "core/io/file.h"
#include "core/io/number.h"
#include "core/io/paths.h"
#include "core/io/printable.h"

#include <CLI/CLI.hpp>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;

// "0.0.0.0:8660", "[::1]:8660", "8660": address and port.
std::pair<std::string, int> place_of(const std::string& listen) {
  const size_t colon = listen.rfind(':');
  const bool alone = colon == listen.npos;
  std::string address = alone ? "127.0.0.1" : listen.substr(0, colon);
  if (address.size() > 2 && address.front() == '[' && address.back() == ']')
    address = address.substr(1, address.size() - 2);
  const auto port = number_of<int>(std::string_view(listen).substr(alone ? 0 : colon + 1));
  if (!port || *port < 0 || *port > 65535 || address.empty())
    throw CommandError(kUsage,
                       fmt::format("--listen is an address and a port, as in 0.0.0.0:8660, and not \"{}\".", listen));
  return {address, *port};
}

// The page's address, of what people type behind --address; empty where nothing stands there.
std::string named_address(const std::string& typed) {
  if (typed.empty()) return {};
  const ReadInvitation read = read_invitation(typed + " aaa-aaa");  // as with a code
  if (!read.fault.empty() || read.invitation.page.empty())
    throw CommandError(kUsage,
                       fmt::format("--address is what people type, as in https://class.example.org/, and not \"{}\".",
                                   printable(typed)));
  return read.invitation.page;
}

// The first address of this computer that others can reach.
std::string outside_address() {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return {};
  std::string found;
  for (const ifaddrs* each = all; each && found.empty(); each = each->ifa_next) {
    if (!each->ifa_addr || each->ifa_addr->sa_family != AF_INET) continue;
    if ((each->ifa_flags & IFF_LOOPBACK) != 0 || (each->ifa_flags & IFF_UP) == 0) continue;
    char words[INET_ADDRSTRLEN] = "";
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(each->ifa_addr)->sin_addr, words, sizeof words);
    found = words;
  }
  freeifaddrs(all);
  return found;
}

ClassServer* stopping = nullptr;  // what Ctrl+C stops
void stop_class(int) {
  if (stopping) stopping->stop();
}

uint64_t random_bits() {
  std::random_device device;
  return (uint64_t(device()) << 32) | uint64_t(device());
}

}  // namespace

ClassCommand::ClassCommand(CLI::App& command) {
  command.add_option("--listen", listen_, "address and port; 0.0.0.0:8660 for all who reach this computer")
      ->type_name("ADDRESS:PORT");
  command.add_option("--address", address_, "what people type to reach it, where that is another one: a name, a proxy")
      ->type_name("URL");
  command
      .add_option("--worker", workers_,
                  "a command that starts a GPU worker, \"ssh gpubox tilewalk-gpu serve\"; repeatable")
      ->type_name("COMMAND");
  command.add_flag("--no-worker", no_worker_, "recordings alone, also where there is a GPU");
  command.add_option("--site", site_, "the page for browsers, as ./run --web builds it")->type_name("FOLDER");
  command.add_option("--code", code_, "the join code; without it one is made up")->type_name("CODE");
  command.add_option("--keep", keep_, "the file that the class leaves, and goes on from")->type_name("FILE");
  command.add_option("--cert", certificate_, "certificate for TLS, with --key")->type_name("FILE");
  command.add_option("--key", key_, "its private key")->type_name("FILE");
  command.add_flag("--log-addresses", log_addresses_, "say from which addresses pages connect");
  command.footer("Serves 127.0.0.1 alone until --listen says otherwise. Ctrl+C ends it.");
}

void ClassCommand::run(Console& console) const {
  ServerSettings settings;
  std::tie(settings.address, settings.port) = place_of(listen_);
  if (certificate_.empty() != key_.empty()) throw CommandError(kUsage, "--cert and --key belong together.");
  const std::string named = named_address(address_);
  if (!workers_.empty() && no_worker_) throw CommandError(kUsage, "--worker and --no-worker exclude each other.");
  const fs::path program_folder = read_environment().program.parent_path();
  settings.site = site_;
  if (site_.empty())
    for (const fs::path& there : program_data(program_folder, "site", "build-web/site"))
      if (settings.site.empty()) settings.site = there;
  settings.certificate = certificate_;
  settings.key = key_;
  settings.keep = keep_;
  settings.log_addresses = log_addresses_;
  for (const std::string& typed : workers_) settings.workers.push_back(worker_command(typed, {}).argv);
  if (workers_.empty() && !no_worker_)
    if (const WorkerCommand own = worker_command("", program_folder); !own.argv.empty())
      settings.workers.push_back(own.argv);

  const auto say = [&](const std::string& words) {
    fmt::print(console.err, "{}\n", words);
    console.err.flush();
  };
  const bool tls = !settings.certificate.empty(), any = settings.address == "0.0.0.0" || settings.address == "::";
  const bool gpu = !settings.workers.empty();
  const fs::path site = settings.site;
  const std::string address = settings.address;
  const std::string shown = any ? outside_address() : address;
  const std::string host = shown.empty() ? "localhost" : shown.find(':') != shown.npos ? "[" + shown + "]" : shown;
  std::optional<ClassServer> server;
  try {
    server.emplace(std::move(settings), code_.empty() ? join_code(random_bits()) : code_,
                   secret_of(random_bits(), random_bits()), say);
  } catch (const std::exception& error) {
    throw CommandError(kFailure, error.what());
  }
  const std::string url =
      named.empty() ? fmt::format("{}://{}:{}/", tls ? "https" : "http", host, server->port()) : named;
  const std::string join = fmt::format("{}#class/{}", url, server->room().code());
  server->invite(fmt::format("{} {}", url, server->room().code()), qr_rows(join));
  fmt::print(console.out, "{}", qr_lines(join));
  fmt::print(console.out, "Join at   {}\nCode      {}\nTeach at  {}#class/{}/{}\n", url, server->room().code(), url,
             server->room().code(), server->room().secret());
  fmt::print(console.out, "{}\n{}\n", gpu ? "GPU runs are shared by all." : "No GPU: recordings are shown.",
             site.empty()            ? "The page for browsers is not here: ./run --web --no-serve builds it."
             : any || !named.empty() ? "Everybody who reaches this address and knows the code can join."
                                     : "Only this computer can join: --listen 0.0.0.0:8660 opens the class to others.");
  console.out.flush();
  stopping = &*server;
  std::signal(SIGINT, stop_class);
  std::signal(SIGTERM, stop_class);
  server->run();
  stopping = nullptr;
  if (keep_.empty()) return;
  const fs::path summary = fs::path(keep_).replace_extension(".md");
  try {
    write_file(summary, summary_text(server->room().left()));
    fmt::print(console.out, "What the class came to is in {}.\n", summary.string());
  } catch (const IoError& error) {
    throw CommandError(kFailure, error.what());
  }
}

}  // namespace tilewalk
