// SPDX-License-Identifier: Apache-2.0
// The time of a process on a machine of its own, by counting its operations: each takes as many instructions
// as were once counted for it, an instruction takes a unit of time, and messages bring the time at which they
// arrive. So loads, waits and the time of the whole job are equal in each run, on however few and busy cores.
// Also measures the processor time of the same work here.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <utility>

namespace moldyn {

/// Instructions of an operation on x86-64, by GCC 12 with -O3, as valgrind --tool=callgrind counts them
/// (../README.md says where).
namespace instructions {
inline constexpr double move_atom = 50;     // a step without forces
inline constexpr double pack_atom = 10;     // into a message, or out of one
inline constexpr double settle_atom = 350;  // orders atoms, own and others'
inline constexpr double centre_test = 20;   // compares the distance of a centre
inline constexpr double candidate = 27;     // checks whether a listed atom is within reach
inline constexpr double density_pair = 34;  // a listed pair, when densities are summed
inline constexpr double force_pair = 50;    // a listed pair, when forces are summed
}  // namespace instructions

/// Costs on a machine like a Blue Gene/P, on which an instruction takes a cycle of 1.2 ns.
namespace machine {
inline constexpr double message = 1000;  // sending a message, or receiving one
inline constexpr double latency = 2500;
inline constexpr double byte = 2;
}  // namespace machine

/// The time of a process in an interval, in instructions except for the last.
struct Spent {
  double work = 0;              ///< everything but waiting
  double forces = 0;            ///< part of it for pairs: lists, densities, forces
  double outside_barriers = 0;  ///< time, with waits for messages
  double processor_s = 0;       ///< processor time of the work on this machine

  Spent& operator+=(const Spent& other) {
    work += other.work, forces += other.forces;
    outside_barriers += other.outside_barriers, processor_s += other.processor_s;
    return *this;
  }
};

class Clock {
 public:
  explicit Clock(MPI_Comm comm) : comm_(comm) { MPI_Comm_size(comm, &processes_); }

  void work(double instructions) {
    now_ += instructions;
    spent_.work += instructions;
  }
  void work_on_forces(double instructions) {
    work(instructions);
    spent_.forces += instructions;
  }
  /// Sends a message. Returns the time of its arrival.
  double send(std::size_t bytes) {
    work(machine::message);
    return now_ + machine::latency + machine::byte * static_cast<double>(bytes);
  }
  void receive(double arrival) {
    now_ = std::max(now_, arrival);
    work(machine::message);
  }
  /// Waits for all, like a collective operation on little data. Collective.
  void barrier() {
    for (int reached = 1; reached < processes_; reached *= 2) work(2 * machine::message);
    spent_.outside_barriers += now_ - left_barrier_;
    MPI_Allreduce(MPI_IN_PLACE, &now_, 1, MPI_DOUBLE, MPI_MAX, comm_);
    for (int reached = 1; reached < processes_; reached *= 2) now_ += machine::latency;
    left_barrier_ = now_;
  }

  double now() const { return now_; }
  /// Returns the time spent since the last call.
  Spent take() { return std::exchange(spent_, {}); }

  /// Adds the processor time of its life.
  class Busy {
   public:
    explicit Busy(Clock& clock) : clock_(clock), since_(processor_s()) {}
    ~Busy() { clock_.spent_.processor_s += processor_s() - since_; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    static double processor_s() {
      timespec now{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
      return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }
    Clock& clock_;
    double since_;
  };

 private:
  MPI_Comm comm_;
  int processes_ = 1;
  double now_ = 0, left_barrier_ = 0;
  Spent spent_;
};

}  // namespace moldyn
