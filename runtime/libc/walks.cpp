// SPDX-License-Identifier: Apache-2.0
// Walks through folders that call the program back: nftw(), ftw(), scandir(). The C library's hold folders
// open meanwhile and enter them unseen, so a rank that a callback let move would find neither. Here each
// folder is read and closed before the program is called, and all changes of directory are the rank's own.
// What nftw() reports, and in which order, is as in the C library.
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/libc/overrides.hpp"

namespace skein::libc {
namespace {

bool is_dots(const char* name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/// One call of nftw(), or of ftw() with its shorter callback.
class Walk {
 public:
  Walk(__nftw_func_t visit, __ftw_func_t visit_shortly, int flags)
      : visit_(visit), visit_shortly_(visit_shortly), flags_(flags) {}

  int run(const char* start) {
    path_ = start;
    if (path_.empty()) {
      errno = ENOENT;
      return -1;
    }
    while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
    place_.base = static_cast<int>(path_.rfind('/') + 1);
    if (!has(FTW_CHDIR)) return without_skips(walk_start());
    start_ = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (start_ < 0) return -1;
    const int result = place_.base == 0 || enter(path_.substr(0, base())) ? without_skips(walk_start()) : -1;
    const int error_number = errno;
    const bool is_back = fchdir(start_) == 0;
    close(start_);
    if (!is_back) return -1;
    errno = error_number;
    return result;
  }

 private:
  bool has(int flag) const { return flags_ & flag; }
  std::size_t base() const { return static_cast<std::size_t>(place_.base); }
  /// Returns the name of the object of path_ from the walk's present directory.
  const char* name() const { return path_.c_str() + (has(FTW_CHDIR) ? base() : 0); }
  /// Enters a folder, named from where the walk began.
  bool enter(const std::string& folder) const { return fchdir(start_) == 0 && chdir(folder.c_str()) == 0; }

  int tell(const struct stat& status, int kind) {
    if (visit_) return visit_(path_.c_str(), &status, kind, &place_);
    if (kind == FTW_SL) kind = FTW_F;
    if (kind == FTW_SLN) kind = FTW_NS;
    return visit_shortly_(path_.c_str(), &status, kind);
  }
  int without_skips(int result) const {
    const bool skips = has(FTW_ACTIONRETVAL) && (result == FTW_SKIP_SUBTREE || result == FTW_SKIP_SIBLINGS);
    return skips ? 0 : result;
  }

  /// Returns the kind of path_, or -1 if nothing can be found out.
  int kind_of(struct stat& status) const {
    status = {};
    if ((has(FTW_PHYS) ? lstat(name(), &status) : stat(name(), &status)) == 0)
      return S_ISDIR(status.st_mode) ? FTW_D : S_ISLNK(status.st_mode) ? FTW_SL : FTW_F;
    if (errno != EACCES && errno != ENOENT) return -1;
    const int error_number = errno;
    if (!has(FTW_PHYS) && lstat(name(), &status) == 0 && S_ISLNK(status.st_mode)) return FTW_SLN;
    errno = error_number;
    return FTW_NS;
  }

  int walk_start() {
    struct stat status;
    const int kind = kind_of(status);
    if (kind == -1 || kind == FTW_NS) return -1;
    device_ = status.st_dev;
    if (kind != FTW_D) return tell(status, kind);
    is_new(status);
    return walk_folder(status);
  }

  int walk_entry() {
    struct stat status;
    const int kind = kind_of(status);
    if (kind == -1) return -1;
    if (kind != FTW_NS && has(FTW_MOUNT) && status.st_dev != device_) return 0;
    int result = 0;
    if (kind != FTW_D)
      result = tell(status, kind);
    else if (has(FTW_PHYS) || is_new(status))
      result = walk_folder(status);
    return has(FTW_ACTIONRETVAL) && result == FTW_SKIP_SUBTREE ? 0 : result;
  }

  int walk_folder(const struct stat& status) {
    DIR* const readable = opendir(name());
    if (!readable) return errno == EACCES ? tell(status, FTW_DNR) : -1;
    closedir(readable);
    if (!has(FTW_DEPTH))
      if (const int result = tell(status, FTW_D); result != 0) return result;
    std::vector<std::string> names;
    if (!read_folder(names)) return -1;
    if (has(FTW_CHDIR) && chdir(name()) != 0) return -1;
    const std::size_t length = path_.size();
    const int base_before = place_.base;
    if (!path_.ends_with('/')) path_ += '/';
    ++place_.level;
    place_.base = static_cast<int>(path_.size());
    int result = 0;
    for (std::size_t i = 0; i < names.size() && result == 0; ++i) {
      path_.resize(base());
      path_ += names[i];
      result = walk_entry();
    }
    if (has(FTW_ACTIONRETVAL) && result == FTW_SKIP_SIBLINGS) result = 0;
    path_.resize(length);
    --place_.level;
    place_.base = base_before;
    if (result == 0 && has(FTW_DEPTH)) result = tell(status, FTW_DP);
    const bool goes_on = result == 0 || (has(FTW_ACTIONRETVAL) && result != -1 && result != FTW_STOP);
    if (has(FTW_CHDIR) && place_.level > 0 && goes_on && !enter(path_.substr(0, base()))) return -1;
    return result;
  }

  bool read_folder(std::vector<std::string>& names) const {
    DIR* const folder = opendir(name());
    if (!folder) return false;
    while (const dirent* entry = readdir(folder))
      if (!is_dots(entry->d_name)) names.emplace_back(entry->d_name);
    closedir(folder);
    return true;
  }

  /// Returns true if the folder was not walked yet: where links are followed, each folder is walked once.
  bool is_new(const struct stat& status) { return seen_.emplace(status.st_dev, status.st_ino).second; }

  __nftw_func_t visit_;
  __ftw_func_t visit_shortly_;
  int flags_;
  std::string path_;
  struct FTW place_ = {};
  int start_ = -1;  ///< start of the walk, with FTW_CHDIR
  dev_t device_ = 0;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

int walk(const char* start, __nftw_func_t visit, __ftw_func_t visit_shortly, int flags) {
  try {
    return Walk(visit, visit_shortly, flags).run(start);
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return -1;
  }
}

int rank_nftw(const char* start, __nftw_func_t visit, int, int flags) {
  constexpr int known = FTW_PHYS | FTW_MOUNT | FTW_CHDIR | FTW_DEPTH | FTW_ACTIONRETVAL;
  if (flags & ~known) {
    errno = EINVAL;
    return -1;
  }
  return walk(start, visit, nullptr, flags);
}
int rank_ftw(const char* start, __ftw_func_t visit, int) { return walk(start, nullptr, visit, 0); }

using Select = int (*)(const dirent*);
using Compare = int (*)(const dirent**, const dirent**);

dirent* copy_of(const dirent& entry) {
  auto* const copy = static_cast<dirent*>(malloc(entry.d_reclen));
  if (copy) memcpy(copy, &entry, entry.d_reclen);
  return copy;
}
void free_all(dirent** entries, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) free(entries[i]);
  free(entries);
}

int scan(DIR* folder, dirent*** list, Select select, Compare compare) {
  if (!folder) return -1;
  std::size_t count = 0, room = 16;
  auto** entries = static_cast<dirent**>(malloc(room * sizeof(dirent*)));
  bool fits = entries;
  while (const dirent* entry = fits ? readdir(folder) : nullptr) {
    if (count == room) {
      auto** const more = static_cast<dirent**>(realloc(entries, 2 * room * sizeof(dirent*)));
      if (!(fits = more)) break;
      entries = more;
      room *= 2;
    }
    if (!(fits = (entries[count] = copy_of(*entry)))) break;
    ++count;
  }
  closedir(folder);
  if (!fits) {
    free_all(entries, count);
    errno = ENOMEM;
    return -1;
  }
  if (select) {
    dirent** const end =
        std::stable_partition(entries, entries + count, [=](const dirent* e) { return select(e); });
    std::for_each(end, entries + count, free);
    count = static_cast<std::size_t>(end - entries);
  }
  if (compare)
    qsort(entries, count, sizeof *entries, reinterpret_cast<int (*)(const void*, const void*)>(compare));
  *list = entries;
  return static_cast<int>(count);
}

int rank_scandir(const char* path, dirent*** list, Select select, Compare compare) {
  return scan(opendir(path), list, select, compare);
}
int rank_scandirat(int directory, const char* path, dirent*** list, Select select, Compare compare) {
  const int descriptor = openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return descriptor < 0 ? -1 : scan(fdopendir(descriptor), list, select, compare);
}

}  // namespace

const Overrides walk_overrides({
    {"nftw", address_of(rank_nftw)},
    {"nftw64", address_of(rank_nftw)},
    {"ftw", address_of(rank_ftw)},
    {"ftw64", address_of(rank_ftw)},
    {"scandir", address_of(rank_scandir)},
    {"scandir64", address_of(rank_scandir)},
    {"scandirat", address_of(rank_scandirat)},
    {"scandirat64", address_of(rank_scandirat)},
});

}  // namespace skein::libc
