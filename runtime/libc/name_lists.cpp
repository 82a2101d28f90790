// SPDX-License-Identifier: Apache-2.0
// Databases read entry by entry: getpwent(), getmntent() and the like. The C library keeps one position in
// each for the process. Here each rank has its own: the number of entries that it has read, which moves with
// it. The rank that read last continues at the C library's position; any other begins the database again and
// skips as many entries.
#include <aliases.h>
#include <fcntl.h>
#include <grp.h>
#include <gshadow.h>
#include <mntent.h>
#include <netdb.h>
#include <pwd.h>
#include <shadow.h>
#include <stdio.h>

#include <cerrno>
#include <vector>

#include "runtime/libc/library_of_process.hpp"
#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/shared_state.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::libc {

constinit LibraryOfProcess library_of_process;

namespace {

/// Reads the C library's next entry, by one of the reentrant forms.
template <auto Next, class Entry>
int next_entry(Entry* entry, char* room, std::size_t bytes, Entry** found) {
  *found = nullptr;
  if constexpr (requires { Next(entry, room, bytes, found, &h_errno); })
    return Next(entry, room, bytes, found, &h_errno);
  else
    return Next(entry, room, bytes, found);
}

/// Brings the C library to the rank's position.
template <auto Next, class Entry>
void go_to_place(std::uint64_t seen, void (*begin)()) {
  begin();
  std::vector<char> room(1024);
  for (std::uint64_t i = 0; i < seen;) {
    Entry entry, *found;
    const int error = next_entry<Next>(&entry, room.data(), room.size(), &found);
    if (error == ERANGE)
      room.resize(2 * room.size());
    else if (!found)
      return;
    else
      ++i;
  }
}

template <std::size_t database, auto Next, class Entry>
int next_of_rank(Entry* entry, char* room, std::size_t bytes, Entry** found, void (*begin)()) {
  const Rank& rank = calling_rank("a function that goes through a database");
  std::uint64_t& seen = library_state("getpwent").entries_seen[database];
  LibraryOfProcess::Place& place = library_of_process.in_force[database];
  const CLibraryScope scope;
  if (place.rank != rank.id || place.seen != seen || seen == 0) go_to_place<Next, Entry>(seen, begin);
  const int error = next_entry<Next>(entry, room, bytes, found);
  if (error == 0 && *found) ++seen;
  place = {rank.id, seen};
  return error;
}

template <std::size_t database>
void begin_again() {
  library_state("setpwent").entries_seen[database] = 0;
  library_of_process.in_force[database] = {};
}

/// The functions of one database; those of networks take whether to keep files open, which has no effect
/// here.
template <std::size_t database, auto Next, auto Begin, auto End, class Entry>
struct Database {
  static void begin() {
    if constexpr (requires { Begin(0); })
      Begin(0);
    else
      Begin();
  }
  static int next(Entry* entry, char* room, std::size_t bytes, Entry** found) {
    return next_of_rank<database, Next>(entry, room, bytes, found, begin);
  }
  static int next_with_error(Entry* entry, char* room, std::size_t bytes, Entry** found, int* error) {
    const int result = next(entry, room, bytes, found);
    *error = h_errno;
    return result;
  }
  /// Returns the next entry, kept in the rank's memory until the next call.
  static Entry* next_kept() {
    static_assert(database < LibraryState::databases);
    LibraryState& state = library_state("getpwent");
    auto& kept = state.kept_entries[database];
    if (kept.size() < sizeof(Entry)) kept.resize(sizeof(Entry) + 1024);
    for (;;) {
      Entry* found = nullptr;
      const int error = next(reinterpret_cast<Entry*>(kept.data()), kept.data() + sizeof(Entry),
                             kept.size() - sizeof(Entry), &found);
      if (error != ERANGE) {
        if (error != 0) errno = error;
        return found;
      }
      kept.resize(2 * kept.size());
    }
  }
  static void set() { begin_again<database>(); }
  static void set_open(int) { begin_again<database>(); }
  static void end() {
    begin_again<database>();
    const CLibraryScope scope;
    End();
  }
};

// ---- the table of mounted file systems: a stream of the rank's

FILE* rank_setmntent(const char* file, const char* mode) {
  FILE* const stream = fopen(file, mode);
  if (stream) (void)fcntl(fileno(stream), F_SETFD, FD_CLOEXEC);
  return stream;
}
int rank_endmntent(FILE* stream) {
  if (stream) fclose(stream);
  return 1;
}
mntent* rank_getmntent(FILE* stream) {
  LibraryState& state = library_state("getmntent");
  auto& kept = state.kept_entries[LibraryState::mounts];
  constexpr std::size_t room = 4096;  // as in the C library
  if (kept.empty()) kept.resize(sizeof(mntent) + room);
  return getmntent_r(stream, reinterpret_cast<mntent*>(kept.data()), kept.data() + sizeof(mntent), room);
}

}  // namespace

#define SKEIN_DATABASE(number, name, Entry) Database<number, get##name##_r, set##name, end##name, Entry>
#define SKEIN_ENTRIES(number, name, Entry)                                       \
  {"get" #name, address_of(SKEIN_DATABASE(number, name, Entry)::next_kept)},     \
      {"get" #name "_r", address_of(SKEIN_DATABASE(number, name, Entry)::next)}, \
      {"set" #name, address_of(SKEIN_DATABASE(number, name, Entry)::set)}, {     \
    "end" #name, address_of(SKEIN_DATABASE(number, name, Entry)::end)            \
  }
#define SKEIN_NETWORK_ENTRIES(number, name, Entry, form)                          \
  {"get" #name, address_of(SKEIN_DATABASE(number, name, Entry)::next_kept)},      \
      {"get" #name "_r", address_of(SKEIN_DATABASE(number, name, Entry)::form)},  \
      {"set" #name, address_of(SKEIN_DATABASE(number, name, Entry)::set_open)}, { \
    "end" #name, address_of(SKEIN_DATABASE(number, name, Entry)::end)             \
  }

const Overrides name_list_overrides({
    SKEIN_ENTRIES(0, pwent, passwd),
    SKEIN_ENTRIES(1, grent, group),
    SKEIN_ENTRIES(2, spent, spwd),
    SKEIN_ENTRIES(3, sgent, sgrp),
    SKEIN_ENTRIES(4, aliasent, aliasent),
    SKEIN_NETWORK_ENTRIES(5, hostent, hostent, next_with_error),
    SKEIN_NETWORK_ENTRIES(6, netent, netent, next_with_error),
    SKEIN_NETWORK_ENTRIES(7, protoent, protoent, next),
    SKEIN_NETWORK_ENTRIES(8, servent, servent, next),
    SKEIN_NETWORK_ENTRIES(9, rpcent, rpcent, next),
    {"setmntent", address_of(rank_setmntent)},
    {"getmntent", address_of(rank_getmntent)},
    {"endmntent", address_of(rank_endmntent)},
});

}  // namespace skein::libc
