// SPDX-License-Identifier: Apache-2.0
// Words and names as a shell expands them: with the rank's environment, `~user` by the name service in a
// CLibraryScope, and the result in the rank's memory.
#include <glob.h>
#include <string.h>
#include <wordexp.h>

#include <memory_resource>
#include <string>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/environment.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/shared_state.hpp"

namespace skein::libc {
namespace {

constexpr int kAboutTheResult = WRDE_APPEND | WRDE_REUSE | WRDE_DOOFFS;

/// Puts the found words into `result` as `flags` say.
int give_words(const wordexp_t& found, wordexp_t* result, int flags) {
  const bool appends = flags & WRDE_APPEND;
  if (!(flags & WRDE_DOOFFS)) result->we_offs = 0;
  const std::size_t before = result->we_offs + (appends ? result->we_wordc : 0);
  auto** const words = static_cast<char**>(
      realloc(appends ? result->we_wordv : nullptr, (before + found.we_wordc + 1) * sizeof(char*)));
  if (!words) return WRDE_NOSPACE;
  if (!appends) std::fill_n(words, before, nullptr);
  for (std::size_t i = 0; i < found.we_wordc; ++i) words[before + i] = strdup(found.we_wordv[i]);
  words[before + found.we_wordc] = nullptr;
  result->we_wordv = words;
  result->we_wordc = before - result->we_offs + found.we_wordc;
  return 0;
}

int rank_wordexp(const char* text, wordexp_t* result, int flags) {
  const EnvironmentScope environment(program_rank());
  wordexp_t found = {};
  int error;
  {
    const CLibraryScope scope;
    error = wordexp(text, &found, flags & ~kAboutTheResult);
  }
  if (flags & WRDE_REUSE) wordfree(result);
  if (error == 0) error = give_words(found, result, flags);
  const CLibraryScope scope;
  wordfree(&found);
  return error;
}

/// Returns the directory that `~` or `~user` at the begin of `pattern` names, quoted so that glob() takes
/// each letter literally; empty if there is none.
std::pmr::string home_of(Rank& rank, const std::pmr::string& tilde) {
  std::pmr::string home(&rank.memory);
  const EnvironmentScope environment(&rank);
  glob_t found = {};
  const CLibraryScope scope;
  if (glob(tilde.c_str(), GLOB_TILDE_CHECK, nullptr, &found) == 0 && found.gl_pathc == 1)
    for (const char* c = found.gl_pathv[0]; *c; ++c) {
      if (strchr("*?[\\", *c)) home += '\\';
      home += *c;
    }
  globfree(&found);
  return home;
}

int rank_glob(const char* pattern, int flags, int (*failed)(const char*, int), glob_t* result) {
  Rank* const rank = program_rank();
  constexpr int tildes = GLOB_TILDE | GLOB_TILDE_CHECK;
  if (!rank || !(flags & tildes) || *pattern != '~') return glob(pattern, flags, failed, result);
  const std::size_t length = strcspn(pattern, "/");
  std::pmr::string expanded = home_of(*rank, std::pmr::string(pattern, length, &rank->memory));
  if (expanded.empty())
    return flags & GLOB_TILDE_CHECK ? GLOB_NOMATCH : glob(pattern, flags & ~tildes, failed, result);
  if (expanded == "/" && pattern[length] == '/') expanded.clear();
  expanded += pattern + length;
  const int error = glob(expanded.c_str(), flags & ~(tildes | GLOB_NOCHECK), failed, result);
  // A report that nothing matches is about the original pattern.
  return error == GLOB_NOMATCH && flags & GLOB_NOCHECK ? glob(pattern, flags & ~tildes, failed, result)
                                                       : error;
}

}  // namespace

const Overrides words_overrides({
    {"wordexp", address_of(rank_wordexp)},
    {"glob", address_of(rank_glob)},
    {"glob64", address_of(rank_glob)},
});

}  // namespace skein::libc
