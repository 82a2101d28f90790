// SPDX-License-Identifier: Apache-2.0
// register_printf_specifier() and relatives (glibc manual, "Customizing printf").
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cwchar>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/library_of_process.hpp"
#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/settings.hpp"
#include "runtime/libc/shared_state.hpp"

namespace skein::libc {
namespace {

constexpr const char kHoldsRegistration[] =
    "it has taught printf a modifier or a type (register_printf_modifier, register_printf_type)";
constexpr int kNotMine = -2;  // makes the C library act as without a registration

const PrintfConversion* find_conversion(const Rank* rank, int letter) {
  if (!rank || !rank->process || !rank->process->library) return nullptr;
  const auto& all = rank->process->library->conversions;
  const auto found = std::ranges::find(all, letter, &PrintfConversion::letter);
  return found == all.end() ? nullptr : &*found;
}

int print_for_rank(FILE* stream, const printf_info* info, const void* const* arguments) {
  const PrintfConversion* const own = find_conversion(program_rank(), static_cast<int>(info->spec));
  return own && own->print ? own->print(stream, info, arguments) : kNotMine;
}
int count_arguments(const printf_info* info, std::size_t most, int* types, int* sizes) {
  const PrintfConversion* const own = find_conversion(program_rank(), static_cast<int>(info->spec));
  return own && own->arguments ? own->arguments(info, most, types, sizes) : -1;
}

/// Makes the C library ask ranks about this letter.
int ask_ranks(int letter) {
  const CLibraryScope scope;
  return register_printf_specifier(letter, print_for_rank, count_arguments);
}

int rank_register_specifier(int letter, printf_function* print_it, printf_arginfo_size_function* arguments) {
  if (letter < 0 || letter > UCHAR_MAX) {
    errno = EINVAL;
    return -1;
  }
  auto& all = library_state("register_printf_specifier").conversions;
  std::erase_if(all, [&](const PrintfConversion& one) { return one.letter == letter; });
  all.push_back({letter, print_it, arguments});
  return ask_ranks(letter);
}

/// Registers a modifier, whose number is this process's.
int rank_register_modifier(const wchar_t* text) {
  Rank& rank = calling_rank("register_printf_modifier");
  const CLibraryScope scope;
  attach_handle(rank, kHoldsRegistration, kHoldsRegistration);
  for (const LibraryOfProcess::Modifier& one : library_of_process.modifiers)
    if (wcscmp(one.text, text) == 0) return one.number;
  const int number = register_printf_modifier(text);
  LibraryOfProcess::Modifier known{{}, number};
  if (number >= 0 && wcslen(text) < std::size(known.text)) {
    wcscpy(known.text, text);
    library_of_process.modifiers.push_back(known);
  }
  return number;
}
int rank_register_type(printf_va_arg_function* take) {
  Rank& rank = calling_rank("register_printf_type");
  const CLibraryScope scope;
  attach_handle(rank, kHoldsRegistration, kHoldsRegistration);
  return register_printf_type(take);
}

}  // namespace

void settings_arrive(const Rank& rank) {
  if (!rank.process || !rank.process->library) return;
  for (const PrintfConversion& one : rank.process->library->conversions) (void)ask_ranks(one.letter);
}

const Overrides printf_overrides({
    {"register_printf_specifier", address_of(rank_register_specifier)},
    {"register_printf_function", address_of(rank_register_specifier)},
    {"register_printf_modifier", address_of(rank_register_modifier)},
    {"register_printf_type", address_of(rank_register_type)},
});

}  // namespace skein::libc
