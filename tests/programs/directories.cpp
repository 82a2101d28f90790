// SPDX-License-Identifier: Apache-2.0
// `directories`: each rank has a working directory of its own, for all calls with relative paths, wherever
// the rank is. Every rank works in a folder of its own, where a file of one name says whose it is; between
// two calls all others run, and the rank may move.
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "check.h"

namespace {

std::string start;  // the directory that the job was started in

std::string whose() { return "rank " + std::to_string(my_rank); }

std::string working_directory() {
  char path[4096];
  CHECK(getcwd(path, sizeof path));
  return path;
}

std::string text_of(const char* file) {
  std::ifstream stream(file);
  std::string text;
  std::getline(stream, text);
  return text;
}

/// Returns after all others have run, here and perhaps elsewhere.
void others_run() {
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
}

/// Checks that each call makes `made` in the rank's own folder, or finds `mine`, which names the rank.
void relative_names() {
  const std::vector<std::function<bool()>> calls = {
      [] { return text_of("mine") == whose(); },
      [] {
        const int file = open("mine", O_RDONLY);
        char text[16] = "";
        const bool good = read(file, text, 15) > 0 && whose() + "\n" == text;
        return close(file) == 0 && good;
      },
      [] {
        const int file = openat(AT_FDCWD, "made", O_CREAT | O_EXCL | O_WRONLY, 0600);
        return file >= 0 && close(file) == 0 && access("made", W_OK) == 0 && remove("made") == 0;
      },
      [] {
        FILE* file = fopen("mine", "r");
        file = freopen("mine", "r", file);
        char text[16] = "";
        const bool good = file && fgets(text, sizeof text, file) && whose() + "\n" == text;
        return good && fclose(file) == 0;
      },
      [] {
        struct stat status, link;
        return stat("mine", &status) == 0 && static_cast<std::size_t>(status.st_size) == whose().size() + 1 &&
               lstat("link", &link) == 0 && S_ISLNK(link.st_mode);
      },
      [] { return mkdir("made", 0700) == 0 && rename("made", "other") == 0 && rmdir("other") == 0; },
      [] { return link("mine", "made") == 0 && text_of("made") == whose() && unlink("made") == 0; },
      [] {
        char text[16] = "", *real = realpath("link", nullptr);
        const bool good =
            readlink("link", text, 15) == 4 && !strcmp(text, "mine") && real == working_directory() + "/mine";
        free(real);
        return good;
      },
      [] {
        DIR* directory = opendir(".");
        int entries = 0;
        while (const dirent* entry = readdir(directory)) entries += entry->d_name[0] != '.';
        return closedir(directory) == 0 && entries == 3;  // mine, link, sub
      },
      [] {
        dirent** entries;
        const int found = scandir("sub", &entries, nullptr, alphasort);
        const bool good = found == 3 && whose() == entries[2]->d_name;
        for (int i = 0; i < found; ++i) free(entries[i]);
        free(entries);
        return good;
      },
      [] {
        glob_t found;
        const bool good = glob("sub/*", 0, nullptr, &found) == 0 && found.gl_pathc == 1 &&
                          found.gl_pathv[0] == "sub/" + whose();
        globfree(&found);
        return good;
      },
      [] {
        static int seen;
        seen = 0;
        const auto count = [](const char* path, const struct stat*, int) {
          seen += path == "sub/" + whose();
          return 0;
        };
        return ftw("sub", count, 4) == 0 && seen == 1;
      },
      [] {
        char name[] = "madeXXXXXX";
        const int file = mkstemp(name);
        return file >= 0 && ftruncate(file, 7) == 0 && close(file) == 0 && truncate(name, 5) == 0 &&
               chmod(name, 0400) == 0 && utime(name, nullptr) == 0 && std::filesystem::file_size(name) == 5 &&
               unlink(name) == 0;
      },
      [] {
        struct statfs status;
        return statfs("mine", &status) == 0 && chown("mine", getuid(), getgid()) == 0;
      },
      [] {  // past all overrides of the C library
        const long file = syscall(SYS_openat, AT_FDCWD, "mine", O_RDONLY);
        return file >= 0 && syscall(SYS_close, file) == 0;
      },
      [] {
        return std::filesystem::exists("sub/" + whose()) &&
               std::filesystem::current_path() == working_directory();
      },
      [] {
        sockaddr_un address = {AF_UNIX, "made"};
        const int listening = socket(AF_UNIX, SOCK_STREAM, 0), calling = socket(AF_UNIX, SOCK_STREAM, 0);
        const auto* name = reinterpret_cast<const sockaddr*>(&address);
        return bind(listening, name, sizeof address) == 0 && listen(listening, 1) == 0 &&
               connect(calling, name, sizeof address) == 0 && close(listening) == 0 && close(calling) == 0 &&
               unlink("made") == 0;
      },
      [] { return system("cp mine made") == 0 && text_of("made") == whose() && unlink("made") == 0; },
      [] {
        FILE* output = popen("cat mine", "r");
        char text[16] = "";
        const bool good = fgets(text, sizeof text, output) && whose() + "\n" == text;
        return pclose(output) == 0 && good;
      },
      [] {
        const char* const words[] = {"cp", "mine", "made", nullptr};
        pid_t child;
        int status;
        return posix_spawnp(&child, "cp", nullptr, nullptr, const_cast<char**>(words), environ) == 0 &&
               waitpid(child, &status, 0) == child && status == 0 && text_of("made") == whose() &&
               unlink("made") == 0;
      },
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i]()) {
      fprintf(stderr, "rank %d: call %zu: %s\n", my_rank, i, strerror(errno));
      CHECK(!"a call with a relative name");
    }
    others_run();
  }
}

/// Lets each rank enter a folder of its own, and return, in each possible way.
void own_folders() {
  const std::string folder = "folder " + std::to_string(my_rank);
  const int home = open(".", O_RDONLY | O_DIRECTORY);
  CHECK(home >= 0 && mkdir(folder.c_str(), 0700) == 0);
  others_run();
  CHECK(chdir(folder.c_str()) == 0);
  others_run();
  CHECK(working_directory() == start + "/" + folder);
  std::ofstream("mine") << whose() << "\n";
  CHECK(symlink("mine", "link") == 0 && mkdir("sub", 0700) == 0);
  std::ofstream("sub/" + whose());
  relative_names();

  CHECK(chdir("sub") == 0);
  others_run();
  CHECK(working_directory() == start + "/" + folder + "/sub" && text_of("../mine") == whose());
  CHECK(remove(whose().c_str()) == 0);
  CHECK(chdir("..") == 0 && chdir("missing") == -1 && errno == ENOENT && chdir("mine") == -1 &&
        errno == ENOTDIR);
  others_run();
  CHECK(working_directory() == start + "/" + folder);
  CHECK(fchdir(-1) == -1 && errno == EBADF && fchdir(AT_FDCWD) == -1 && errno == EBADF);
  CHECK(rmdir("sub") == 0 && unlink("link") == 0 && unlink("mine") == 0);
  CHECK(fchdir(home) == 0 && close(home) == 0);
  others_run();
  CHECK(working_directory() == start);
  std::filesystem::current_path(folder);
  others_run();
  // A folder that has no name any more keeps its rank, on this node.
  CHECK(rmdir((start + "/" + folder).c_str()) == 0);
  others_run();
  char path[4096];
  CHECK(!getcwd(path, sizeof path) && errno == ENOENT && open("made", O_CREAT | O_WRONLY, 0600) == -1);
  CHECK(chdir(start.c_str()) == 0);
  others_run();
  CHECK(working_directory() == start);
}

/// Writes results to one folder, as many programs do.
void one_folder() {
  if (my_rank == 0) CHECK(mkdir("results", 0700) == 0);
  others_run();
  CHECK(chdir("results") == 0);
  const std::string file = "of " + whose();
  std::ofstream stream(file);
  others_run();
  stream << whose() << std::endl;
  CHECK(text_of(("../results/" + file).c_str()) == whose() && remove(file.c_str()) == 0);
  others_run();
  CHECK(chdir("..") == 0 && working_directory() == start);
  others_run();
  if (my_rank == 0) CHECK(rmdir("results") == 0);
}

}  // namespace

int main(int argc, char** argv) {
  begin(&argc, &argv);
  start = working_directory();
  one_folder();
  own_folders();
  // The rank ends elsewhere than where it was started, and where the runtime's files are.
  CHECK(chdir("/") == 0);
  maybe_move();
  finish("directories");
  return 0;
}
