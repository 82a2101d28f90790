// SPDX-License-Identifier: Apache-2.0
// Users, groups, hosts, services and the like, looked up by name or number. The C library has its results in
// static memory; here they are in the rank's, made by the reentrant forms of these functions.
#include <aliases.h>
#include <grp.h>
#include <gshadow.h>
#include <netdb.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <shadow.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/shared_state.hpp"

namespace skein::libc {
namespace {

/// Looks an entry up by `find(entry, room, bytes, &found)`, one of the reentrant look-ups, with the entry's
/// strings in `room`.
template <class Entry, class Find>
Entry* look_up(Found<Entry>& last, Find find) {
  if (last.text.empty()) last.text.resize(1024);
  for (;;) {
    Entry* found = nullptr;
    int error;
    {
      const CLibraryScope scope;
      error = find(&last.entry, last.text.data(), last.text.size(), &found);
    }
    if (error != ERANGE) {
      if (error != 0) errno = error;
      return found;
    }
    last.text.resize(2 * last.text.size());
  }
}

/// Makes an override of the function `name` by its reentrant form, with the result in that member of the
/// state. Look-ups of hosts and networks have an error number of their own.
template <auto member, auto Reentrant, class Entry, class... Key>
Override looking_up(const char* name, Entry* (*)(Key...)) {
  return {name, address_of(+[](Key... key) {
            return look_up(
                library_state("a function that looks up names").*member,
                [&](Entry* entry, char* room, std::size_t bytes, Entry** found) {
                  if constexpr (requires { Reentrant(key..., entry, room, bytes, found, &h_errno); })
                    return Reentrant(key..., entry, room, bytes, found, &h_errno);
                  else
                    return Reentrant(key..., entry, room, bytes, found);
                });
          })};
}

char* rank_ttyname(int descriptor) {
  char* const text = library_state("ttyname").terminal;
  const int error = ttyname_r(descriptor, text, sizeof LibraryState::terminal);
  if (error == 0) return text;
  errno = error;
  return nullptr;
}

char* rank_getlogin() {
  char* const text = library_state("getlogin").login;
  const CLibraryScope scope;
  const int error = getlogin_r(text, sizeof LibraryState::login);
  if (error == 0) return text;
  errno = error;
  return nullptr;
}

}  // namespace

#define SKEIN_LOOKING_UP(member, function) \
  looking_up<&LibraryState::member, &::function##_r>(#function, &::function)

const Overrides name_service_overrides({
    SKEIN_LOOKING_UP(user, getpwnam),           SKEIN_LOOKING_UP(user, getpwuid),
    SKEIN_LOOKING_UP(members, getgrnam),        SKEIN_LOOKING_UP(members, getgrgid),
    SKEIN_LOOKING_UP(service, getservbyname),   SKEIN_LOOKING_UP(service, getservbyport),
    SKEIN_LOOKING_UP(protocol, getprotobyname), SKEIN_LOOKING_UP(protocol, getprotobynumber),
    SKEIN_LOOKING_UP(network, getnetbyname),    SKEIN_LOOKING_UP(host, gethostbyname),
    SKEIN_LOOKING_UP(host, gethostbyname2),     SKEIN_LOOKING_UP(host, gethostbyaddr),
    SKEIN_LOOKING_UP(network, getnetbyaddr),    SKEIN_LOOKING_UP(alias, getaliasbyname),
    SKEIN_LOOKING_UP(program, getrpcbyname),    SKEIN_LOOKING_UP(program, getrpcbynumber),
    SKEIN_LOOKING_UP(shadow, getspnam),         SKEIN_LOOKING_UP(group_shadow, getsgnam),
    {"ttyname", address_of(rank_ttyname)},      {"getlogin", address_of(rank_getlogin)},
});

}  // namespace skein::libc
