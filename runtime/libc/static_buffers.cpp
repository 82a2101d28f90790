// SPDX-License-Identifier: Apache-2.0
// Functions whose result, or whose position in a string, the C library keeps in a static buffer: here the
// buffer is the rank's, so that it survives calls of other ranks and moves.
#include <arpa/inet.h>
#include <search.h>
#include <signal.h>
#include <time.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"

namespace skein::libc {
namespace {

char* rank_strtok(char* text, const char* delimiters) {
  return strtok_r(text, delimiters, &library_state("strtok").strtok_next);
}

/// Copies the zone's name, which is the process's memory, beside the result.
tm* keep_zone(LibraryState& state, tm* result) {
  if (!result || !result->tm_zone) return result;
  snprintf(state.zone_name, sizeof state.zone_name, "%s", result->tm_zone);
  result->tm_zone = state.zone_name;
  return result;
}

tm* rank_localtime(const time_t* time) {
  LibraryState& state = library_state("localtime");
  fiber::RuntimeScope runtime;  // the process keeps the time zone's tables
  return keep_zone(state, localtime_r(time, &state.broken_down_time));
}
tm* rank_gmtime(const time_t* time) {
  LibraryState& state = library_state("gmtime");
  return keep_zone(state, gmtime_r(time, &state.broken_down_time));
}
char* rank_asctime(const tm* time) { return asctime_r(time, library_state("asctime").time_text); }
char* rank_ctime(const time_t* time) {
  const tm* broken_down = rank_localtime(time);
  return broken_down ? rank_asctime(broken_down) : nullptr;
}

const char* rank_strerror(int error_number) {
  char* message = library_state("strerror").message;
  return strerror_r(error_number, message, sizeof LibraryState::message);
}

const char* rank_strsignal(int signal_number) {
  if (const char* description = sigdescr_np(signal_number)) return description;
  char* message = library_state("strsignal").message;
  if (signal_number >= SIGRTMIN && signal_number <= SIGRTMAX)
    snprintf(message, sizeof LibraryState::message, "Real-time signal %d", signal_number - SIGRTMIN);
  else
    snprintf(message, sizeof LibraryState::message, "Unknown signal %d", signal_number);
  return message;
}

int rank_hcreate(std::size_t entries) { return hcreate_r(entries, &library_state("hcreate").hash_table); }
ENTRY* rank_hsearch(ENTRY item, ACTION action) {
  ENTRY* found = nullptr;
  hsearch_r(item, action, &found, &library_state("hsearch").hash_table);
  return found;
}
void rank_hdestroy() { hdestroy_r(&library_state("hdestroy").hash_table); }

char* rank_ptsname(int terminal) {
  char* text = library_state("ptsname").pseudo_terminal;
  const int error = ptsname_r(terminal, text, sizeof LibraryState::pseudo_terminal);
  if (error == 0) return text;
  errno = error;
  return nullptr;
}
char* rank_inet_ntoa(in_addr address) {
  char* text = library_state("inet_ntoa").address_text;
  return const_cast<char*>(inet_ntop(AF_INET, &address, text, sizeof LibraryState::address_text));
}
char* rank_l64a(long number) {
  char* text = library_state("l64a").base_64;
  snprintf(text, sizeof LibraryState::base_64, "%s", l64a(number));
  return text;
}
char* rank_ecvt(double number, int count, int* point, int* sign) {
  char* text = library_state("ecvt").digits;
  return ecvt_r(number, count, point, sign, text, sizeof LibraryState::digits) == 0 ? text : nullptr;
}
char* rank_fcvt(double number, int count, int* point, int* sign) {
  char* text = library_state("fcvt").digits;
  return fcvt_r(number, count, point, sign, text, sizeof LibraryState::digits) == 0 ? text : nullptr;
}

}  // namespace

const Overrides static_buffer_overrides({
    {"strtok", address_of(rank_strtok)},
    {"localtime", address_of(rank_localtime)},
    {"gmtime", address_of(rank_gmtime)},
    {"asctime", address_of(rank_asctime)},
    {"ctime", address_of(rank_ctime)},
    {"strerror", address_of(rank_strerror)},
    {"strsignal", address_of(rank_strsignal)},
    {"hcreate", address_of(rank_hcreate)},
    {"hsearch", address_of(rank_hsearch)},
    {"hdestroy", address_of(rank_hdestroy)},
    {"inet_ntoa", address_of(rank_inet_ntoa)},
    {"l64a", address_of(rank_l64a)},
    {"ptsname", address_of(rank_ptsname)},
    {"ecvt", address_of(rank_ecvt)},
    {"fcvt", address_of(rank_fcvt)},
});

}  // namespace skein::libc
