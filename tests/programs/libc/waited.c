// SPDX-License-Identifier: Apache-2.0
// `waited`: a rank can wait for the processes that it starts, however long they take and whatever moves
// meanwhile, and no other rank can; the words of wordexp() and the names of glob() stay.
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "../check.h"

extern char** environ;

static void others_run(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
}

/// Returns the status, one of this rank's own, with which a child ends.
static int own_status(int which) { return 1 + my_rank + 20 * which; }
static pid_t spawned(int which) {
  char command[32];
  snprintf(command, sizeof command, "exit %d", own_status(which));
  char* const words[] = {"sh", "-c", command, NULL};
  pid_t child = 0;
  if (which % 2 == 0)
    CHECK(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0);
  else
    CHECK(posix_spawnp(&child, "sh", NULL, NULL, words, environ) == 0);
  CHECK(child > 0);
  return child;
}
__attribute__((noinline)) static pid_t started(int which) {
  const pid_t child = vfork();
  if (child == 0) _exit(own_status(which));
  CHECK(child > 0);
  return child;
}

/// Starts a child by fork() where ranks may, which needs private memory.
static pid_t forked(int which) {
  const pid_t child = fork();
  if (child == 0) _exit(own_status(which));
  CHECK(child > 0 || errno == ENOTSUP);
  return child > 0 ? child : spawned(which);
}

/// Waits for the one child under way in any of the ways.
static void one_child(int way, pid_t child, int which) {
  int status = -1;
  siginfo_t info = {0};
  struct rusage usage = {0};
  others_run();
  switch (way) {
    case 0:
      CHECK(waitpid(child, &status, 0) == child);
      break;
    case 1:
      CHECK(wait(&status) == child);
      break;
    case 2:
      CHECK(waitpid(-1, &status, 0) == child);
      break;
    case 3:
      CHECK(wait4(-1, &status, 0, &usage) == child && usage.ru_maxrss > 0);
      break;
    case 4:
      CHECK(wait3(&status, 0, NULL) == child);
      break;
    case 5:
      CHECK(waitpid(0, &status, 0) == child);
      break;
    case 6:
      CHECK(waitpid(-getpgrp(), &status, 0) == child);
      break;
    case 7:
      CHECK(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0 && info.si_pid == child);
      others_run();
      CHECK(waitid(P_ALL, 0, &info, WEXITED) == 0 && info.si_pid == child && info.si_code == CLD_EXITED);
      CHECK(info.si_status == own_status(which));
      status = info.si_status << 8;
      break;
    case 8:
      CHECK(waitid(P_PGID, (id_t)getpgrp(), &info, WEXITED) == 0 && info.si_pid == child);
      status = info.si_status << 8;
      break;
    case 9: {
      pid_t found;
      while ((found = waitpid(-1, &status, WNOHANG)) == 0) usleep(1000);
      CHECK(found == child);
    }
  }
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == own_status(which));
}

static void none_left(void) {
  siginfo_t info;
  CHECK(wait(NULL) == -1 && errno == ECHILD);
  CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
  CHECK(waitpid(0, NULL, 0) == -1 && errno == ECHILD);
  CHECK(waitid(P_ALL, 0, &info, WEXITED) == -1 && errno == ECHILD);
}

/// Waits in another order on each rank: no rank takes another's child.
static void several_children(void) {
  enum { children = 3 };
  pid_t child[children];
  for (int i = 0; i < children; ++i) child[i] = i == 1 ? started(i) : spawned(i);
  others_run();
  int seen = 0;
  for (int i = 0; i < children; ++i) {
    int status = -1;
    const pid_t found = wait(&status);
    for (int k = 0; k < children; ++k)
      if (child[k] == found) {
        CHECK(WEXITSTATUS(status) == own_status(k));
        seen |= 1 << k;
      }
    if (my_rank % 2) others_run();
  }
  if (my_rank % 2 == 0)
    for (int i = 0; i < children; ++i) others_run();
  CHECK(seen == (1 << children) - 1);
}

/// The even rank's child ends when the odd rank, perhaps on the same PE, has written to it.
static void waits_for_another(void) {
  if (rank_count < 2 || (my_rank == rank_count - 1 && my_rank % 2 == 0)) return;
  char name[32], command[128];
  const int first = my_rank & ~1;
  snprintf(name, sizeof name, "waited.%d", first);
  if (my_rank != first) {
    FILE* file = fopen(name, "w");
    CHECK(file && fclose(file) == 0);
    return;
  }
  snprintf(command, sizeof command, "while ! test -e %s; do sleep 0.01; done; rm %s", name, name);
  char* const words[] = {"sh", "-c", command, NULL};
  pid_t child;
  int status = -1;
  CHECK(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void stopped_and_killed(void) {
  char* const words[] = {"sleep", "100", NULL};
  pid_t child;
  int status = -1;
  CHECK(posix_spawnp(&child, "sleep", NULL, NULL, words, environ) == 0);
  CHECK(waitpid(child, &status, WNOHANG) == 0 && wait4(-1, &status, WNOHANG, NULL) == 0);
  CHECK(kill(child, SIGSTOP) == 0 && waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
  others_run();
  CHECK(kill(child, SIGKILL) == 0 && wait(&status) == child && WTERMSIG(status) == SIGKILL);
}

static void words_and_names(void) {
  char value[32];
  snprintf(value, sizeof value, "of rank %d", my_rank);
  CHECK(setenv("WHOSE", value, 1) == 0 && setenv("HOME", my_rank % 2 ? "/usr" : "/", 1) == 0);
  wordexp_t words = {.we_offs = 2};
  CHECK(wordexp("one $WHOSE", &words, WRDE_DOOFFS) == 0 && words.we_wordc == 4);
  glob_t names;
  CHECK(glob("~/bin", GLOB_TILDE, NULL, &names) == 0 && names.gl_pathc == 1);
  others_run();
  CHECK(wordexp("\"$WHOSE\" $((6 * 7)) ~", &words, WRDE_DOOFFS | WRDE_APPEND) == 0 && words.we_wordc == 7);
  CHECK(wordexp("(", &words, WRDE_DOOFFS | WRDE_APPEND) == WRDE_BADCHAR && words.we_wordc == 7);
  others_run();
  const char* const expected[] = {"one", "of", "rank", value + 8, value, "42", my_rank % 2 ? "/usr" : "/"};
  CHECK(!words.we_wordv[0] && !words.we_wordv[1] && !words.we_wordv[9]);
  for (int i = 0; i < 7; ++i) CHECK(!strcmp(words.we_wordv[i + 2], expected[i]));
  CHECK(!strcmp(names.gl_pathv[0], my_rank % 2 ? "/usr/bin" : "/bin"));
  CHECK(wordexp("again", &words, WRDE_DOOFFS | WRDE_REUSE) == 0 && words.we_wordc == 1);
  CHECK(wordexp("~root", &words, WRDE_APPEND) == 0);
  others_run();
  CHECK(!strcmp(words.we_wordv[words.we_wordc - 1], getpwnam("root")->pw_dir));
  wordfree(&words);
  globfree(&names);
  CHECK(glob("~root", GLOB_TILDE, NULL, &names) == 0);
  others_run();
  CHECK(names.gl_pathc == 1 && !strcmp(names.gl_pathv[0], getpwnam("root")->pw_dir));
  globfree(&names);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  none_left();
  for (int way = 0; way < 10; ++way) {
    one_child(way, way % 3 == 0 ? started(0) : way % 3 == 1 ? spawned(1) : forked(2), way % 3);
    none_left();
  }
  several_children();
  none_left();
  waits_for_another();
  stopped_and_killed();
  words_and_names();
  none_left();
  finish("waited");
  return 0;
}
