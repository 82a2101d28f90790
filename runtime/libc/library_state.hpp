// SPDX-License-Identifier: Apache-2.0
// The state that C library functions keep in hidden static variables between calls. Each rank has its own, in
// its slot, made at the first call that needs it.
#pragma once

#include <aliases.h>
#include <grp.h>
#include <gshadow.h>
#include <netdb.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <search.h>
#include <shadow.h>
#include <signal.h>
#include <syslog.h>
#include <time.h>
#include <wchar.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory_resource>
#include <vector>

#include "runtime/libc/settings.hpp"

namespace skein {
struct Rank;
}

namespace skein::libc {

/// The state that rand() and random() share, as in the C library.
struct RandomState {
  RandomState();
  random_data data = {};
  alignas(std::int32_t) char table[128];  // the size that the C library starts with
};

/// The settings of openlog() and setlogmask(), with the C library's defaults.
struct LogSettings {
  const char* name = nullptr;
  int options = 0;
  int facility = LOG_USER;
  int mask = 0xff;
};

/// A key of pthread_key_create().
struct ThreadKey {
  bool used = false;
  void (*destructor)(void*) = nullptr;
  const void* value = nullptr;
};

/// The last entry of a database that was looked up, and the strings that it points to.
template <class Entry>
struct Found {
  explicit Found(std::pmr::memory_resource* memory) : text(memory) {}
  Entry entry = {};
  std::pmr::vector<char> text;
};

struct LibraryState {
  explicit LibraryState(std::pmr::memory_resource* memory)
      : user(memory),
        members(memory),
        host(memory),
        network(memory),
        service(memory),
        protocol(memory),
        alias(memory),
        program(memory),
        shadow(memory),
        group_shadow(memory),
        thread_keys(memory),
        conversions(memory),
        fork_handlers(memory),
        kept_entries(databases + 1, memory) {}

  RandomState random;
  drand48_data drand48 = {};
  char* strtok_next = nullptr;
  tm broken_down_time = {};
  char zone_name[32] = "";
  char time_text[32] = "";
  char message[160] = "";      // strerror(), strsignal()
  char address_text[16] = "";  // inet_ntoa()
  char base_64[8] = "";        // l64a()
  char digits[320] = "";       // ecvt(), fcvt()
  LogSettings log;
  hsearch_data hash_table = {};
  Found<passwd> user;    // getpwnam(), getpwuid()
  Found<group> members;  // getgrnam(), getgrgid()
  Found<hostent> host;
  Found<netent> network;
  Found<servent> service;
  Found<protoent> protocol;
  Found<aliasent> alias;
  Found<rpcent> program;
  Found<spwd> shadow;
  Found<sgrp> group_shadow;
  char terminal[64] = "";                  // ttyname()
  char pseudo_terminal[64] = "";           // ptsname()
  char login[64] = "";                     // getlogin()
  std::array<mbstate_t, 11> partial = {};  // characters converted in part: see multibyte.cpp
  std::pmr::vector<ThreadKey> thread_keys;
  CxxSettings cxx;
  std::array<void*, 16> free_blocks = {};  // for __gnu_cxx::__pool_alloc
  std::pmr::vector<PrintfConversion> conversions;
  stack_t signal_stack = {nullptr, SS_DISABLE, 0};
  char text_domain[256] = "messages";
  std::pmr::vector<ForkHandlers> fork_handlers;

  /// For name_lists.cpp: the rank's position in each database, and its last result.
  static constexpr std::size_t databases = 10, mounts = databases;
  std::array<std::uint64_t, databases> entries_seen = {};
  std::pmr::vector<std::pmr::vector<char>> kept_entries;
};

/// Returns the state of the running rank; see calling_rank() for `function`.
LibraryState& library_state(const char* function);

}  // namespace skein::libc
