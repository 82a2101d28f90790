// SPDX-License-Identifier: Apache-2.0
// `lists`: databases read entry by entry; each rank keeps a place of its own when it moves, and while others
// read the same database. The expected entries come from one look at the whole file.
#define _GNU_SOURCE
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <pwd.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "../check.h"

static void others_run(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
}

/// Reads the first words of the lines of a file, up to `end`.
static int words_of(const char* path, char end, char words[][64], int most) {
  FILE* file = fopen(path, "r");
  if (!file) return 0;
  char line[4096];
  int count = 0;
  while (count < most && fgets(line, sizeof line, file)) {
    if (line[0] == '#' || line[0] == '\n' || line[0] == ' ' || line[0] == '\t') continue;
    const size_t length = strcspn(line, (char[]){end, ' ', '\t', '\n', '\0'});
    snprintf(words[count++], 64, "%.*s", (int)(length < 63 ? length : 63), line);
  }
  CHECK(fclose(file) == 0);
  return count;
}

enum { most = 1000, in_turns = 8 };
static char expected[most][64];

/// Ranks begin one entry apart; all read in turns for a while, and the rest at once.
static void users(void) {
  const int count = words_of("/etc/passwd", ':', expected, most);
  CHECK(count > in_turns);
  setpwent();
  for (int i = 0; i < my_rank % 3; ++i) {
    others_run();
    CHECK(strcmp(getpwent()->pw_name, expected[i]) == 0);
  }
  for (int i = my_rank % 3; i < count; ++i) {
    const struct passwd* user;
    struct passwd entry, *found;
    char room[1024];
    if (i % 2) {
      user = getpwent();
    } else {
      char little[2];
      CHECK(getpwent_r(&entry, little, sizeof little, &found) != 0);  // too little room: the same again
      CHECK(getpwent_r(&entry, room, sizeof room, &found) == 0);
      user = found;
    }
    if (i < in_turns) others_run();
    CHECK(user && strcmp(user->pw_name, expected[i]) == 0);
  }
  CHECK(!getpwent());
  others_run();
  CHECK(!getpwent());
  setpwent();
  CHECK(strcmp(getpwent()->pw_name, expected[0]) == 0);
  others_run();
  endpwent();
  others_run();
  CHECK(strcmp(getpwent()->pw_name, expected[0]) == 0);
  endpwent();
}

static void groups(void) {
  const int count = words_of("/etc/group", ':', expected, most);
  for (int i = 0; i < count; ++i) {
    const struct group* group = getgrent();
    if (i < in_turns && i % 2) others_run();
    CHECK(group && strcmp(group->gr_name, expected[i]) == 0 && group->gr_mem);
  }
  CHECK(!getgrent());
  endgrent();
}

static void protocols(void) {
  const int count = words_of("/etc/protocols", ' ', expected, most);
  setprotoent(1);
  for (int i = 0; i < count; ++i) {
    const struct protoent* protocol = getprotoent();
    if (i < in_turns) others_run();
    CHECK(protocol && strcmp(protocol->p_name, expected[i]) == 0);
  }
  CHECK(!getprotoent());
  endprotoent();
}

static void mounts(void) {
  const int count = words_of("/proc/self/mounts", ' ', expected, most);
  FILE* file = setmntent("/proc/self/mounts", "r");
  CHECK(file);
  for (int i = 0; i < count; ++i) {
    const struct mntent* mount = getmntent(file);
    if (i < in_turns) others_run();
    CHECK(mount && strcmp(mount->mnt_fsname, expected[i]) == 0 && mount->mnt_dir[0] == '/');
  }
  CHECK(!getmntent(file) && endmntent(file) == 1);
}

/// The name lies in the rank's memory, which may have moved away when another rank writes a line.
static void log_lines(void) {
  char name[64];
  snprintf(name, sizeof name, "lists-%d", my_rank);
  CHECK(setlogmask(LOG_UPTO(LOG_ERR)) == 0xff);
  openlog(name, LOG_NDELAY, LOG_LOCAL0);
  for (int i = 0; i < 3; ++i) {
    others_run();
    syslog(LOG_DEBUG, "not to be seen %d", i);
    CHECK(setlogmask(0) == LOG_UPTO(LOG_ERR));
  }
  closelog();
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  users();
  groups();
  protocols();
  mounts();
  log_lines();
  finish("lists");
  return 0;
}
