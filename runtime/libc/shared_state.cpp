// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/shared_state.hpp"

#include <aliases.h>
#include <grp.h>
#include <gshadow.h>
#include <iconv.h>
#include <libintl.h>
#include <locale.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <shadow.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/files.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/program_file.hpp"
#include "runtime/libc/settings.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::libc {
namespace {

/// Makes an override that calls the C library's function in a CLibraryScope.
template <auto Function, class Result, class... Arguments>
Override in_runtime(const char* name, Result (*)(Arguments...)) {
  return {name, address_of(+[](Arguments... arguments) -> Result {
            const CLibraryScope scope;
            return Function(arguments...);
          })};
}

/// Calls getpw() by its address: the linker warns of the name, as it should only if a program uses it.
int rank_getpw(uid_t user, char* line) {
  static const auto real = next_function<int(uid_t, char*)>("getpw");
  const CLibraryScope scope;
  return real(user, line);
}

/// Ignores buffers in a rank's slot for standard streams, which are the process's. A rank may make output
/// unbuffered, which costs others on its PE nothing. At most a line is ever buffered.
int rank_setvbuf(FILE* stream, char* buffer, int mode, std::size_t bytes) {
  if (!is_standard_stream(stream)) return setvbuf(stream, buffer, mode, bytes);
  if (stream == stdout && mode == _IONBF) {
    calling_rank("setvbuf").process->unbuffered_output = true;
    unbuffer_standard_output();
  }
  return 0;
}
void rank_setbuf(FILE* stream, char* buffer) {
  rank_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}
void rank_setbuffer(FILE* stream, char* buffer, std::size_t bytes) {
  rank_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, bytes);
}
void rank_setlinebuf(FILE* stream) { rank_setvbuf(stream, nullptr, _IOLBF, 0); }

/// Ignores the request: unsynchronised, std::cout would get a buffer in the slot of the rank that asked.
/// Returns the setting in force, as the standard's function does.
bool rank_sync_with_stdio(bool) { return true; }

void give_buffers_to_standard_streams() {
  constexpr std::size_t output = 64 * 1024;
  setvbuf(stdout, new char[output], _IOLBF, output);
  setvbuf(stdin, new char[BUFSIZ], _IOFBF, BUFSIZ);
}

/// Fills the caches of each C++ locale, how it punctuates numbers and more, which are otherwise filled at
/// first use.
template <class Character>
void fill_locale_caches() {
  std::basic_stringstream<Character> stream;
  bool flag;
  double number;
  long integer;
  void* pointer;
  stream << 1 << ' ' << 1.5 << ' ' << true << ' ' << static_cast<void*>(&stream);
  stream >> integer >> number >> flag >> pointer;
}

}  // namespace

void prepare_c_library(const char* program_name) {
  remember_process_id();
  remember_program_file(program_name);
  give_buffers_to_standard_streams();
  share_cxx_settings();
  tzset();
  fill_locale_caches<char>();
  fill_locale_caches<wchar_t>();
}

void unbuffer_standard_output() {
  const fiber::RuntimeScope runtime;
  setvbuf(stdout, nullptr, _IONBF, 0);
}

#define SKEIN_IN_RUNTIME(function) in_runtime<&::function>(#function, &::function)

const Overrides shared_state_overrides({
    SKEIN_IN_RUNTIME(localeconv),
    SKEIN_IN_RUNTIME(tzset),
    SKEIN_IN_RUNTIME(mktime),
    SKEIN_IN_RUNTIME(timelocal),
    SKEIN_IN_RUNTIME(localtime_r),
    SKEIN_IN_RUNTIME(ctime_r),
    SKEIN_IN_RUNTIME(strftime),
    SKEIN_IN_RUNTIME(wcsftime),
    SKEIN_IN_RUNTIME(getpwnam_r),
    SKEIN_IN_RUNTIME(getpwuid_r),
    SKEIN_IN_RUNTIME(getgrnam_r),
    SKEIN_IN_RUNTIME(getgrgid_r),
    SKEIN_IN_RUNTIME(getgrouplist),
    SKEIN_IN_RUNTIME(gethostbyname_r),
    SKEIN_IN_RUNTIME(gethostbyname2_r),
    SKEIN_IN_RUNTIME(gethostbyaddr_r),
    SKEIN_IN_RUNTIME(getnetbyname_r),
    SKEIN_IN_RUNTIME(getnetbyaddr_r),
    SKEIN_IN_RUNTIME(getprotobyname_r),
    SKEIN_IN_RUNTIME(getprotobynumber_r),
    SKEIN_IN_RUNTIME(getservbyname_r),
    SKEIN_IN_RUNTIME(getservbyport_r),
    SKEIN_IN_RUNTIME(getrpcbyname_r),
    SKEIN_IN_RUNTIME(getrpcbynumber_r),
    SKEIN_IN_RUNTIME(getaliasbyname_r),
    SKEIN_IN_RUNTIME(getspnam_r),
    SKEIN_IN_RUNTIME(getsgnam_r),
    {"getpw", address_of(rank_getpw)},
    SKEIN_IN_RUNTIME(cuserid),
    SKEIN_IN_RUNTIME(initgroups),
    SKEIN_IN_RUNTIME(innetgr),
    SKEIN_IN_RUNTIME(setnetgrent),
    SKEIN_IN_RUNTIME(endnetgrent),
    SKEIN_IN_RUNTIME(getnetgrent),
    SKEIN_IN_RUNTIME(getnetgrent_r),
    SKEIN_IN_RUNTIME(ether_hostton),
    SKEIN_IN_RUNTIME(ether_ntohost),
    SKEIN_IN_RUNTIME(ruserok),
    SKEIN_IN_RUNTIME(ruserok_af),
    SKEIN_IN_RUNTIME(iruserok),
    SKEIN_IN_RUNTIME(iruserok_af),
    SKEIN_IN_RUNTIME(gethostid),
    SKEIN_IN_RUNTIME(getnameinfo),
    SKEIN_IN_RUNTIME(getlogin_r),
    SKEIN_IN_RUNTIME(iconv),
    SKEIN_IN_RUNTIME(bindtextdomain),
    SKEIN_IN_RUNTIME(dgettext),
    SKEIN_IN_RUNTIME(dngettext),
    SKEIN_IN_RUNTIME(dcgettext),
    SKEIN_IN_RUNTIME(dcngettext),
    SKEIN_IN_RUNTIME(bind_textdomain_codeset),
    {"setvbuf", address_of(rank_setvbuf)},
    {"setbuf", address_of(rank_setbuf)},
    {"setbuffer", address_of(rank_setbuffer)},
    {"setlinebuf", address_of(rank_setlinebuf)},
    {"_ZNSt8ios_base15sync_with_stdioEb", address_of(rank_sync_with_stdio)},
});

}  // namespace skein::libc
