// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/supervise.hpp"

#include <doctest/doctest.h>

#include <string>

#include "runtime/base/error.hpp"

using namespace skein::launch;

namespace {
bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("supervise: the launcher's exit status is the job's, and a launcher that starts nothing is named") {
  const JobEnd end = run_supervised({"sh", "-c", "exit 3"}, PeStreams::by_launcher);
  CHECK(end.status == 3);
  CHECK_FALSE(end.any_pe);
  const std::string text = describe_end(end, "sh -n 2", "Some MPI");
  CHECK(says(text, "status 3"));
  CHECK(says(text, "'sh -n 2'"));
  CHECK(says(text, "Some MPI"));
  CHECK(says(text, "SKEIN_MPIEXEC"));
}

TEST_CASE("supervise: a launcher that starts nothing and calls it success is not believed") {
  const JobEnd end = run_supervised({"true"}, PeStreams::by_launcher);
  CHECK(end.status == 0);
  const std::string text = describe_end(end, "true -n 2", "Some MPI");
  CHECK(says(text, "no PE has reported"));
  CHECK(says(text, "'true -n 2'"));
  CHECK(says(text, "SKEIN_MPIEXEC"));
}

TEST_CASE("supervise: nothing is said of a job that went well, or that the user stopped") {
  CHECK(describe_end({.status = 0, .any_pe = true}, "mpiexec", "").empty());
  const JobEnd end = run_supervised({"sh", "-c", "kill -TERM $$"}, PeStreams::by_launcher);
  CHECK(end.status == 128 + 15);
  CHECK(end.stopped);
  CHECK(describe_end(end, "sh", "").empty());
}

TEST_CASE("supervise: a launcher that cannot be started says why") {
  CHECK_THROWS_WITH_AS(run_supervised({"/no/launcher"}, PeStreams::by_launcher), "No such file or directory",
                       skein::Error);
}

TEST_CASE("supervise: a PE that died is named, and memory blamed only for SIGKILL") {
  JobEnd end{.status = 137, .any_pe = true, .lost_process = 99, .lost_pe = 3, .stopped = false};
  CHECK(says(describe_end(end, "mpiexec", ""), "PE 3, process 99"));
  CHECK(says(describe_end(end, "mpiexec", ""), "memory ran out"));
  end.out_of_memory = OutOfMemory::no;
  CHECK_FALSE(says(describe_end(end, "mpiexec", ""), "memory ran out"));
  CHECK(says(describe_end(end, "mpiexec", ""), "one of its ranks itself"));
  end.processor_seconds = 7;
  CHECK(says(describe_end(end, "mpiexec", ""), "7 s on its use of the processor (ulimit -t)"));
  end.out_of_memory = OutOfMemory::yes;
  CHECK(says(describe_end(end, "mpiexec", ""), "memory ran out"));
  end.status = 139;
  CHECK(says(describe_end(end, "mpiexec", ""), "PE 3, process 99"));
  CHECK_FALSE(says(describe_end(end, "mpiexec", ""), "memory"));
}

TEST_CASE("supervise: a launcher that goes on waiting when all its PEs are gone is woken") {
  // One process is both launcher and only PE: it greets, leaves, and sleeps until it is woken.
  const JobEnd end = run_supervised({"python3", "-c", R"(
import os, signal, socket, struct, time
signal.signal(signal.SIGCHLD, lambda *_: os._exit(7))
pe = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
pe.connect("\0" + os.environ["skein_starter"])
pe.send(struct.pack("i", 0))
pe.close()
time.sleep(60)
)"},
                                    PeStreams::by_launcher);
  CHECK(end.any_pe);
  CHECK(end.status == 7);
}

namespace {

/// A launcher in Python, in which `pe(number)` starts a PE that reports, greets and does not end by itself.
JobEnd run_python(const std::string& script, const GoingOn& going_on) {
  return run_supervised({"python3", "-c", R"(
import os, signal, socket, struct, time
def pe(number):
  reads, writes = os.pipe()
  child = os.fork()
  if child == 0:
    link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    link.connect("\0" + os.environ["skein_starter"])
    link.send(struct.pack("i", number))
    os.write(writes, b"1")
    time.sleep(60)
  os.read(reads, 1)
  return child
)" + script},
                        PeStreams::by_launcher, going_on);
}

}  // namespace

TEST_CASE("supervise: a launcher that waits although a PE was killed is put down, and all that it started") {
  const JobEnd end = run_python("pes = [pe(0), pe(1)]; os.kill(pes[1], 9); time.sleep(60)", {.pes = 2});
  CHECK(end.put_down);
  CHECK(end.status == 137);
  CHECK_FALSE(end.stopped);
  CHECK(end.lost_pe == 1);
  CHECK(end.lost_process > 0);
}

TEST_CASE("supervise: PEs of other machines need not report, and PE 0 tells of one that died or went") {
  const std::string tells = R"(
link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
link.connect("\0" + os.environ["skein_starter"])
link.send(struct.pack("i", 0))
time.sleep(2.5)
link.send(struct.pack("3i64s256s", )";
  JobEnd end = run_python(tells + R"(-4, 3, 99, b"far", b"")); time.sleep(60))", {.pes = 4, .start_s = 2});
  CHECK(end.put_down);
  CHECK(end.lost_pe == 3);
  CHECK(end.lost_process == 99);
  CHECK(end.lost_host == "far");
  CHECK_FALSE(end.lost_node);
  CHECK(says(describe_end(end, "mpiexec", ""), "PE 3, process 99 on far, died without a word"));
  end = run_python(tells + R"(-5, 3, 99, b"far", b"")); time.sleep(60))", {.pes = 4, .start_s = 2});
  CHECK(end.lost_node);
  // The PE's goodbye arrives before its end.
  end = run_python(tells + R"(-3, 3, 99, b"far", b"a fault"))
link.send(struct.pack("3i64s256s", -4, 3, 99, b"far", b"")); os._exit(5))",
                   {.pes = 4, .start_s = 2});
  CHECK(end.status == 5);
  CHECK(end.lost_process == 0);
  CHECK(end.fault == "a fault");
}

TEST_CASE("supervise: so is one whose processes have ended without a report") {
  const JobEnd end = run_python("if os.fork() == 0:\n  time.sleep(1); os._exit(0)\ntime.sleep(60)",
                                {.pes = 1, .start_s = 2});
  CHECK(end.put_down);
  CHECK_FALSE(end.any_pe);
  CHECK(end.lost_process == 0);
}

TEST_CASE("supervise: a launcher that is killed takes its PEs with it, and nobody wished so") {
  const JobEnd end = run_python("pe(0); os.kill(os.getpid(), 9)", {.pes = 1});
  CHECK(end.launcher_died);
  CHECK(end.status == 137);
  CHECK(end.lost_process > 0);
}
