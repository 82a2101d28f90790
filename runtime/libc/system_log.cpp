// SPDX-License-Identifier: Apache-2.0
// The system's log. The C library keeps the name that a program gives itself as a pointer, and one connection
// a process: here each rank has its own settings, which are in force while it writes one line.
#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include <cstdarg>
#include <cstdlib>

#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/shared_state.hpp"

namespace skein::libc {
namespace {

void rank_openlog(const char* name, int options, int facility) {
  LogSettings& log = library_state("openlog").log;
  log.name = name;
  log.options = options;
  if (facility != 0) log.facility = facility;
}
void rank_closelog() { library_state("closelog").log.name = nullptr; }
int rank_setlogmask(int mask) {
  LogSettings& log = library_state("setlogmask").log;
  const int before = log.mask;
  if (mask != 0) log.mask = mask;
  return before;
}

void rank_vsyslog(int priority, const char* text, va_list args) {
  const LogSettings& log = library_state("syslog").log;
  const CLibraryScope scope;
  openlog(log.name, log.options & ~LOG_NDELAY, log.facility);
  const int before = setlogmask(log.mask);
  vsyslog(priority, text, args);
  setlogmask(before);
  closelog();
}
void rank_vsyslog_checked(int priority, int, const char* text, va_list args) {
  rank_vsyslog(priority, text, args);
}
void rank_syslog(int priority, const char* text, ...) {
  va_list args;
  va_start(args, text);
  rank_vsyslog(priority, text, args);
  va_end(args);
}
void rank_syslog_checked(int priority, int, const char* text, ...) {
  va_list args;
  va_start(args, text);
  rank_vsyslog(priority, text, args);
  va_end(args);
}

}  // namespace

const Overrides system_log_overrides({
    {"openlog", address_of(rank_openlog)},
    {"closelog", address_of(rank_closelog)},
    {"setlogmask", address_of(rank_setlogmask)},
    {"syslog", address_of(rank_syslog)},
    {"__syslog_chk", address_of(rank_syslog_checked)},
    {"vsyslog", address_of(rank_vsyslog)},
    {"__vsyslog_chk", address_of(rank_vsyslog_checked)},
});

}  // namespace skein::libc
