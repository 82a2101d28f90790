// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/resizing.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "runtime/base/error.hpp"

namespace skein::checkpoint {
namespace {

std::string wanted(const std::string& folder) { return folder + "/resize"; }
std::string state_wish(const std::string& folder) { return folder + "/wanted"; }
std::string granted(const std::string& folder) { return folder + "/granted"; }
std::string obeyed(const std::string& folder) { return folder + "/resized"; }
std::string refused(const std::string& folder) { return folder + "/refused"; }

void put(const std::string& path, int number) {
  const std::string writing = path + ".new";
  std::ofstream file(writing);
  file << number << '\n';
  file.close();
  if (!file || rename(writing.c_str(), path.c_str()) != 0)
    throw Error(format("%s: cannot be written: %s", writing.c_str(), strerror(errno)));
}

int read_number(const std::string& path) {
  int number = 0;
  std::ifstream(path) >> number;
  return number;
}

volatile sig_atomic_t wish_by_signal = 0;

}  // namespace

void let_signals_want_states() {
  for (const int number : {SIGUSR1, SIGUSR2}) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = [](int) { wish_by_signal = 1; };
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    sigaction(number, &action, nullptr);
  }
}
bool take_signalled_wish() {
  if (wish_by_signal == 0) return false;
  wish_by_signal = 0;
  return true;
}
void renew_signalled_wish() { wish_by_signal = 1; }

void want_state(const std::string& folder) { put(state_wish(folder), 1); }

bool state_is_wanted(const std::string& folder) { return access(state_wish(folder).c_str(), F_OK) == 0; }

bool state_is_awaited(const std::string& folder) {
  // Asks again, because a grant may have been taken back between the two calls.
  return state_is_wanted(folder) || access(granted(folder).c_str(), F_OK) == 0 || state_is_wanted(folder);
}

void want_no_state(const std::string& folder) { (void)unlink(state_wish(folder).c_str()); }

void grant_state(const std::string& folder) {
  (void)rename(state_wish(folder).c_str(), granted(folder).c_str());
}

void end_grant(const std::string& folder, bool valid) {
  if (valid)
    (void)unlink(granted(folder).c_str());
  else
    (void)rename(granted(folder).c_str(), state_wish(folder).c_str());
}

void want_size(const std::string& folder, int pes) { put(wanted(folder), pes); }

void want_no_size(const std::string& folder) { (void)unlink(wanted(folder).c_str()); }

bool other_size_is_wanted(const std::string& folder) { return access(wanted(folder).c_str(), F_OK) == 0; }

int wanted_size(const std::string& folder) { return read_number(wanted(folder)); }

void refuse_size(const std::string& folder) { (void)rename(wanted(folder).c_str(), refused(folder).c_str()); }

bool take_refusal(const std::string& folder) { return unlink(refused(folder).c_str()) == 0; }

bool obey_size(const std::string& folder) {
  return rename(wanted(folder).c_str(), obeyed(folder).c_str()) == 0;
}

int take_size(const std::string& folder) {
  const int pes = read_number(obeyed(folder));
  (void)unlink(obeyed(folder).c_str());
  return pes;
}

}  // namespace skein::checkpoint
