// SPDX-License-Identifier: Apache-2.0
// Locales and conversions of character sets: the C library's and the C++ library's are the process's, so a
// rank that holds one stays on its PE.
#include <iconv.h>
#include <locale.h>
#include <wchar.h>

#include <locale>
#include <new>

#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/shared_state.hpp"

namespace skein::libc {
namespace {

constexpr const char kHoldsLocale[] = "it holds a locale (newlocale, duplocale)";
constexpr const char kHoldsConversion[] = "it holds a conversion of character sets (iconv_open)";

/// Makes the C library load what converts the characters of the locale in force. It would do so at the first
/// conversion and keep it with the locale: in a slot, if a rank converts first. ASCII would not need it.
void load_conversion() { (void)btowc(0x80); }

char* rank_setlocale(int category, const char* name) {
  const CLibraryScope scope;
  char* const result = setlocale(category, name);
  if (result && name) load_conversion();
  return result;
}

/// Adopts a locale, which is memory of this process, so that it pins the rank; except the C locale, which is
/// static in the C library.
locale_t adopt_locale(Rank& rank, locale_t made) {
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  if (!made || made == c_locale) return made;
  const locale_t before = uselocale(made);
  load_conversion();
  uselocale(before);
  attach_handle(rank, made, kHoldsLocale);
  return made;
}
locale_t rank_newlocale(int categories, const char* name, locale_t base) {
  Rank& rank = calling_rank("newlocale");
  const CLibraryScope scope;
  const locale_t made = newlocale(categories, name, base);
  if (made && base) detach_handle(rank, base);
  return adopt_locale(rank, made);
}
locale_t rank_duplocale(locale_t original) {
  Rank& rank = calling_rank("duplocale");
  const CLibraryScope scope;
  return adopt_locale(rank, duplocale(original));
}
void rank_freelocale(locale_t locale) {
  Rank& rank = calling_rank("freelocale");
  const CLibraryScope scope;
  detach_handle(rank, locale);
  freelocale(locale);
}

iconv_t rank_iconv_open(const char* to, const char* from) {
  Rank& rank = calling_rank("iconv_open");
  const CLibraryScope scope;
  const iconv_t made = iconv_open(to, from);
  if (made != reinterpret_cast<iconv_t>(-1)) attach_handle(rank, made, kHoldsConversion);
  return made;
}
int rank_iconv_close(iconv_t conversion) {
  Rank& rank = calling_rank("iconv_close");
  const CLibraryScope scope;
  detach_handle(rank, conversion);
  return iconv_close(conversion);
}

// ---- C++

constexpr const char kHoldsCxxLocale[] =
    "it holds a C++ locale made by name, or has set the global one (std::locale)";

/// Notes a C++ locale, which pins the rank to its end: its inside is shared by copies that are not counted
/// here, and refers to what the C library keeps for the process. Slots stay until the job ends, so others may
/// use it, too.
void note_cxx_locale(const std::locale& made) {
  static const char handle = 0;
  if (made == std::locale::classic()) return;
  Rank& rank = calling_rank("std::locale");
  detach_handle(rank, &handle);
  attach_handle(rank, &handle, kHoldsCxxLocale);
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

}  // namespace

const Overrides locale_overrides({
    {"setlocale", address_of(rank_setlocale)},
    {"newlocale", address_of(rank_newlocale)},
    {"__newlocale", address_of(rank_newlocale)},
    {"duplocale", address_of(rank_duplocale)},
    {"__duplocale", address_of(rank_duplocale)},
    {"freelocale", address_of(rank_freelocale)},
    {"__freelocale", address_of(rank_freelocale)},
    {"iconv_open", address_of(rank_iconv_open)},
    {"iconv_close", address_of(rank_iconv_close)},
    {"_ZNSt6localeC1EPKc", address_of(rank_make_locale)},
    {"_ZNSt6localeC2EPKc", address_of(rank_make_locale)},
    {"_ZNSt6localeC1ERKS_PKci", address_of(rank_combine_locale)},
    {"_ZNSt6localeC2ERKS_PKci", address_of(rank_combine_locale)},
    {"_ZNSt6locale6globalERKS_", address_of(rank_global_locale)},
});

}  // namespace skein::libc
