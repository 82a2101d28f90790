// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/shared_state.hpp"

#include <grp.h>
#include <iconv.h>
#include <libintl.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <locale>
#include <new>
#include <sstream>

#include "runtime/fiber/thread_block.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::libc {
namespace {

/// The C library's function, called with the process's heap and pointer guard: its modules for the name
/// service and for character sets are loaded once a process, perhaps by the MPI underneath, and called
/// through pointers mangled with that guard.
template <auto Function, class Result, class... Arguments>
Override in_runtime(const char* name, Result (*)(Arguments...)) {
  return {name, address_of(+[](Arguments... arguments) -> Result {
            fiber::RuntimeScope runtime;
            ProcessGuardScope guard;
            return Function(arguments...);
          })};
}

constexpr const char holds_locale[] = "it holds a locale (newlocale, duplocale)";
constexpr const char holds_conversion[] = "it holds a conversion of character sets (iconv_open)";

/// Has the C library load what converts the characters of the locale in force, which it does at the first
/// conversion and keeps with the locale: from a slot, if a rank converts first. ASCII would not need it.
void load_conversion() { (void)btowc(0x80); }

char* rank_setlocale(int category, const char* name) {
  fiber::RuntimeScope runtime;
  ProcessGuardScope guard;
  char* const result = setlocale(category, name);
  if (result && name) load_conversion();
  return result;
}

/// A locale is memory of this process, so it pins the rank; but for the C locale, which is static in the C
/// library.
locale_t adopt_locale(Rank& rank, locale_t made) {
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  if (!made || made == c_locale) return made;
  const locale_t before = uselocale(made);
  load_conversion();
  uselocale(before);
  attach_handle(rank, made, holds_locale);
  return made;
}
locale_t rank_newlocale(int categories, const char* name, locale_t base) {
  Rank& rank = calling_rank("newlocale");
  fiber::RuntimeScope runtime;
  ProcessGuardScope guard;
  const locale_t made = newlocale(categories, name, base);
  if (made && base) detach_handle(rank, base);
  return adopt_locale(rank, made);
}
locale_t rank_duplocale(locale_t original) {
  Rank& rank = calling_rank("duplocale");
  fiber::RuntimeScope runtime;
  ProcessGuardScope guard;
  return adopt_locale(rank, duplocale(original));
}
void rank_freelocale(locale_t locale) {
  Rank& rank = calling_rank("freelocale");
  fiber::RuntimeScope runtime;
  detach_handle(rank, locale);
  freelocale(locale);
}

iconv_t rank_iconv_open(const char* to, const char* from) {
  Rank& rank = calling_rank("iconv_open");
  fiber::RuntimeScope runtime;
  ProcessGuardScope guard;
  const iconv_t made = iconv_open(to, from);
  if (made != reinterpret_cast<iconv_t>(-1)) attach_handle(rank, made, holds_conversion);
  return made;
}
int rank_iconv_close(iconv_t conversion) {
  Rank& rank = calling_rank("iconv_close");
  fiber::RuntimeScope runtime;
  ProcessGuardScope guard;
  detach_handle(rank, conversion);
  return iconv_close(conversion);
}

/// Standard streams are the process's; a rank may not give them buffers in its slot.
bool is_standard(const FILE* stream) { return stream == stdin || stream == stdout || stream == stderr; }

int rank_setvbuf(FILE* stream, char* buffer, int mode, std::size_t bytes) {
  return is_standard(stream) ? 0 : setvbuf(stream, buffer, mode, bytes);
}
void rank_setbuf(FILE* stream, char* buffer) {
  rank_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}
void rank_setbuffer(FILE* stream, char* buffer, std::size_t bytes) {
  rank_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, bytes);
}
void rank_setlinebuf(FILE* stream) { rank_setvbuf(stream, nullptr, _IOLBF, 0); }

/// Unsynchronised, std::cout would get a buffer in the slot of the rank that asked. Returns the setting in
/// force, as the standard's function does.
bool rank_sync_with_stdio(bool) { return true; }

constexpr const char holds_cxx_locale[] =
    "it holds a C++ locale made by name, or has set the global one (std::locale)";

/// The locale's inside is shared by copies that nobody counts here, and refers to what the C library keeps
/// for the process: so it pins the rank to its end. Slots stay until the job ends, so others may use it, too.
void note_cxx_locale(const std::locale& made) {
  static const char handle = 0;
  if (made == std::locale::classic()) return;
  Rank& rank = calling_rank("std::locale");
  detach_handle(rank, &handle);
  attach_handle(rank, &handle, holds_cxx_locale);
}
void rank_make_locale(std::locale* self, const char* name) {
  new (self) std::locale(name);
  note_cxx_locale(*self);
}
void rank_combine_locale(std::locale* self, const std::locale& other, const char* name,
                         std::locale::category categories) {
  new (self) std::locale(other, name, categories);
  note_cxx_locale(*self);
}
std::locale rank_global_locale(const std::locale& locale) {
  note_cxx_locale(locale);
  return std::locale::global(locale);
}

void give_buffers_to_standard_streams() {
  static char output[64 * 1024], input[BUFSIZ];
  setvbuf(stdout, output, _IOLBF, sizeof output);
  setvbuf(stdin, input, _IOFBF, sizeof input);
}

/// The C++ library caches in each locale how it punctuates numbers and more, at the first use of each kind.
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
  static char name[256];
  snprintf(name, sizeof name, "%s", program_name);
  program_invocation_name = name;
  const char* slash = strrchr(name, '/');
  program_invocation_short_name = slash ? name + (slash - name) + 1 : name;
  setenv("OMP_NUM_THREADS", "1", 0);
  give_buffers_to_standard_streams();
  tzset();
  fill_locale_caches<char>();
  fill_locale_caches<wchar_t>();
}

#define SKEIN_IN_RUNTIME(function) in_runtime<&::function>(#function, &::function)

std::span<const Override> shared_state_overrides() {
  static const Override table[] = {
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
      SKEIN_IN_RUNTIME(getpwent),
      SKEIN_IN_RUNTIME(setpwent),
      SKEIN_IN_RUNTIME(endpwent),
      SKEIN_IN_RUNTIME(getgrnam_r),
      SKEIN_IN_RUNTIME(getgrgid_r),
      SKEIN_IN_RUNTIME(getgrent),
      SKEIN_IN_RUNTIME(setgrent),
      SKEIN_IN_RUNTIME(endgrent),
      SKEIN_IN_RUNTIME(getgrouplist),
      SKEIN_IN_RUNTIME(gethostbyname),
      SKEIN_IN_RUNTIME(gethostbyname2),
      SKEIN_IN_RUNTIME(gethostbyname_r),
      SKEIN_IN_RUNTIME(gethostbyaddr),
      SKEIN_IN_RUNTIME(gethostbyaddr_r),
      SKEIN_IN_RUNTIME(gethostid),
      SKEIN_IN_RUNTIME(getnetbyname),
      SKEIN_IN_RUNTIME(getservbyname),
      SKEIN_IN_RUNTIME(getservbyport),
      SKEIN_IN_RUNTIME(getprotobyname),
      SKEIN_IN_RUNTIME(getprotobynumber),
      SKEIN_IN_RUNTIME(getaddrinfo),
      SKEIN_IN_RUNTIME(getnameinfo),
      SKEIN_IN_RUNTIME(getlogin),
      SKEIN_IN_RUNTIME(getlogin_r),
      SKEIN_IN_RUNTIME(ttyname),
      SKEIN_IN_RUNTIME(openlog),
      SKEIN_IN_RUNTIME(closelog),
      SKEIN_IN_RUNTIME(vsyslog),
      SKEIN_IN_RUNTIME(iconv),
      SKEIN_IN_RUNTIME(textdomain),
      SKEIN_IN_RUNTIME(bindtextdomain),
      SKEIN_IN_RUNTIME(gettext),
      SKEIN_IN_RUNTIME(dgettext),
      {"setlocale", address_of(rank_setlocale)},
      {"newlocale", address_of(rank_newlocale)},
      {"duplocale", address_of(rank_duplocale)},
      {"freelocale", address_of(rank_freelocale)},
      {"iconv_open", address_of(rank_iconv_open)},
      {"iconv_close", address_of(rank_iconv_close)},
      {"setvbuf", address_of(rank_setvbuf)},
      {"setbuf", address_of(rank_setbuf)},
      {"setbuffer", address_of(rank_setbuffer)},
      {"setlinebuf", address_of(rank_setlinebuf)},
      {"_ZNSt8ios_base15sync_with_stdioEb", address_of(rank_sync_with_stdio)},
      {"_ZNSt6localeC1EPKc", address_of(rank_make_locale)},
      {"_ZNSt6localeC2EPKc", address_of(rank_make_locale)},
      {"_ZNSt6localeC1ERKS_PKci", address_of(rank_combine_locale)},
      {"_ZNSt6localeC2ERKS_PKci", address_of(rank_combine_locale)},
      {"_ZNSt6locale6globalERKS_", address_of(rank_global_locale)},
  };
  return table;
}

}  // namespace skein::libc
