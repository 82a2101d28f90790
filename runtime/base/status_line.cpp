// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/status_line.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace skein {
namespace {

constexpr int kLeastRows = 5, kLeastColumns = 20;

/// The rows of the terminal that the region was made for; 0: there is no region. Handlers write it, too.
volatile sig_atomic_t shown_rows = 0;

/// Saves the cursor, removes the region (which sends the cursor to the top), restores the cursor, clears all
/// below it.
constexpr char kWholeScreen[] = "\0337\033[r\0338\033[J";
/// Moves down a line and up again: then the cursor is not in the last row, which leaves the region.
constexpr char kMakeRoom[] = "\033D\033M";

bool size_of_terminal(winsize& size) {
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row >= kLeastRows &&
         size.ws_col >= kLeastColumns;
}

/// Handles a signal that would stop or end the process: erases the line, then lets the signal act.
void erase_and_raise(int signal) {
  erase_status_line();
  raise(signal == SIGTSTP ? SIGSTOP : signal);
}

/// Takes the signals that standard_output.hpp does not take, unless they are handled already.
void take_signals() {
  for (const int signal : {SIGTSTP, SIGQUIT}) {
    struct sigaction action {};
    action.sa_handler = erase_and_raise;
    action.sa_flags = SA_ONSTACK | SA_RESTART | (signal == SIGTSTP ? 0 : SA_RESETHAND | SA_NODEFER);
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

bool can_show_status_line(bool though_piped) {
  winsize size{};
  const char* const kind = getenv("TERM");
  if (!isatty(STDERR_FILENO) || !kind || !*kind || !strcmp(kind, "dumb") || !size_of_terminal(size))
    return false;
  struct stat output {};
  return though_piped || fstat(STDOUT_FILENO, &output) != 0 ||
         !(S_ISFIFO(output.st_mode) || S_ISSOCK(output.st_mode));
}

void show_status_line(const char* text) {
  winsize size{};
  if (!size_of_terminal(size)) return erase_status_line();
  take_signals();
  if (shown_rows != size.ws_row) erase_status_line();
  char all[512];
  const int length =
      snprintf(all, sizeof all, "%s\0337\033[1;%dr\033[%d;1H\033[K%.*s\0338", shown_rows ? "" : kMakeRoom,
               size.ws_row - 1, size.ws_row, std::min(size.ws_col - 1, 300), text);
  shown_rows = size.ws_row;
  (void)!write(STDERR_FILENO, all, static_cast<std::size_t>(length));
}

void erase_status_line() {
  if (shown_rows == 0) return;
  shown_rows = 0;
  erase_foreign_status_line();
}

void erase_foreign_status_line() { (void)!write(STDERR_FILENO, kWholeScreen, sizeof kWholeScreen - 1); }

}  // namespace skein
