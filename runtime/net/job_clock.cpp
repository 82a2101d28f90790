// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/job_clock.hpp"

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "runtime/base/log.hpp"
#include "runtime/net/mpi_process.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::net {

JobClock job_clock;

namespace {

constexpr int kClockTag = 2;
constexpr int kPatience = 20;  // exchanges in succession, none of which had a shorter round trip
/// The usual bound of a round trip, s. A longer one on a network means that one of the two nodes did not have
/// its core: then patience goes by time.
constexpr double kUsualRoundTripS = 100e-6;
constexpr double kPatienceAtStartS = 100e-3, kPatienceLaterS = 10e-3;
constexpr double kCorrectAfterS = 1;
/// How far two nodes' clocks drift apart in a second at most: crystals keep within 50 ppm of their frequency.
constexpr double kDriftBound = 100e-6;

struct Reading {
  double offset = 0;  // of another clock to this one's, s
  double error = 0;   // the bound on the offset's error: half a round trip, s
};

int first_pe_of(int node) {
  const auto found = std::ranges::find(world.node_of, node);
  return static_cast<int>(found - world.node_of.begin());
}

/// Asks for the other's time until round trips get no shorter. An empty message ends the dialogue.
Reading ask_clock(int pe, double patience_s) {
  Reading best{0, std::numeric_limits<double>::max()};
  const double start = seconds();
  double asked = start;
  const auto worth_trying = [&] { return 2 * best.error > kUsualRoundTripS && asked - start < patience_s; };
  for (int in_vain = 0; in_vain < kPatience || worth_trying(); ++in_vain) {
    double theirs = 0;
    asked = seconds();
    SKEIN_MPI_CALL(MPI_Send(&asked, 1, MPI_DOUBLE, pe, kClockTag, mpi_process.pes));
    SKEIN_MPI_CALL(MPI_Recv(&theirs, 1, MPI_DOUBLE, pe, kClockTag, mpi_process.pes, MPI_STATUS_IGNORE));
    const double answered = seconds();
    const double error = (answered - asked) / 2;
    if (error >= best.error) continue;
    best = {theirs - (asked + answered) / 2, error};
    in_vain = 0;
  }
  SKEIN_MPI_CALL(MPI_Send(nullptr, 0, MPI_DOUBLE, pe, kClockTag, mpi_process.pes));
  return best;
}

void tell_clock(int pe) {
  for (;;) {
    double asked;
    MPI_Status status;
    int count = 0;
    SKEIN_MPI_CALL(MPI_Recv(&asked, 1, MPI_DOUBLE, pe, kClockTag, mpi_process.pes, &status));
    SKEIN_MPI_CALL(MPI_Get_count(&status, MPI_DOUBLE, &count));
    if (count == 0) return;
    const double mine = seconds();
    SKEIN_MPI_CALL(MPI_Send(&mine, 1, MPI_DOUBLE, pe, kClockTag, mpi_process.pes));
  }
}

/// Returns the node whose clock a node asks for: its number without the lowest bit. Node 0 asks none.
int parent_of(int node) { return node & (node - 1); }

/// Returns, by node, the reading of its parent's clock.
std::vector<Reading> read_parents(double patience_s) {
  Reading mine;
  if (world.node_pe == 0) {
    const int levels = std::countr_zero(std::bit_ceil(static_cast<unsigned>(world.nodes)));
    for (int level = 0; level < levels; ++level) {
      const int child = world.node | (1 << level);
      if (world.node & (1 << level)) {
        mine = ask_clock(first_pe_of(parent_of(world.node)), patience_s);
        break;
      }
      if (child < world.nodes) tell_clock(first_pe_of(child));
    }
  }
  std::vector<Reading> of_pes(static_cast<std::size_t>(world.pes)), of_nodes;
  all_gather(&mine, sizeof mine, of_pes.data());
  for (int node = 0; node < world.nodes; ++node)
    of_nodes.push_back(of_pes[static_cast<std::size_t>(first_pe_of(node))]);
  return of_nodes;
}

/// Returns the reading of the clock of PE 0's node: offsets and errors add up on the way there.
Reading read_clock(double patience_s) {
  const std::vector<Reading> parents = read_parents(patience_s);
  Reading sum;
  for (int node = world.node; node > 0; node = parent_of(node)) {
    const Reading& next = parents[static_cast<std::size_t>(node)];
    sum = {sum.offset + next.offset, sum.error + next.error};
  }
  return sum;
}

void set_clock(const Reading& reading) {
  job_clock.measured_offset = reading.offset;
  job_clock.error = reading.error;
  job_clock.compared_at = seconds();
  job_clock.offset = reading.offset + job_clock.set_forward;
  if (world.node_pe == 0 && world.node > 0)
    SKEIN_LOG(verbose, "the clock of node %d is set by %.6f s, within %.1f us", world.node, job_clock.offset,
              job_clock.error * 1e6);
}

}  // namespace

void start_job_clock() {
  job_clock = {};
  if (world.nodes > 1) set_clock(read_clock(kPatienceAtStartS));
}

void correct_job_clock() {
  if (world.nodes == 1) return;
  double elapsed = seconds() - job_clock.compared_at;
  broadcast(&elapsed, sizeof elapsed, 0);
  if (elapsed < kCorrectAfterS) return;
  Reading reading = read_clock(kPatienceLaterS);
  // The earlier offset and the bound on drift may be more exact than a reading on a busy node.
  const double error = job_clock.error + kDriftBound * elapsed;
  if (error < reading.error) reading = {job_clock.measured_offset, error};
  // The clock that would have to go back most stays; all others are set forward accordingly.
  double back[] = {job_clock.measured_offset - reading.offset};
  max_of_all(back);
  job_clock.set_forward += back[0];
  set_clock(reading);
}

}  // namespace skein::net
