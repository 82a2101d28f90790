// SPDX-License-Identifier: Apache-2.0
// `children`: a child process has the environment and the PATH of the rank that starts it, and the
// descriptors that it was given; a rank that closes numbers which are not its own closes no descriptor of
// others.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "check.h"

extern char** environ;

static char value[32];     // of WHOSE, in this rank
static char folder[4096];  // the rank's own, and alone in its PATH in some tests

/// Waits for the child and returns its status.
static int end_of(pid_t child) {
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

/// Writes a script in the rank's folder that ends with 0 if it has the rank's environment.
static void write_script(const char* head, const char* name) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  CHECK(file && fprintf(file, "%stest \"$WHOSE\" = \"%s\"\n", head, value) > 0 && fclose(file) == 0);
  CHECK(chmod(path, 0700) == 0);
}

enum { forms = 7 };
/// Runs in a child that shares this memory, so the compiler must not keep any of it in registers.
__attribute__((noinline)) static void execute(int form) {
  char* const words[] = {"whose", "x", NULL};
  char path[4200];
  switch (form) {
    case 0:
      execlp("whose", "whose", "x", (char*)NULL);
      break;
    case 1:
      execvp("whose", words);
      break;
    case 2:
      snprintf(path, sizeof path, "%s/whose", folder);
      execl(path, "whose", "x", (char*)NULL);
      break;
    case 3:
      snprintf(path, sizeof path, "%s/whose", folder);
      execv(path, words);
      break;
    case 4:
      execvpe("whose", words, environ);
      break;
    case 5:
      snprintf(path, sizeof path, "%s/whose", folder);
      execle(path, "whose", "x", (char*)NULL, environ);
      break;
    case 6:
      execlp("bare", "bare", (char*)NULL);  // without "#!" the shell runs it
      break;
  }
}

static void environment_of_children(void) {
  CHECK(system("test \"$WHOSE\" = \"$(cat whose.txt)\"") == 0);
  FILE* output = popen("echo \"$WHOSE\"", "r");
  char line[64] = "";
  CHECK(fgets(line, sizeof line, output) && pclose(output) == 0);
  CHECK(!strncmp(line, value, strlen(value)) && line[strlen(value)] == '\n');
  char* const words[] = {"whose", NULL};
  pid_t child;
  CHECK(posix_spawnp(&child, "whose", NULL, NULL, words, environ) == 0 && end_of(child) == 0);
  for (int form = 0; form < forms; ++form) {
    child = vfork();
    if (child == 0) {
      execute(form);
      _exit(99);
    }
    CHECK(end_of(child) == 0);
  }
  child = vfork();
  if (child == 0) {
    execlp("nothing of that name", "nothing", (char*)NULL);
    _exit(errno == ENOENT ? 98 : 97);
  }
  CHECK(end_of(child) == 98);
  wordexp_t found;
  CHECK(wordexp("\"$WHOSE\"", &found, 0) == 0 && found.we_wordc == 1 && !strcmp(found.we_wordv[0], value));
  wordfree(&found);
  CHECK(execlp("true", "true", (char*)NULL) == -1 && errno == ENOTSUP);  // would end the PE with all ranks
}

/// Starts a child in the usual way by hand: its output goes to a file, and all other descriptors are closed.
static void descriptors_of_children(void) {
  const int file = open("output", O_CREAT | O_TRUNC | O_RDWR, 0600);
  CHECK(file >= 0);
  const pid_t child = vfork();
  if (child == 0) {
    if (dup2(file, 1) != 1 || chdir("/") != 0) _exit(99);
    for (int i = 3; i < 2000; ++i) close(i);
    execlp("sh", "sh", "-c", "echo $WHOSE; pwd", (char*)NULL);
    _exit(98);
  }
  CHECK(end_of(child) == 0);
  char text[64] = "", expected[64];
  snprintf(expected, sizeof expected, "%s\n/\n", value);
  CHECK(pread(file, text, sizeof text - 1, 0) > 0 && !strcmp(text, expected));
  CHECK(close(file) == 0 && remove("output") == 0);
}

/// Returns how many of these numbers were open for this rank.
static int close_all(int end) {
  int closed = 0;
  for (int i = 3; i < end; ++i) {
    if (close(i) == 0)
      closed += i != fileno(stdin);
    else
      CHECK(errno == EBADF);
  }
  return closed;
}

static void others_descriptors(void) {
  const int file = open("file", O_CREAT | O_RDWR, 0600), copy = dup(file);
  int ends[2];
  CHECK(file >= 0 && copy >= 0 && pipe(ends) == 0);
  const int last = copy > file ? copy : file;
  const int all = last + 300;  // includes the numbers of other ranks
  CHECK(close_all(all) == 4 && write(file, "x", 1) == -1 && errno == EBADF);
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();

  // A number that is open but not this rank's cannot be copied, asked, replaced or wrapped.
  int foreign = 0;
  const int again = open("file", O_RDWR);
  for (int i = 3; i < 1000; ++i) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", i);
    struct stat status;
    if (lstat(link, &status) != 0 || i == fileno(stdin)) continue;
    ++foreign;
    CHECK(dup(i) == -1 && errno == EBADF);
    CHECK(fcntl(i, F_GETFD) == -1 && errno == EBADF);
    CHECK(fcntl(i, F_DUPFD, 0) == -1 && errno == EBADF);
    CHECK(dup2(i, 900) == -1 && errno == EBADF);
    CHECK(!fdopen(i, "r") && errno == EBADF);
    CHECK(fchdir(i) == -1 && errno == EBADF);
    if (foreign == 1) CHECK(dup2(again, i) == -1 && errno == EBADF);
  }
  CHECK(foreign > 0);
  CHECK(chdir("..") == 0 && close_all(all) == 1);  // the directory belongs to the rank, but has no number
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
  CHECK(chdir(folder) == 0 && close_range(3, ~0U, 0) == 0);
  closefrom(3);
  maybe_move();
  CHECK(access("file", F_OK) == 0 && remove("file") == 0);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(getcwd(folder, sizeof folder - 32));
  sprintf(folder + strlen(folder), "/children.%d", my_rank);
  CHECK(mkdir(folder, 0700) == 0 && chdir(folder) == 0);
  snprintf(value, sizeof value, "rank %d", my_rank);
  char path[4200];
  snprintf(path, sizeof path, "%s:/usr/bin:/bin", folder);
  CHECK(setenv("WHOSE", value, 1) == 0 && setenv("PATH", path, 1) == 0);
  write_script("#!/bin/sh\n", "whose");
  write_script("", "bare");
  FILE* file = fopen("whose.txt", "w");
  CHECK(file && fprintf(file, "%s\n", value) > 0 && fclose(file) == 0);

  for (int round = 0; round < 2; ++round) {
    environment_of_children();
    maybe_move();
    descriptors_of_children();
    maybe_move();
    others_descriptors();
  }
  CHECK(remove("whose") == 0 && remove("bare") == 0 && remove("whose.txt") == 0 && chdir("..") == 0);
  CHECK(rmdir(folder) == 0);
  maybe_move();
  finish("children");
  return 0;
}
