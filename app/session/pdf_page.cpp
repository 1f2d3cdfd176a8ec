#include "app/session/pdf_page.h"

#include "app/gpu/process.h"
#include "app/scene/image_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include <poll.h>
#include <sys/wait.h>

namespace tilewalk {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);

// All that the process writes, until it ends; it is ended where it takes too long or writes too much.
struct PageBytes {
  std::string bytes;
  bool late = false, large = false;
};
PageBytes read_all(Spawned& process) {
  PageBytes out;
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd ready{process.out.get(), POLLIN, 0};
    if (left.count() <= 0 || (poll(&ready, 1, int(left.count())) == 0)) {
      out.late = true;
      break;
    }
    char part[1 << 16];
    const ssize_t got = read(process.out.get(), part, sizeof part);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) break;
    out.bytes.append(part, size_t(got));
    if (out.large = out.bytes.size() > kMostImageBytes; out.large) break;
  }
  if (out.late || out.large) kill(-process.pid, SIGKILL);  // it leads a group of its own
  while (waitpid(process.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return out;
}

}  // namespace

PdfPage draw_pdf_page(const std::filesystem::path& file, int page) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(file, error);
  if (!std::filesystem::is_regular_file(whole, error)) return {{}, "is not there"};
  const std::string number = std::to_string(page), width = std::to_string(kImageWidth);
  Spawned process =
      spawn({"pdftoppm", "-png", "-singlefile", "-f", number, "-l", number, "-scale-to", width, whole.string()});
  if (process.fault == ENOENT)
    return {{},
            "needs pdftoppm to be shown, which is not installed here: it comes with poppler (poppler-utils); or "
            "export the page as PNG"};
  if (process.fault)
    return {{}, fmt::format("is not shown: pdftoppm does not start: {}", std::strerror(process.fault))};
  process.in.close();
  const PageBytes written = read_all(process);
  if (written.late)
    return {
        {},
        fmt::format("takes pdftoppm longer than {} s for page {}; export the page as PNG", kPatience.count(), page)};
  if (written.large) return {{}, fmt::format("makes a picture of more than {} MB", kMostImageBytes >> 20)};
  if (written.bytes.empty()) return {{}, fmt::format("has no page {}, or is no PDF that pdftoppm reads", page)};
  return {written.bytes, {}};
}

}  // namespace tilewalk
