// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "runtime/libc/files.hpp"
#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

TEST_CASE("pinning: descriptors without a name pin their rank until the last is closed") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    CHILD_CHECK(rank.pinned_because == nullptr);

    int ends[2];
    CHILD_CHECK(RANK(pipe)(ends) == 0 && pinned_for(rank, "pipe"));
    const int copy = RANK(dup)(ends[1]);
    RANK(close)(ends[0]);
    RANK(close)(ends[1]);
    CHILD_CHECK(pinned_for(rank, "pipe"));
    RANK(close)(copy);
    CHILD_CHECK(rank.pinned_because == nullptr);

    const int inet = RANK(socket)(AF_UNIX, SOCK_STREAM, 0);
    CHILD_CHECK(inet >= 0 && pinned_for(rank, "socket"));
    RANK(close)(inet);
    CHILD_CHECK(RANK(socketpair)(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && pinned_for(rank, "socket"));
    RANK(close_range)(static_cast<unsigned>(std::min(ends[0], ends[1])), ~0U, 0);
    CHILD_CHECK(rank.pinned_because == nullptr && fcntl(ends[1], F_GETFD) < 0);

    for (const int event : {RANK(eventfd)(0, 0), RANK(epoll_create1)(0)}) {
      CHILD_CHECK(event >= 0 && pinned_for(rank, "events"));
      RANK(close)(event);
    }
    CHILD_CHECK(rank.pinned_because == nullptr);
    CHILD_CHECK(RANK(socket)(-1, -1, -1) == -1 && rank.pinned_because == nullptr);
  }));
}

TEST_CASE("pinning: popen pins until pclose, which returns the child's status") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    FILE* stream = RANK(popen)("echo 17; exit 3", "r");
    int number = 0;
    CHILD_CHECK(pinned_for(rank, "child process") && fscanf(stream, "%d", &number) == 1 && number == 17);
    CHILD_CHECK(WEXITSTATUS(RANK(pclose)(stream)) == 3 && rank.pinned_because == nullptr);
  }));
}

TEST_CASE("pinning: shared memory pins until all of it is unmapped, piece by piece") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    constexpr std::size_t page = 4096;
    const auto map = [&] {
      return static_cast<char*>(
          RANK(mmap)(nullptr, 8 * page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    };
    char* memory = map();
    CHILD_CHECK(pinned_for(rank, "mapped memory"));
    RANK(munmap)(memory + 2 * page, 2 * page);
    RANK(munmap)(memory, 2 * page);
    CHILD_CHECK(rank.pinned_because != nullptr);
    RANK(munmap)(memory + 4 * page, 4 * page);
    CHILD_CHECK(rank.pinned_because == nullptr);

    memory = map();
    auto* larger = static_cast<char*>(RANK(mremap)(memory, 8 * page, 64 * page, MREMAP_MAYMOVE));
    RANK(munmap)(larger, 63 * page);
    CHILD_CHECK(rank.pinned_because != nullptr);
    RANK(munmap)(larger + 63 * page, page);
    CHILD_CHECK(rank.pinned_because == nullptr);

    const int segment = shmget(IPC_PRIVATE, page, 0600);
    void* shared = RANK(shmat)(segment, nullptr, 0);
    shmctl(segment, IPC_RMID, nullptr);
    CHILD_CHECK(rank.pinned_because != nullptr);
    CHILD_CHECK(RANK(shmdt)(shared) == 0 && rank.pinned_because == nullptr);
  }));
}

TEST_CASE("pinning: an open directory") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    DIR* directory = RANK(opendir)("/");
    CHILD_CHECK(pinned_for(rank, "directory"));
    CHILD_CHECK(RANK(closedir)(directory) == 0 && rank.pinned_because == nullptr);
    const int descriptor = RANK(open)("/", O_RDONLY | O_DIRECTORY);
    directory = RANK(fdopendir)(descriptor);
    CHILD_CHECK(pinned_for(rank, "directory") && readdir(directory) != nullptr);
    CHILD_CHECK(RANK(closedir)(directory) == 0 && rank.pinned_because == nullptr);
    {
      const std::filesystem::directory_iterator entries("/");
      CHILD_CHECK(pinned_for(rank, "directory") && entries->is_directory());
    }
    CHILD_CHECK(rank.pinned_because == nullptr);
  }));
}

TEST_CASE("pinning: leaves alone what another part pinned the rank for") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    static constexpr const char other[] = "other reason";
    rank.pinned_because = other;
    const AsRank program(rank);
    const int socket_number = RANK(socket)(AF_UNIX, SOCK_STREAM, 0);
    CHILD_CHECK(rank.pinned_because == other);
    RANK(close)(socket_number);
    CHILD_CHECK(rank.pinned_because == other);
  }));
}

TEST_CASE("fork: refused in a node-shared arena, with the way out") {
  const auto end = run_in_child([] {
    const AsRank program(make_rank(1));
    CHILD_CHECK(RANK(fork)() == -1 && errno == ENOTSUP);
    CHILD_CHECK(system("exit 5") == 5 << 8);
  });
  CHECK_CHILD_PASSED(end);
  CHECK(end.errors.find("rank 1 called fork(), which works only with --arena private") != std::string::npos);
}

TEST_CASE("fork: with private backing, a child's exit() is its own and leaves other ranks' output alone") {
  const auto end = run_in_child([] {
    set_up_arena(arena::Backing::private_pages);
    Rank& other = make_rank(0);
    {
      const AsRank program(other);
      fputs("other\n", RANK(fdopen)(RANK(dup)(2), "w"));
    }
    Rank& rank = make_rank(1);
    run_program(rank, [] {
      RANK(atexit)([] { fputs("handler\n", stderr); });
      const pid_t child = RANK(fork)();
      if (child == 0) RANK(exit)(3);
      int status = 0;
      CHILD_CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
      fputs("parent\n", stderr);
    });
    CHILD_CHECK(rank.done && rank.process->exit_status == 0);
    libc::close_files(other);
  });
  CHECK_CHILD_PASSED(end);
  CHECK(end.errors == "handler\nparent\nhandler\nother\n");
}
