// SPDX-License-Identifier: Apache-2.0
// `walks`: callbacks of walks through folders (nftw, ftw, scandir, and fts in between) meet all ranks, which
// may move there, and change no other rank's directory. Each rank walks a tree of its own, of 1 + 2 + 4 + 8 =
// 15 folders with a file in each.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../check.h"

enum { depth = 4, folders = (1 << depth) - 1 };

static char start[4096];  // the directory that the job was started in
static char tree[32];
static int told[2];  // folders and files that the callback has seen
static int changes_directory, folders_last;

static void make_folder(const char* path, int levels) {
  char name[256];
  CHECK(mkdir(path, 0700) == 0);
  snprintf(name, sizeof name, "%s/file", path);
  FILE* file = fopen(name, "w");
  CHECK(file && fprintf(file, "%d\n", my_rank) > 0 && fclose(file) == 0);
  for (int side = 0; levels > 1 && side < 2; ++side) {
    snprintf(name, sizeof name, "%s/%d", path, side);
    make_folder(name, levels - 1);
  }
}

static void is_mine(const char* path) {
  FILE* file = fopen(path, "r");
  int whose = -1;
  CHECK(file && fscanf(file, "%d", &whose) == 1 && fclose(file) == 0 && whose == my_rank);
}

static void is_at_start(void) {
  char now[4096];
  CHECK(getcwd(now, sizeof now) && strcmp(now, start) == 0);
}

/// All ranks meet here, and those that walk may be in other directories.
static void meet(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
}

static int visit(const char* path, const struct stat* status, int kind, struct FTW* place) {
  meet();
  ++told[kind == FTW_F];
  CHECK(kind == (S_ISREG(status->st_mode) ? FTW_F : folders_last ? FTW_DP : FTW_D));
  if (kind == FTW_F) is_mine(changes_directory ? path + place->base : path);
  if (!changes_directory) is_at_start();
  int level = 0;
  for (const char* c = path; *c; ++c) level += *c == '/';
  CHECK(level == place->level && (level == 0 || path[place->base - 1] == '/'));
  return 0;
}

static int visit_shortly(const char* path, const struct stat* status, int kind) {
  meet();
  ++told[kind == FTW_F];
  CHECK(kind == (S_ISREG(status->st_mode) ? FTW_F : FTW_D));
  if (kind == FTW_F) is_mine(path);
  return 0;
}

static void all_were_told(void) {
  CHECK(told[0] == folders && told[1] == folders);
  told[0] = told[1] = 0;
  is_at_start();
}

static int chosen(const struct dirent* entry) {
  meet();
  return entry->d_name[0] != '.';
}

static void lists(void) {
  struct dirent** entries;
  for (int form = 0; form < 2; ++form) {
    const int count = form == 0 ? scandir(tree, &entries, chosen, alphasort)
                                : scandirat(AT_FDCWD, tree, &entries, chosen, alphasort);
    meet();
    CHECK(count == 3 && strcmp(entries[0]->d_name, "0") == 0 && strcmp(entries[2]->d_name, "file") == 0);
    for (int i = 0; i < count; ++i) free(entries[i]);
    free(entries);
  }
}

static void walk_by_fts(void) {
  char* const paths[] = {tree, NULL};
  FTS* walk = fts_open(paths, FTS_PHYSICAL, NULL);
  CHECK(walk);
  for (FTSENT* entry; (entry = fts_read(walk));) {
    meet();
    if (entry->fts_info == FTS_D) ++told[0];
    if (entry->fts_info != FTS_F) continue;
    ++told[1];
    is_mine(entry->fts_accpath);
  }
  CHECK(fts_close(walk) == 0);
  all_were_told();
}

/// Rank 0 goes from folder to folder; the others stay where they are.
static void one_walks(void) {
  int goes_on = 1;
  if (my_rank == 0) {
    CHECK(nftw(tree, visit, 8, FTW_PHYS | FTW_CHDIR) == 0);
    goes_on = 0;
    meet();
    all_were_told();
  } else {
    for (int i = 0; i < 2 * folders + 1; ++i) {
      meet();
      is_at_start();
      char name[64];
      snprintf(name, sizeof name, "%s/file", tree);
      is_mine(name);
    }
  }
  MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK(!goes_on);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(getcwd(start, sizeof start));
  snprintf(tree, sizeof tree, "tree.%d", my_rank);
  make_folder(tree, depth);
  for (folders_last = 0; folders_last < 2; ++folders_last) {
    for (changes_directory = 0; changes_directory < 2; ++changes_directory) {
      const int flags = (changes_directory ? FTW_CHDIR : 0) | (folders_last ? FTW_DEPTH : 0);
      CHECK(nftw(tree, visit, 8, FTW_PHYS | flags) == 0);
      all_were_told();
      CHECK(nftw(tree, visit, 8, flags) == 0);
      all_were_told();
    }
  }
  folders_last = 0;
  CHECK(ftw(tree, visit_shortly, 8) == 0);
  all_were_told();
  lists();
  walk_by_fts();
  changes_directory = 1;
  one_walks();
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", tree);
  CHECK(system(command) == 0);
  finish("walks");
  return 0;
}
