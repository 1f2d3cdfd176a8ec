// Starting a process with three pipes to it. It leads a process group of its own, with every signal as usual.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

namespace tilewalk {

// A file descriptor that is closed with its owner.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { close(); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

bool make_pipe(Fd& read, Fd& write);  // closed in processes that are started; false: errno says why
void set_nonblocking(const Fd& fd);

struct Spawned {
  pid_t pid = -1;
  Fd in, out, err;  // our ends of its standard streams, non-blocking
  Fd pidfd;         // readable once it has ended; empty where the system has none
  int fault = 0;    // an errno: it was not started, and all else is empty
};

// Looks for argv[0] in PATH.
Spawned spawn(const std::vector<std::string>& argv);

}  // namespace tilewalk
