// SPDX-License-Identifier: Apache-2.0
// Runs code that ends its process, in a child.
#pragma once

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace skein::test {

struct Ending {
  std::string said;
  int status;
};

/// Runs `f` in a child and reads the child's standard error.
template <class F>
Ending ending_of(F f) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);  // doctest's handler must not report
    f();
    _exit(0);
  }
  close(ends[1]);
  Ending ending{};
  char piece[4096];
  for (ssize_t got; (got = read(ends[0], piece, sizeof piece)) > 0;)
    ending.said.append(piece, static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child, &ending.status, 0);
  return ending;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace skein::test
