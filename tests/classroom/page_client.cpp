#include "tests/classroom/page_client.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <utility>

namespace tilewalk {
namespace {

int connected(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(uint16_t(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    close(fd);
    return -1;
  }
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

bool readable(int fd, int milliseconds) {
  pollfd one{fd, POLLIN, 0};
  return poll(&one, 1, milliseconds) > 0;
}

}  // namespace

// A context that cannot be opened leaves some bytes in libwebsockets 4.1.
extern "C" const char* __lsan_default_suppressions() { return "leak:libwebsockets"; }

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string http_answer(int port, std::string_view request) {
  const int fd = connected(port);
  if (fd < 0) return {};
  (void)!send(fd, request.data(), request.size(), MSG_NOSIGNAL);
  std::string all;
  char part[4096];
  while (readable(fd, 3000)) {
    const ssize_t got = recv(fd, part, sizeof part, 0);
    if (got <= 0) break;
    all.append(part, size_t(got));
  }
  close(fd);
  return all;
}

int raw_connection(int port, std::string_view begins) {
  const int fd = connected(port);
  if (fd >= 0 && !begins.empty()) (void)!send(fd, begins.data(), begins.size(), MSG_NOSIGNAL);
  return fd;
}

PageClient::PageClient(int port, const Opening& opening) : fd_(connected(port)) {
  std::string request = fmt::format(
      "GET /class HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
      port);
  if (!opening.protocol.empty()) request += "Sec-WebSocket-Protocol: " + opening.protocol + "\r\n";
  if (!opening.origin.empty()) request += "Origin: " + opening.origin + "\r\n";
  send_raw(request + "\r\n");
  // As a browser does, which says nothing before the server has answered.
  for (const double until = steady_seconds() + 5; open() && !upgraded_ && steady_seconds() < until;) read(200);
}

PageClient::PageClient(PageClient&& other) noexcept
    : messages(std::move(other.messages)),
      fd_(std::exchange(other.fd_, -1)),
      upgraded_(other.upgraded_),
      bytes_(std::move(other.bytes_)) {}

PageClient::~PageClient() { vanish(); }

void PageClient::vanish() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

void PageClient::send_raw(std::string_view bytes) {
  while (fd_ >= 0 && !bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return vanish();
    bytes.remove_prefix(size_t(sent));
  }
}

void PageClient::send_text(std::string_view text) {
  std::string frame{'\x81'};
  if (text.size() < 126) {
    frame += char(0x80 | text.size());
  } else if (text.size() < 65536) {
    frame += char(0x80 | 126);
    frame += char(text.size() >> 8);
    frame += char(text.size());
  } else {
    frame += char(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8) frame += char(uint64_t(text.size()) >> shift);
  }
  constexpr char kMask[4] = {0x12, 0x34, 0x56, 0x78};
  frame.append(kMask, 4);
  for (size_t k = 0; k < text.size(); ++k) frame += char(text[k] ^ kMask[k % 4]);
  send_raw(frame);
}

void PageClient::read(int milliseconds) {
  while (fd_ >= 0 && readable(fd_, milliseconds)) {
    char part[16384];
    const ssize_t got = recv(fd_, part, sizeof part, MSG_DONTWAIT);
    if (got <= 0) {
      vanish();
      break;
    }
    bytes_.append(part, size_t(got));
    milliseconds = 0;
  }
  take_frames();
}

void PageClient::take_frames() {
  if (!upgraded_) {
    const size_t end = bytes_.find("\r\n\r\n");
    if (end == bytes_.npos) return;
    upgraded_ = bytes_.starts_with("HTTP/1.1 101");
    if (!upgraded_) return;
    bytes_.erase(0, end + 4);
  }
  while (bytes_.size() >= 2) {
    const auto byte = [&](size_t at) { return uint64_t(uint8_t(bytes_[at])); };
    uint64_t size = byte(1) & 127;
    size_t head = 2;
    if (size == 126) head = 4;
    if (size == 127) head = 10;
    if (bytes_.size() < head) return;
    if (head > 2) {
      size = 0;
      for (size_t at = 2; at < head; ++at) size = size << 8 | byte(at);
    }
    if (bytes_.size() < head + size) return;
    const int kind = int(byte(0) & 15);
    if (kind == 1) messages.push_back(bytes_.substr(head, size));
    if (kind == 9) {  // asked whether it is there
      constexpr char kPong[] = {char(0x8a), char(0x80), 0, 0, 0, 0};
      send_raw({kPong, sizeof kPong});
    }
    bytes_.erase(0, head + size);
    if (kind == 8) return vanish();
  }
}

std::vector<double> await_all(std::vector<PageClient>& pages, std::string_view words, double seconds) {
  std::vector<double> when(pages.size(), -1);
  const double until = steady_seconds() + seconds;
  size_t left = pages.size();
  while (left > 0 && steady_seconds() < until) {
    std::vector<pollfd> ready;
    for (const PageClient& page : pages) ready.push_back({page.fd(), POLLIN, 0});
    poll(ready.data(), nfds_t(ready.size()), 50);
    for (size_t k = 0; k < pages.size(); ++k) {
      if (!(ready[k].revents & POLLIN)) continue;
      pages[k].read(0);
      for (const std::string& message : pages[k].messages)
        if (when[k] < 0 && message.find(words) != message.npos) when[k] = steady_seconds(), --left;
      pages[k].messages.clear();
    }
  }
  return when;
}

}  // namespace tilewalk
