// SPDX-License-Identifier: Apache-2.0
// `own_file PATH`: the system reports PATH, absolute and without links, as the program's own file, by all
// calls of C and C++ that follow /proc/self/exe, before and after moves; and AT_EXECFN is argv[0].
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "check.h"

namespace {

constexpr int child_status = 42;
std::string program;  // its file
struct stat expected;

bool is_program(const struct stat& status) {
  return status.st_ino == expected.st_ino && status.st_dev == expected.st_dev;
}
bool is_program(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && is_program(status);
}

void told_by_link(const char* path) {
  char text[PATH_MAX];
  volatile size_t room = sizeof text;  // unknown to compilers, so that checked forms check
  ssize_t length = readlink(path, text, room);
  CHECK(length > 0 && std::string(text, static_cast<size_t>(length)) == program);
  length = readlinkat(AT_FDCWD, path, text, room);
  CHECK(length > 0 && std::string(text, static_cast<size_t>(length)) == program);
  memset(text, '#', 6);
  CHECK(readlink(path, text, 5) == 5 && !memcmp(text, (program.substr(0, 5) + "#").c_str(), 6));
  CHECK(realpath(path, text) == text && text == program);
  char* const allocated = canonicalize_file_name(path);
  CHECK(allocated && allocated == program);
  free(allocated);
  struct stat link;
  CHECK(lstat(path, &link) == 0 && S_ISLNK(link.st_mode));
  CHECK(fstatat(AT_FDCWD, path, &link, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(link.st_mode));
  CHECK(open(path, O_RDONLY | O_NOFOLLOW) == -1 && errno == ELOOP);
}

void found_behind_link(const char* path) {
  struct stat status;
  CHECK(stat(path, &status) == 0 && is_program(status));
  CHECK(fstatat(AT_FDCWD, path, &status, 0) == 0 && is_program(status));
  struct statx extended;
  CHECK(statx(AT_FDCWD, path, 0, STATX_INO, &extended) == 0 && extended.stx_ino == expected.st_ino);
  CHECK(access(path, R_OK | X_OK) == 0 && faccessat(AT_FDCWD, path, X_OK, 0) == 0);
  CHECK(eaccess(path, X_OK) == 0 && euidaccess(path, X_OK) == 0);
}

void opened(const char* path) {
  const int raw = open(path, O_RDONLY), relative = openat(AT_FDCWD, path, O_RDONLY);
  FILE* const stream = fopen(path, "r");
  CHECK(raw >= 0 && relative >= 0 && stream);
  CHECK(is_program(raw) && is_program(relative) && is_program(fileno(stream)));
  CHECK(open(path, O_RDWR) == -1 && errno == ETXTBSY);
  CHECK(!fopen(path, "r+") && errno == ETXTBSY);
  FILE* const again = freopen(path, "r", stream);
  CHECK(again && is_program(fileno(again)));
  maybe_move();
  CHECK(is_program(raw) && is_program(fileno(again)));
  CHECK(close(raw) == 0 && close(relative) == 0 && fclose(again) == 0);
}

void by_cpp(const char* path) {
  namespace fs = std::filesystem;
  CHECK(fs::read_symlink(path) == program && fs::canonical(path) == program);
  CHECK(fs::equivalent(path, program) && fs::is_symlink(path) && fs::is_regular_file(path));
  CHECK(fs::file_size(path) == static_cast<uintmax_t>(expected.st_size));
  std::ifstream mine(path, std::ios::binary), named(program, std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(mine), {}) ==
        std::string(std::istreambuf_iterator<char>(named), {}));
}

void end_as_child(pid_t child) {
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == child_status);
}

/// Runs in a child that shares this memory, so the compiler must not keep any of it in registers.
__attribute__((noinline)) void execute(char* const* words) { execv("/proc/self/exe", words); }

void runs_again() {
  char name[] = "own_file", task[] = "child";
  char* const words[] = {name, task, nullptr};
  pid_t child;
  CHECK(posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, words, environ) == 0);
  end_as_child(child);
  CHECK(posix_spawnp(&child, "/proc/self/exe", nullptr, nullptr, words, environ) == 0);
  end_as_child(child);
  child = vfork();
  if (child == 0) {
    execute(words);
    _exit(99);
  }
  end_as_child(child);
}

void check_all(const char* argv0) {
  const std::string numbered = "/proc/" + std::to_string(getpid()) + "/exe";
  for (const char* path : {"/proc/self/exe", "/proc/thread-self/exe", numbered.c_str()}) {
    told_by_link(path);
    found_behind_link(path);
    by_cpp(path);
  }
  opened("/proc/self/exe");
  runs_again();
  const auto executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  CHECK(executed && !strcmp(executed, argv0));
  maybe_move();
  CHECK(!strcmp(executed, argv0) &&
        getauxval(AT_PAGESZ) == static_cast<unsigned long>(sysconf(_SC_PAGESIZE)));
  // Paths that only look similar are left alone.
  char text[64];
  CHECK(readlink("/proc/self", text, sizeof text) > 0 &&
        readlink("/proc/self/exe/", text, sizeof text) == -1);
  CHECK(readlink("/proc/1x/exe", text, sizeof text) == -1 && errno == ENOENT);
  CHECK(readlink("/proc/self/exe", text, 0) == -1 && errno == EINVAL);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && !strcmp(argv[1], "child")) return child_status;
  begin(&argc, &argv);
  CHECK(argc == 2);
  program = argv[1];
  CHECK(stat(program.c_str(), &expected) == 0);
  for (int round = 0; round < 3; ++round) check_all(argv[0]);
  finish("own_file");
  return 0;
}
