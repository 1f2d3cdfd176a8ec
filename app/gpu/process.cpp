#include "app/gpu/process.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>

extern char** environ;

namespace tilewalk {
namespace {

Spawned failed(int fault) {
  Spawned none;
  none.fault = fault;
  return none;
}

Fd open_pidfd(pid_t pid) {
#ifdef SYS_pidfd_open
  return Fd(int(syscall(SYS_pidfd_open, pid, 0)));
#else
  (void)pid;
  return Fd();
#endif
}

}  // namespace

bool make_pipe(Fd& read, Fd& write) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  read = Fd(ends[0]);
  write = Fd(ends[1]);
  return true;
}

void set_nonblocking(const Fd& fd) { fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

Spawned spawn(const std::vector<std::string>& argv) {
  Spawned process;
  Fd its_in, its_out, its_err;
  if (!make_pipe(its_in, process.in) || !make_pipe(process.out, its_out) || !make_pipe(process.err, its_err))
    return failed(errno);
  for (const Fd* fd : {&process.in, &process.out, &process.err}) set_nonblocking(*fd);

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, its_in.get(), 0);
  posix_spawn_file_actions_adddup2(&files, its_out.get(), 1);
  posix_spawn_file_actions_adddup2(&files, its_err.get(), 2);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (int signal : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) sigaddset(&usual, signal);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int fault =
      argv.empty() ? ENOENT : posix_spawnp(&process.pid, words[0], &files, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (fault != 0) return failed(fault);
  process.pidfd = open_pidfd(process.pid);
  return process;
}

}  // namespace tilewalk
