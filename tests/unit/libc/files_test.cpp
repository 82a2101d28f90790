// SPDX-License-Identifier: Apache-2.0
// Two PEs of a node are this process and a forked child, which share only the arena, at one address. The
// functions under test bring a rank's files from one to the other.
#include "runtime/libc/files.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "runtime/base/descriptor_passing.hpp"
#include "runtime/libc/file_table.hpp"
#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;
using libc::FileRoute;

namespace {

constexpr int limit = 4096;  // windows of 256 numbers: [1024, 1280), [1280, 1536) ...

/// A directory, removed when the test ends.
struct Scratch {
  Scratch() { CHILD_CHECK(mkdtemp(path)); }
  ~Scratch() { (void)!system((std::string("rm -r ") + path).c_str()); }
  std::string operator/(const char* name) const { return std::string(path) + "/" + name; }
  char path[32] = "/tmp/skein-files-XXXXXX";
};

Rank& make_rank_with_window(int id) {
  CHILD_CHECK(libc::raise_descriptor_limit() >= limit);
  libc::set_descriptor_windows(limit, rank_count);
  return make_rank(id);
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Moves the rank to another PE, runs `there` as its program on that PE, and takes the rank back.
void visit(Rank& rank, FileRoute route, void (*there)()) {
  int sockets[2];
  CHILD_CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  const auto leave = [&](int socket) {
    const std::vector<int> numbers = libc::files_leave(rank, route);
    if (route == FileRoute::hand_over) CHILD_CHECK(send_descriptors(socket, numbers));
    close_descriptors(numbers);
    CHILD_CHECK(write(socket, "", 1) == 1);
  };
  const auto arrive = [&](int socket) {
    std::vector<int> received(route == FileRoute::hand_over ? libc::descriptors_under_way(rank) : 0);
    CHILD_CHECK(receive_descriptors(socket, received));
    libc::files_arrive(rank, received);
    char byte;
    CHILD_CHECK(read(socket, &byte, 1) == 1);
  };
  // The other PE exists before the rank leaves, so that it inherits none of its descriptors by accident.
  char byte = 0;
  const std::vector<int> held = [&] {
    std::vector<int> numbers;
    if (rank.process->files)
      for (const auto& d : rank.process->files->descriptors) numbers.push_back(d.number);
    return numbers;
  }();
  const pid_t other = fork();
  if (other == 0) {
    close_descriptors(held);
    libc::remember_process_id();
    CHILD_CHECK(read(sockets[1], &byte, 1) == 1);  // the rank has left
    arrive(sockets[1]);
    {
      const AsRank program(rank);
      there();
    }
    leave(sockets[1]);
    _exit(0);
  }
  // The receiver reads in the order of sending, so the word that the rank has left goes first.
  const std::vector<int> numbers = libc::files_leave(rank, route);
  CHILD_CHECK(write(sockets[0], "", 1) == 1);
  if (route == FileRoute::hand_over) CHILD_CHECK(send_descriptors(sockets[0], numbers));
  close_descriptors(numbers);
  CHILD_CHECK(write(sockets[0], "", 1) == 1);
  int status = -1;
  CHILD_CHECK(waitpid(other, &status, 0) == other && status == 0);
  arrive(sockets[0]);
  close(sockets[0]);
  close(sockets[1]);
}

/// Runs a test twice, with the files of a rank on either route.
template <class Test>
void by_both_routes(Test test) {
  for (const FileRoute route : {FileRoute::hand_over, FileRoute::reopen}) {
    CAPTURE(static_cast<int>(route));
    CHECK_CHILD_PASSED(run_in_child([&] { test(route); }));
  }
}

// A program keeps these in its slot in reality.
FILE* stream = nullptr;
std::fstream* cpp_file = nullptr;
int numbers[4];

}  // namespace

TEST_CASE("files: the C library's list of streams can be left and entered again") {
  CHECK(libc::streams_can_move());
}

TEST_CASE("files: a rank's descriptors have numbers of its own window, other callers' have not") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank_with_window(1);
    const int outside = open("/dev/null", O_RDONLY);
    const AsRank program(rank);
    const int plain = RANK(open)("/dev/null", O_RDONLY), copy = RANK(dup)(plain);
    const int by_fcntl = RANK(fcntl)(plain, F_DUPFD_CLOEXEC, 0);
    FILE* file = RANK(fopen)("/dev/null", "re");
    CHILD_CHECK(outside < 1024);
    for (const int number : {plain, copy, by_fcntl, fileno(file)})
      CHILD_CHECK(number >= 1280 && number < 1536 && libc::find_descriptor(rank, number));
    CHILD_CHECK(!libc::find_descriptor(rank, outside) && rank.pinned_because == nullptr);
    CHILD_CHECK(fcntl(plain, F_GETFD) == 0 && fcntl(by_fcntl, F_GETFD) == FD_CLOEXEC);
    CHILD_CHECK(fcntl(fileno(file), F_GETFD) == FD_CLOEXEC);
    CHILD_CHECK(RANK(fclose)(file) == 0 && RANK(close)(plain) == 0 && RANK(close)(copy) == 0);
    CHILD_CHECK(RANK(close)(by_fcntl) == 0 && RANK(close)(by_fcntl) == -1 && errno == EBADF);
    CHILD_CHECK(rank.process->files->descriptors.empty() && rank.process->files->streams.empty());
    CHILD_CHECK(RANK(open)("/no/such/file", O_RDONLY) == -1 && errno == ENOENT);
    CHILD_CHECK(RANK(fopen)("/no/such/file", "r") == nullptr && errno == ENOENT);
  }));
}

TEST_CASE("files: with its window full, a rank stays where it is until it closes some") {
  const auto end = run_in_child([] {
    Rank& rank = make_rank_with_window(0);
    const AsRank program(rank);
    int last[2] = {};
    for (int i = 0; i < 258; ++i) last[i % 2] = RANK(open)("/dev/null", O_RDONLY);
    CHILD_CHECK(last[1] >= 0 && last[1] < 1024);
    CHILD_CHECK(strstr(rank.pinned_because, "window"));
    RANK(close)(last[0]);
    CHILD_CHECK(rank.pinned_because != nullptr);
    RANK(close)(last[1]);
    CHILD_CHECK(rank.pinned_because == nullptr);
  });
  CHECK_CHILD_PASSED(end);
  CHECK(end.errors.find("more than 256 of its files") != std::string::npos);
}

TEST_CASE("files: a stream being written goes to another PE and back, nothing lost or doubled") {
  by_both_routes([](FileRoute route) {
    const Scratch scratch;
    Rank& rank = make_rank_with_window(1);
    {
      const AsRank program(rank);
      stream = RANK(fopen)((scratch / "out").c_str(), "w");
      for (int i = 0; i < 2000; ++i) fprintf(stream, "here %d\n", i);
      CHILD_CHECK(arena::slot_of(stream) == 1);
    }
    const int number = fileno(stream);
    visit(rank, route, [] {
      for (int i = 0; i < 2000; ++i) CHILD_CHECK(fprintf(stream, "there %d\n", i) > 0);
    });
    CHILD_CHECK(fileno(stream) == number);
    {
      const AsRank program(rank);
      CHILD_CHECK(fputs("end\n", stream) >= 0);
    }
    fflush(nullptr);  // reaches the stream only if it is in this process's list again
    std::string expected;
    for (const char* where : {"here ", "there "})
      for (int i = 0; i < 2000; ++i) expected += where + std::to_string(i) + "\n";
    CHILD_CHECK(contents(scratch / "out") == expected + "end\n");
    const AsRank program(rank);
    CHILD_CHECK(RANK(fclose)(stream) == 0);
  });
}

TEST_CASE("files: a rank that left is out of the process's list of streams") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const Scratch scratch;
    Rank& rank = make_rank_with_window(1);
    {
      const AsRank program(rank);
      stream = RANK(fopen)((scratch / "out").c_str(), "w");
      fputs("buffered", stream);
    }
    const std::vector<int> left = libc::files_leave(rank, FileRoute::hand_over);
    fflush(nullptr);
    CHILD_CHECK(contents(scratch / "out").empty());
    CHILD_CHECK(left.size() == 1 && left[0] == fileno(stream));
    libc::files_arrive(rank, left);
    fflush(nullptr);
    CHILD_CHECK(contents(scratch / "out") == "buffered");
  }));
}

TEST_CASE("files: a stream being read goes on at the next line, and may be turned to writing") {
  by_both_routes([](FileRoute route) {
    const Scratch scratch;
    {
      std::ofstream file(scratch / "data");
      for (int i = 0; i < 3000; ++i) file << i << '\n';
    }
    Rank& rank = make_rank_with_window(2);
    static int value;
    {
      const AsRank program(rank);
      stream = RANK(fopen)((scratch / "data").c_str(), "r+");
      for (int i = 0; i < 1000; ++i) CHILD_CHECK(fscanf(stream, "%d", &value) == 1 && value == i);
    }
    visit(rank, route, [] {
      for (int i = 1000; i < 2000; ++i) CHILD_CHECK(fscanf(stream, "%d", &value) == 1 && value == i);
      CHILD_CHECK(fseek(stream, 0, SEEK_SET) == 0 && fputs("9\n", stream) >= 0);
    });
    const AsRank program(rank);
    CHILD_CHECK(RANK(fclose)(stream) == 0);
    CHILD_CHECK(contents(scratch / "data").substr(0, 6) == "9\n1\n2\n");
  });
}

TEST_CASE("files: an fstream moves with its buffer") {
  by_both_routes([](FileRoute route) {
    const Scratch scratch;
    Rank& rank = make_rank_with_window(1);
    {
      const AsRank program(rank);
      cpp_file = new std::fstream(scratch / "cpp", std::ios::in | std::ios::out | std::ios::trunc);
      *cpp_file << "first " << 1.5 << ' ';
    }
    CHILD_CHECK(rank.process->files && rank.process->files->descriptors.size() == 1);
    CHILD_CHECK(rank.pinned_because == nullptr);
    visit(rank, route, [] { *cpp_file << "second " << 2 << std::endl; });
    const AsRank program(rank);
    cpp_file->seekg(0);
    std::string a, b;
    double x;
    int y;
    CHILD_CHECK(*cpp_file >> a >> x >> b >> y);
    CHILD_CHECK(a == "first" && x == 1.5 && b == "second" && y == 2);
    delete cpp_file;
    CHILD_CHECK(rank.process->files->descriptors.empty());
  });
}

TEST_CASE("files: raw descriptors keep number, offset, append mode and what dup() shares") {
  by_both_routes([](FileRoute route) {
    const Scratch scratch;
    Rank& rank = make_rank_with_window(1);
    {
      const AsRank program(rank);
      const std::string plain = scratch / "plain", appended = scratch / "appended";
      numbers[0] = RANK(open)(plain.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
      numbers[1] = RANK(dup)(numbers[0]);
      numbers[2] = RANK(open)(appended.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
      numbers[3] = RANK(open)("/dev/null", O_WRONLY);
      CHILD_CHECK(write(numbers[0], "0123456789", 10) == 10 && lseek(numbers[0], 4, SEEK_SET) == 4);
      CHILD_CHECK(write(numbers[2], "one", 3) == 3);
    }
    visit(rank, route, [] {
      char text[4] = {};
      CHILD_CHECK(read(numbers[0], text, 3) == 3 && strcmp(text, "456") == 0);
      CHILD_CHECK(lseek(numbers[1], 0, SEEK_CUR) == 7);
      CHILD_CHECK(lseek(numbers[2], 0, SEEK_SET) == 0 && write(numbers[2], "two", 3) == 3);
      CHILD_CHECK(write(numbers[3], "x", 1) == 1);
      CHILD_CHECK(fcntl(numbers[2], F_GETFD) == FD_CLOEXEC && fcntl(numbers[1], F_GETFD) == 0);
      CHILD_CHECK((fcntl(numbers[2], F_GETFL) & (O_ACCMODE | O_APPEND)) == (O_WRONLY | O_APPEND));
    });
    const AsRank program(rank);
    CHILD_CHECK(lseek(numbers[0], 0, SEEK_CUR) == 7 && lseek(numbers[1], 1, SEEK_SET) == 1);
    CHILD_CHECK(lseek(numbers[0], 0, SEEK_CUR) == 1);
    CHILD_CHECK(contents(scratch / "appended") == "onetwo" && contents(scratch / "plain") == "0123456789");
    for (const int number : numbers) CHILD_CHECK(RANK(close)(number) == 0);
  });
}

TEST_CASE("files: a temporary file moves inside a node, and binds its rank to the node") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank_with_window(1);
    {
      const AsRank program(rank);
      stream = RANK(tmpfile)();
      fputs("kept 42", stream);
    }
    CHILD_CHECK(strstr(libc::files_bound_to_node(rank), "no name"));
    visit(rank, FileRoute::hand_over, [] {
      int value = 0;
      rewind(stream);
      CHILD_CHECK(fscanf(stream, "kept %d", &value) == 1 && value == 42);
    });
    const AsRank program(rank);
    CHILD_CHECK(ftell(stream) == 7 && RANK(fclose)(stream) == 0);
    CHILD_CHECK(libc::files_bound_to_node(rank) == nullptr);
  }));
}

TEST_CASE("files: streams on memory move too") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank_with_window(1);
    static char* text;
    static std::size_t length;
    {
      const AsRank program(rank);
      stream = RANK(open_memstream)(&text, &length);
      fputs("a", stream);
    }
    visit(rank, FileRoute::reopen, [] { fputs("b", stream); });
    const AsRank program(rank);
    fputs("c", stream);
    CHILD_CHECK(RANK(fclose)(stream) == 0 && std::string(text, length) == "abc");
  }));
}

TEST_CASE("files: another file under the same name on arrival ends the job, and so does none") {
  for (const bool replaced : {true, false}) {
    const Scratch scratch;  // belongs to this process: the child ends before the scope does
    const auto end = run_in_child([&] {
      Rank& rank = make_rank_with_window(1);
      {
        const AsRank program(rank);
        numbers[0] = RANK(open)((scratch / "file").c_str(), O_RDWR | O_CREAT, 0600);
      }
      close_descriptors(libc::files_leave(rank, FileRoute::reopen));
      if (replaced) std::ofstream(scratch / "new") << "other";
      if (replaced)
        rename((scratch / "new").c_str(), (scratch / "file").c_str());
      else
        unlink((scratch / "file").c_str());
      libc::files_arrive(rank, {});
    });
    CHECK(end.exit_status == 1);
    CHECK(end.errors.find(replaced ? "is another file on the node" : "No such file or directory") !=
          std::string::npos);
    CHECK(end.errors.find("rank 1") != std::string::npos);
  }
}

TEST_CASE("files: the end of a rank writes its streams out and closes everything; _exit writes nothing") {
  CHECK_CHILD_PASSED(run_in_child([] {
    static Scratch scratch;
    Rank& first = make_rank_with_window(0);
    run_program(first, [] {
      fputs("written", RANK(fopen)((scratch / "exit").c_str(), "w"));
      numbers[0] = RANK(open)("/dev/null", O_RDONLY);
    });
    CHILD_CHECK(first.done && contents(scratch / "exit") == "written");
    CHILD_CHECK(fcntl(numbers[0], F_GETFD) < 0 && fcntl(1024, F_GETFD) < 0);
    Rank& second = make_rank(1);
    run_program(second, [] {
      stream = RANK(fopen)((scratch / "lost").c_str(), "w");
      numbers[0] = fileno(stream);
      fputs("lost", stream);
      RANK(_exit)(0);
    });
    fflush(nullptr);
    CHILD_CHECK(second.done && contents(scratch / "lost").empty() && fcntl(numbers[0], F_GETFD) < 0);
    scratch.~Scratch();
  }));
}

TEST_CASE("files: output that cannot be written at the end is reported") {
  const auto end = run_in_child(
      [] { run_program(make_rank_with_window(2), [] { fputs("x", RANK(fopen)("/dev/full", "w")); }); });
  CHECK_CHILD_PASSED(end);
  CHECK(end.errors.find(
            "rank 2 ends, but not all of its output to /dev/full could be written: No space left") !=
        std::string::npos);
}

TEST_CASE("files: standard streams stay the process's") {
  const auto end = run_in_child([] {
    Rank& rank = make_rank_with_window(1);
    const AsRank program(rank);
    CHILD_CHECK(RANK(fclose)(stdout) == 0 && RANK(close)(1) == 0 && fcntl(1, F_GETFD) >= 0);
    CHILD_CHECK(RANK(freopen)("/dev/null", "w", stdout) == nullptr && errno == ENOTSUP);
    const int file = RANK(open)("/dev/null", O_WRONLY);
    CHILD_CHECK(RANK(dup2)(file, 2) == -1 && errno == ENOTSUP);
    FILE* wrapped = RANK(fdopen)(2, "w");
    CHILD_CHECK(fputs("through\n", wrapped) >= 0 && RANK(fclose)(wrapped) == 0);
    CHILD_CHECK(fputs("open\n", stderr) >= 0);
    CHILD_CHECK(RANK(dup2)(file, file + 1) == file + 1 && libc::find_descriptor(rank, file + 1));
    CHILD_CHECK(rank.pinned_because == nullptr);
  });
  CHECK_CHILD_PASSED(end);
  CHECK(end.errors.find("redirect a standard stream") != std::string::npos);
  CHECK(end.errors.find("descriptor 2, which belongs to its PE") != std::string::npos);
  CHECK(end.errors.find("through\nopen\n") != std::string::npos);
}

TEST_CASE("files: a descriptor that was closed unseen does not hinder a move or its number's next use") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank_with_window(1);
    {
      const AsRank program(rank);
      numbers[0] = RANK(open)("/dev/null", O_RDONLY);
      numbers[1] = RANK(open)("/dev/null", O_RDONLY);
      syscall(SYS_close, numbers[0]);
      syscall(SYS_close, numbers[1]);
      CHILD_CHECK(RANK(open)("/dev/zero", O_RDONLY) == numbers[0]);
    }
    visit(rank, FileRoute::hand_over, [] {
      char byte = 1;
      CHILD_CHECK(read(numbers[0], &byte, 1) == 1 && byte == 0);
    });
    CHILD_CHECK(rank.process->files->descriptors.size() == 1);
  }));
}

TEST_CASE("files: freopen takes a stream of the rank to another file under the same number") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const Scratch scratch;
    Rank& rank = make_rank_with_window(1);
    const AsRank program(rank);
    FILE* file = RANK(fopen)((scratch / "a").c_str(), "w");
    const int number = fileno(file);
    fputs("a", file);
    CHILD_CHECK(RANK(freopen)((scratch / "b").c_str(), "w", file) == file && fileno(file) == number);
    fputs("b", file);
    CHILD_CHECK(rank.process->files->descriptors.size() == 1 && rank.process->files->streams.size() == 1);
    CHILD_CHECK(RANK(freopen)("/no/such/file", "r", file) == nullptr);
    CHILD_CHECK(rank.process->files->descriptors.empty() && rank.process->files->streams.empty());
    CHILD_CHECK(contents(scratch / "a") == "a" && contents(scratch / "b") == "b");
  }));
}
