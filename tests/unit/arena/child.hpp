// SPDX-License-Identifier: Apache-2.0
// Runs tests in a child process if they end their process or change it for good (the arena is reserved once
// per process).
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <string>

namespace skein::test {

struct ChildEnd {
  int exit_status = -1;  ///< -1: ended by a signal
  int signal = 0;
  std::string errors;  ///< what the child wrote to standard error
};

/// Runs `work` in a forked child, which exits with status 0 if it returns.
template <class Work>
ChildEnd run_in_child(Work&& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    const rlimit no_core{};
    setrlimit(RLIMIT_CORE, &no_core);
    for (int number : {SIGABRT, SIGBUS, SIGSEGV}) std::signal(number, SIG_DFL);  // not doctest's report
    work();
    _exit(0);
  }
  close(ends[1]);
  ChildEnd end;
  std::array<char, 4096> text{};
  ssize_t got;
  while ((got = read(ends[0], text.data(), text.size())) > 0)
    end.errors.append(text.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return {};
  if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

}  // namespace skein::test

/// Checks a condition in a child: if it is false, the child prints where and exits with status 1.
#define CHILD_CHECK(condition)                                                      \
  do {                                                                              \
    if (!(condition)) {                                                             \
      std::fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
      _exit(1);                                                                     \
    }                                                                               \
  } while (false)

/// Checks in the parent that the child exited with status 0.
#define CHECK_CHILD_PASSED(end)         \
  do {                                  \
    const auto& child_end_ = (end);     \
    INFO(child_end_.errors);            \
    CHECK(child_end_.signal == 0);      \
    CHECK(child_end_.exit_status == 0); \
  } while (false)
