// SPDX-License-Identifier: Apache-2.0
// Runs ranks of a program on two PEs, this process and a child that shares the arena. Whenever all ranks have
// paused (sched_yield()), they move to the other PE together with their files.
//
//   run_moving RANKS PROGRAM ARGUMENT...
//
// Exits with status 0 if every rank ended with status 0.
#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/base/descriptor_passing.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/image/program.hpp"
#include "runtime/image/start.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/files.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/shared_state.hpp"
#include "runtime/rank/job_guards.hpp"
#include "runtime/rank/process_guard.hpp"
#include "runtime/rank/scheduler.hpp"

namespace {

using namespace skein;

int rank_count = 0;
int moves = 0;

int pause_rank() {
  block({"a pause", {}}, FiberState::blocked);
  return 0;
}

void create_rank(image::Program& program, int id, std::span<char*> arguments) {
  const auto slot = static_cast<std::size_t>(id);
  arena::install_guards({&slot, 1});
  program.instantiate(slot);
  Rank& rank = *new (arena::control_address(slot)) Rank;
  rank.id = id;
  rank.tls_copy = program.tls_copy(slot);
  rank.heap.initialise(arena::heap_address(slot), arena::slot_address(slot + 1));
  libc::create_process_state(rank, std::vector<const char*>(arguments.begin(), arguments.end()));
  prepare_main_fiber(rank, image::run_program);
}

std::vector<Rank*> ranks_left() {
  std::vector<Rank*> left;
  for (int i = 0; i < rank_count; ++i)
    if (!rank_in_slot(i).done) left.push_back(&rank_in_slot(i));
  return left;
}

void run_all() {
  for (Rank* rank : ranks_left()) {
    image::current_program()->on_arrival(static_cast<std::size_t>(rank->id));
    make_ready(rank->main);
  }
  while (run_ready()) {
  }
}

void send_all(int socket) {
  std::vector<int> numbers;
  for (Rank* rank : ranks_left()) {
    SKEIN_CHECK(!rank->pinned_because, "rank %d is pinned: %s", rank->id, rank->pinned_because);
    const std::vector<int> of_rank = libc::files_leave(*rank, libc::FileRoute::hand_over);
    numbers.insert(numbers.end(), of_rank.begin(), of_rank.end());
    ++moves;
  }
  // From this word on the slots belong to the other PE.
  SKEIN_CHECK(write(socket, "", 1) == 1, "write: errno %d", errno);
  SKEIN_CHECK(send_descriptors(socket, numbers), "send_descriptors: errno %d", errno);
  close_descriptors(numbers);
}

void receive_all(int socket) {
  std::vector<int> received;
  for (Rank* rank : ranks_left()) received.resize(received.size() + libc::descriptors_under_way(*rank));
  SKEIN_CHECK(receive_descriptors(socket, received), "receive_descriptors: errno %d", errno);
  std::span<const int> rest(received);
  for (Rank* rank : ranks_left()) {
    const std::size_t count = libc::descriptors_under_way(*rank);
    libc::files_arrive(*rank, rest.first(count));
    rest = rest.subspan(count);
  }
}

/// Takes turns with the other PE until no rank is left.
void take_turns(int socket, bool begins) {
  for (bool mine = begins;; mine = false) {
    char byte;
    if (!mine) {
      if (read(socket, &byte, 1) != 1) return;  // the other PE found no rank left
      receive_all(socket);
    }
    run_all();
    if (ranks_left().empty()) return;
    send_all(socket);
  }
}

int run(int argc, char** argv) {
  rank_count = atoi(argv[1]);
  libc::prepare_c_library(argv[2]);
  setenv("SKEIN_TEST_HOME", "/home", 1);
  libc::set_job_environment(libc::flatten_environment(environ));
  libc::set_descriptor_windows(libc::raise_descriptor_limit(), rank_count);

  static const libc::Override more[] = {{"sched_yield", libc::address_of(pause_rank)}};
  image::ProgramOptions options;
  options.path = argv[2];
  options.overrides = libc::override_tables();
  options.overrides.emplace_back(more);
  options.on_demand.push_back({SKEIN_PRIVATE_LIBRARY, libc::private_symbols()});
  image::Program program(options);

  const auto slots = static_cast<std::size_t>(rank_count);
  const arena::SlotLayout layout =
      arena::make_layout(arena::kLeastSlotBytes, std::size_t{256} << 10, sizeof(Rank) + arena::kColourRoom,
                         program.image_bytes(), program.image_alignment());
  arena::reserve(layout, slots, arena::Backing::node_shared,
                 arena::create_memory_file(slots * layout.slot_bytes));
  const PeRuntime runtime(
      {.arguments_of =
           [](Rank& rank) {
             const libc::ProcessState& process = *rank.process;
             return ProgramArguments{process.argc, process.argv, libc::environment_of(rank)};
           },
       .exit_program = libc::exit_rank,
       .run_destructors = image::run_destructors});
  set_program_tls_bytes(program.tls_bytes());
  for (int i = 0; i < rank_count; ++i)
    create_rank(program, i, {argv + 2, static_cast<std::size_t>(argc - 2)});

  int sockets[2];
  SKEIN_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0, "socketpair: errno %d",
              errno);
  const pid_t other = fork();
  close(sockets[other == 0 ? 0 : 1]);
  if (other == 0) {
    libc::remember_process_id();
    take_turns(sockets[1], false);
    fflush(nullptr);
    _exit(0);
  }
  take_turns(sockets[0], true);
  close(sockets[0]);
  int status = -1;
  waitpid(other, &status, 0);
  SKEIN_CHECK(status == 0, "the other PE ended with status %d", status);
  int failures = ranks_left().empty() ? 0 : 1;
  for (int i = 0; i < rank_count; ++i) failures += rank_in_slot(i).process->exit_status != 0;
  printf("%d moves, %d failures\n", moves, failures);
  return failures == 0 && moves > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  job_guards = draw_job_guards();
  set_stack_canary();
  int status = 2;
  try {
    status = run(argc, argv);
  } catch (const Error& e) {
    fprintf(stderr, "%s\n", e.what());
  }
  fflush(nullptr);
  use_process_guards();
  _exit(status);
}
