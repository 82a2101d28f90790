// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/node_calls.hpp"

#include <mpi.h>

#include <algorithm>
#include <limits>

#include "runtime/base/check.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/message_counts.hpp"
#include "runtime/net/mpi_process.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct Line {
  MPI_Comm nodes = MPI_COMM_NULL;  // of the nodes' first PEs, in the order of the nodes
  MPI_Request request = MPI_REQUEST_NULL;
  std::uint64_t begun = 0, ended = 0;
};
struct NodeCalls {
  std::array<Line, NodeChannel::most> lines;
  bool are_open = false;
  MPI_Errhandler on_error = MPI_ERRHANDLER_NULL;
  int taken = 0;  // channels taken, on PE 0
};
NodeCalls node_calls;

bool speaks() { return world.node_pe == 0; }

/// Returns the line of a channel, ready for another call.
Line& begin_on(int number) {
  Line& line = node_calls.lines[static_cast<std::size_t>(number)];
  SKEIN_CHECK(line.begun == line.ended, "two calls of the nodes on channel %d", number);
  ++line.begun;
  return line;
}

/// Handles an error of a collective. Only lengths can be wrong: each node passes those of its ranks, all
/// other arguments are the runtime's own.
void end_job(MPI_Comm*, int* error, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(*error, text, &length);
  log_line(
      "a collective call across nodes has failed in the MPI underneath (%s): either ranks of a communicator "
      "called it with different counts, which --check finds, or a node is lost",
      text);
  take_down(1);
}

int mpi_count(std::size_t bytes) { return static_cast<int>(bytes); }

}  // namespace

void open_node_calls() {
  if (world.nodes == 1) return;
  for (Line& line : node_calls.lines)
    SKEIN_MPI_CALL(MPI_Comm_split(mpi_process.pes, speaks() ? 0 : MPI_UNDEFINED, world.node, &line.nodes));
  // Open MPI handles errors of nonblocking collectives' requests as if they were errors of MPI_COMM_WORLD.
  SKEIN_MPI_CALL(MPI_Comm_create_errhandler(end_job, &node_calls.on_error));
  SKEIN_MPI_CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, node_calls.on_error));
  if (speaks())
    for (Line& line : node_calls.lines)
      SKEIN_MPI_CALL(MPI_Comm_set_errhandler(line.nodes, node_calls.on_error));
  node_calls.are_open = true;
  node_calls.taken = 0;
}

void close_node_calls() {
  if (!node_calls.are_open) return;
  SKEIN_MPI_CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
  SKEIN_MPI_CALL(MPI_Errhandler_free(&node_calls.on_error));
  for (Line& line : node_calls.lines) {
    if (line.nodes != MPI_COMM_NULL) SKEIN_MPI_CALL(MPI_Comm_free(&line.nodes));
    line = {};
  }
  node_calls.are_open = false;
}

bool node_calls_are_open() { return node_calls.are_open; }

int NodeChannel::take_unused() { return node_calls.taken < most ? node_calls.taken++ : none; }
void NodeChannel::free_all() { node_calls.taken = 0; }

void NodeChannel::barrier() {
  count_collective(Collective::barrier, 0);
  Line& line = begin_on(number_);
  SKEIN_MPI_CALL(MPI_Ibarrier(line.nodes, &line.request));
}

void NodeChannel::broadcast(std::span<std::byte> data, int node) {
  count_collective(Collective::broadcast, data.size());
  Line& line = begin_on(number_);
  SKEIN_MPI_CALL(MPI_Ibcast(data.data(), mpi_count(data.size()), MPI_BYTE, node, line.nodes, &line.request));
}

void NodeChannel::gather(std::span<const std::byte> mine, std::byte* all, int node) {
  const std::size_t whole = mine.size() * static_cast<std::size_t>(world.nodes);
  Line& line = begin_on(number_);
  if (node != on_all_nodes) {
    count_collective(Collective::gather, 0, node == world.node ? whole : mine.size());
    SKEIN_MPI_CALL(MPI_Igather(mine.data(), mpi_count(mine.size()), MPI_BYTE, all, mpi_count(mine.size()),
                               MPI_BYTE, node, line.nodes, &line.request));
    return;
  }
  count_collective(Collective::gather_on_all, 0, whole);
  SKEIN_MPI_CALL(MPI_Iallgather(mine.data(), mpi_count(mine.size()), MPI_BYTE, all, mpi_count(mine.size()),
                                MPI_BYTE, line.nodes, &line.request));
}

bool NodeChannel::has_ended() {
  Line& line = node_calls.lines[static_cast<std::size_t>(number_)];
  if (line.begun == line.ended) return true;
  int complete = 0;
  SKEIN_MPI_CALL(MPI_Test(&line.request, &complete, MPI_STATUS_IGNORE));
  if (complete) ++line.ended;
  return complete != 0;
}

void NodeCallCounts::join(const NodeCallCounts& others) {
  for (std::size_t i = 0; i < begun.size(); ++i) {
    begun[i] = std::min(begun[i], others.begun[i]);
    ended[i] = std::min(ended[i], others.ended[i]);
  }
}

bool NodeCallCounts::any_under_way() const {
  for (std::size_t i = 0; i < begun.size(); ++i)
    if (begun[i] > ended[i]) return true;
  return false;
}

NodeCallCounts node_call_counts() {
  NodeCallCounts counts;
  for (std::size_t i = 0; i < node_calls.lines.size(); ++i) {
    const bool makes_some = node_calls.are_open && speaks();
    counts.begun[i] = makes_some ? node_calls.lines[i].begun : kNoLimit;
    counts.ended[i] = makes_some ? node_calls.lines[i].ended : kNoLimit;
  }
  return counts;
}

}  // namespace skein::net
