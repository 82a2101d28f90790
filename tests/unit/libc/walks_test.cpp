// SPDX-License-Identifier: Apache-2.0
// Oracle: the C library.
#include <dirent.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

namespace {

std::string told;      // the arguments of the callback's calls
std::string stops_at;  // the name at which it returns `returns`
int returns = 0;

std::string here() {
  std::array<char, 4096> path = {};
  return getcwd(path.data(), path.size()) ? path.data() : "?";
}

int tell(const char* path, const struct stat* status, int kind) {
  told += std::to_string(kind) + ' ' + path + ' ' + std::to_string(kind == FTW_NS ? 0 : status->st_ino) +
          ' ' + here() + '\n';
  return stops_at == path ? returns : 0;
}
int tell_place(const char* path, const struct stat* status, int kind, struct FTW* place) {
  told += std::to_string(place->base) + ' ' + std::to_string(place->level) + ' ';
  return tell(path, status, kind);
}

/// Makes a tree of folders, files, links to either, links to nothing and in a circle, and enters it. Returns
/// its name.
std::string make_tree() {
  char name[] = "/tmp/skein-walks.XXXXXX";
  CHILD_CHECK(mkdtemp(name) && chdir(name) == 0);
  CHILD_CHECK(mkdir("tree", 0700) == 0 && mkdir("tree/a", 0700) == 0 && mkdir("tree/a/deep", 0700) == 0 &&
              mkdir("tree/b", 0700) == 0 && mkdir("tree/empty", 0700) == 0);
  for (const char* file : {"tree/1", "tree/a/2", "tree/a/deep/3", "tree/a/deep/4", "tree/b/5", "tree/z"})
    std::ofstream(file) << file;
  CHILD_CHECK(symlink("1", "tree/to file") == 0 && symlink("../b", "tree/a/to folder") == 0 &&
              symlink("nothing", "tree/b/to nothing") == 0 && symlink("..", "tree/a/deep/circle") == 0);
  return name;
}

struct Outcome {
  int result;
  int error_number;
  std::string told;
  bool operator==(const Outcome&) const = default;
};

template <class Call>
Outcome outcome_of(Call call) {
  told.clear();
  errno = 0;
  const int result = call();
  return {result, result == -1 ? errno : 0, told + "ends in " + here()};
}

void check_walk(Rank& rank, const char* start, int flags) {
  const Outcome expected = outcome_of([&] { return nftw(start, tell_place, 20, flags); });
  const Outcome found = outcome_of([&] {
    const AsRank program(rank);
    return RANK(nftw)(start, tell_place, 1, flags);
  });
  if (!(found == expected))
    fprintf(stderr, "nftw(%s, %x): %d %d\n%s\nnot %d %d\n%s\n", start, flags, found.result,
            found.error_number, found.told.c_str(), expected.result, expected.error_number,
            expected.told.c_str());
  CHILD_CHECK(found == expected);
}

}  // namespace

TEST_CASE("nftw: tells what the C library's does, in its order, from the same folders") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const std::string folder = make_tree();
    Rank& rank = make_rank(0);
    for (int flags = 0; flags < 2 * FTW_ACTIONRETVAL; ++flags)
      for (const char* start : {"tree", "tree//", "./tree/a", "tree/1", "tree/to file", "tree/a/to folder",
                                "tree/b/to nothing", "missing", "", "tree/1/x"})
        for (const auto& [name, value] : {std::pair{"", 0},
                                          {"tree/a", FTW_SKIP_SUBTREE},
                                          {"tree/a/2", FTW_STOP},
                                          {"tree/a/deep/3", FTW_SKIP_SIBLINGS},
                                          {"tree/b", FTW_SKIP_SIBLINGS},
                                          {"tree/b/5", 77},
                                          {"tree", FTW_SKIP_SUBTREE},
                                          {"tree/a/deep", -1}}) {
          stops_at = name;
          returns = value;
          check_walk(rank, start, flags);
          CHILD_CHECK(chdir(folder.c_str()) == 0);
        }
    stops_at.clear();
    check_walk(rank, "tree", 1 << 20);
    CHILD_CHECK(system(("rm -r " + folder).c_str()) == 0);
  }));
}

TEST_CASE("ftw: likewise, with the kinds that it knows") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const std::string folder = make_tree();
    Rank& rank = make_rank(0);
    for (const char* start : {"tree", "tree/b/to nothing", "missing"}) {
      const Outcome expected = outcome_of([&] { return ftw(start, tell, 20); });
      const Outcome found = outcome_of([&] {
        const AsRank program(rank);
        return RANK(ftw)(start, tell, 1);
      });
      CHILD_CHECK(found == expected);
    }
    CHILD_CHECK(system(("rm -r " + folder).c_str()) == 0);
  }));
}

TEST_CASE("scandir: chosen and sorted as by the C library, with nothing open while it chooses") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const std::string folder = make_tree();
    static Rank* rank;
    rank = &make_rank(0);
    const auto choose = [](const dirent* entry) {
      CHILD_CHECK(rank->pinned_because == nullptr);
      return static_cast<int>(entry->d_name[0] != '.');
    };
    dirent **expected, **found;
    const int count = scandir("tree", &expected, choose, alphasort);
    const AsRank program(*rank);
    for (int form = 0; form < 2; ++form) {
      CHILD_CHECK(count == (form == 0 ? RANK(scandir)("tree", &found, choose, alphasort)
                                      : RANK(scandirat)(AT_FDCWD, "tree", &found, choose, alphasort)));
      for (int i = 0; i < count; ++i) CHILD_CHECK(strcmp(found[i]->d_name, expected[i]->d_name) == 0);
    }
    CHILD_CHECK(count == 6 && RANK(scandir)("tree", &found, nullptr, nullptr) == 8);
    CHILD_CHECK(RANK(scandir)("missing", &found, nullptr, nullptr) == -1 && errno == ENOENT);
    CHILD_CHECK(rank->pinned_because == nullptr);
    CHILD_CHECK(system(("rm -r " + folder).c_str()) == 0);
  }));
}
