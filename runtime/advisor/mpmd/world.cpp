// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/mpmd/world.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/advisor/mpmd/decider.hpp"
#include "runtime/advisor/mpmd/next.hpp"
#include "runtime/advisor/virtual_world.hpp"
#include "runtime/advisor/wire.hpp"
#include "skein/lb/mode.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::mpmd {

MPI_Comm world_of_application = MPI_COMM_WORLD;

namespace {

struct Reserving {
  bool begun = false, ended = false;
  std::string mode_text;
  advisor::VirtualWorld view{};  // version 0: no process is reserved or decides
} reserving;

/// The job, before anything is replaced: MPI_COMM_WORLD is its own here.
struct Job {
  int here = 0, processes = 0;
  Job() {
    PMPI_Comm_rank(MPI_COMM_WORLD, &here);
    PMPI_Comm_size(MPI_COMM_WORLD, &processes);
  }

  /// Refuses to start. All processes call this alike, and the first one prints. None aborts: launchers may
  /// lose what was printed just before that.
  [[noreturn]] void refuse(const std::string& why) const {
    if (here == 0) {
      std::fprintf(stderr, "skein mpmd: %s\n", why.c_str());
      std::fflush(stderr);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    next_of<decltype(::PMPI_Finalize)>("PMPI_Finalize")();
    std::exit(2);
  }

  /// Checks that all have one text: otherwise it is unknown who is reserved.
  void compare(const char* text) const {
    std::uint64_t hash = 1469598103934665603u;  // FNV-1a
    for (const char* c = text ? text : ""; *c; ++c)
      hash = (hash ^ static_cast<unsigned char>(*c)) * 1099511628211u;
    std::uint64_t extremes[2] = {hash, ~hash};
    PMPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (extremes[0] != ~extremes[1])
      refuse(
          "SKEIN_MPMD is not the same in all processes; give it to all of them (mpirun -x SKEIN_MPMD=..., "
          "or -genv SKEIN_MPMD ...)");
  }

  lb::Mode mode(const char* text) const {
    lb::Mode mode;
    try {
      mode = lb::parse_mode(text);
    } catch (const lb::StrategyError& error) {
      refuse("SKEIN_MPMD=" + std::string(text) + ": " + error.what());
    }
    if (mode.thread)
      refuse("SKEIN_MPMD=" + std::string(text) +
             ": a program under mpirun has no thread that could decide; reserve processes with lazy:pes=M");
    if (mode.reserved_pes() >= processes)
      refuse("SKEIN_MPMD=" + std::string(text) + " reserves " + std::to_string(mode.reserved_pes()) + " of " +
             std::to_string(processes) +
             " processes, which leaves none to the application; start more (mpirun -n), or reserve fewer "
             "(pes=)");
    if (mode.deciding_pes > processes)
      refuse("SKEIN_MPMD=" + std::string(text) + " lets " + std::to_string(mode.deciding_pes) + " of " +
             std::to_string(processes) + " processes decide; start more (mpirun -n), or let fewer (pes=)");
    return mode;
  }
};

/// Checks that the program's MPI is this one: handles of one MPI mean nothing to another, so this comes
/// first. Versions of one MPI may mix, as far as its own libraries permit.
void check_mpi() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  PMPI_Get_library_version(text, &length);
  const std::string built_with = SKEIN_MPI_NAME, family = built_with.substr(0, built_with.find(' '));
  if (std::string_view(text).starts_with(family)) return;
  std::fprintf(
      stderr,
      "skein mpmd: libskein_mpmd.so was built with %s, and the program runs with another MPI: %.60s; "
      "preload the library of a Skein that was built with the program's MPI\n",
      built_with.c_str(), text);
  std::_Exit(2);
}

/// Returns true in children of MPI_Comm_spawn: they have a world of their own, and those that spawned them
/// decide for none of it.
bool is_spawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

[[noreturn]] void serve(MPI_Comm job, int application) {
  begin_deciding(job, application, world_of_application);
  decide_until_end();
  next_of<decltype(::PMPI_Finalize)>("PMPI_Finalize")();
  std::exit(0);
}

/// Lets processes decide while they wait for advice: nothing is replaced.
void share(const Job& all, const lb::Mode& mode) {
  const int first = all.processes - mode.deciding_pes;
  MPI_Comm job = MPI_COMM_NULL, deciders = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_WORLD, &job);
  PMPI_Comm_split(MPI_COMM_WORLD, all.here >= first ? 0 : MPI_UNDEFINED, all.here, &deciders);
  reserving.mode_text = lb::to_string(mode);
  const int own = own_decider(all.here, all.processes, mode.deciding_pes);
  reserving.view = {advisor::kVirtualWorldVersion, job, first + own, reserving.mode_text.c_str(),
                    decide_what_came};
  if (deciders != MPI_COMM_NULL) begin_deciding(job, all.processes, deciders);
}

void split(const Job& all, const lb::Mode& mode) {
  const int application = all.processes - mode.reserved_pes();
  const bool is_reserved = all.here >= application;
  MPI_Comm job = MPI_COMM_NULL, mine = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_WORLD, &job);
  PMPI_Comm_split(MPI_COMM_WORLD, is_reserved, all.here, &mine);
  PMPI_Comm_set_name(mine, is_reserved ? "LB_COMM" : "MPI_COMM_WORLD");
  reserving.mode_text = lb::to_string(mode);
  const int own = own_decider(all.here, application, mode.reserved_pes());
  reserving.view = {advisor::kVirtualWorldVersion, job, application + own, reserving.mode_text.c_str(),
                    nullptr};
  world_of_application = mine;
  if (is_reserved) serve(job, application);
}

}  // namespace

void begin() {
  if (std::exchange(reserving.begun, true)) return;
  check_mpi();
  if (is_spawned()) return;
  const Job all;
  const char* const text = std::getenv("SKEIN_MPMD");
  all.compare(text);
  if (!text) {
    if (all.here == 0)
      std::fprintf(stderr,
                   "skein mpmd: libskein_mpmd.so is loaded, but SKEIN_MPMD is not set, so that nothing is "
                   "reserved; set it to lazy:pes=M or decoupled:pes=M\n");
    return;
  }
  const lb::Mode mode = all.mode(text);
  if (mode.reserved)
    split(all, mode);
  else if (mode.deciding_pes > 0)
    share(all, mode);
}

void end() {
  if (reserving.view.version == 0 || std::exchange(reserving.ended, true)) return;
  advisor::wire::say_farewell(reserving.view.job, reserving.view.decider, reserving.view.serve);
  if (reserving.view.serve) decide_until_end();
}

}  // namespace skein::mpmd

#pragma GCC visibility push(default)
extern "C" const skein::advisor::VirtualWorld* skein_mpmd_virtual_world() {
  return skein::mpmd::reserving.view.version != 0 ? &skein::mpmd::reserving.view : nullptr;
}
#pragma GCC visibility pop
