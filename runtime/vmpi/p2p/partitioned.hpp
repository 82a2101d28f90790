// SPDX-License-Identifier: Apache-2.0
// Partitioned communication (MPI 4.1, chapter 4).
//
// A transfer is one message for each partition of its sender. Sends and receives are matched when their
// requests are made: the sender's opening, on the communicator's partitioned_context() under the program's
// tag, tells the receiver the number of partitions and a context that no other messages have. In that context
// a message's tag is the number of its partition, so the order of messages alone tells those of several
// starts apart. The messages are persistent requests of their own, in the slot, so on one PE they get tied
// (tie.hpp); completing one counts it, and the last one completes the transfer.
//
// States of a start, at either end:
//
//   opening not known    -> posted   a receiver's, when it comes: the receives of all messages are started
//   posted, unmarked > 0             a sender's: a message is started when its partition is marked
//   left > 0             -> done     left: messages that are not complete
//
//   a sender's `copy_later`  <=>  all are marked, and take_copy() completes those that are left
#pragma once

#include "runtime/vmpi/p2p/data.hpp"
#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// The data of a partitioned transfer, its number of partitions, and its partner.
struct PartitionedArguments {
  Data whole;
  int partitions;
  int peer;  ///< rank in the communicator, or MPI_PROC_NULL
  int tag;
};

struct MessageArguments;
/// Makes the request of MPI_Psend_init or MPI_Precv_init, by `kind`. `all`: all partitions together, as
/// elements of the datatype need not end where partitions do. Raises errors.
int init_partitioned(const char* function, RequestKind kind, int partitions, const MessageArguments& all,
                     MPI_Comm handle, MPI_Request* out);

/// Make an inactive request. A send tells its receiver of it. Never switch.
Request& new_partitioned_send(RankState& state, Comm& comm, const PartitionedArguments& arguments);
Request& new_partitioned_receive(RankState& state, Comm& comm, const PartitionedArguments& arguments);

/// Starts the transfer, for MPI_Start. Never switches.
void start_partitioned(Request& request);

/// Counts a complete message of a transfer, or the opening that its receiver has awaited. Called by
/// complete().
void count_message(Request& message);
/// Untie, and take copies of, all messages of a transfer: untie() and take_copy() for partitioned requests.
void untie_messages(Request& request);
void take_copies(Request& request);
/// Frees the parts of a partitioned request that is being released.
void release_partitioned(Request& request);

/// The partner of a transfer, for reports.
struct Peer {
  int rank;
  int tag;
};
Peer peer_of(const Request& request);

/// Returns the number of partitions on the request's own side.
int partitions_of(const Request& request);
/// Returns true if a partition was marked since the start. Precondition: a send.
bool is_marked(const Request& request, int partition);
/// Marks a partition ready, and sends it. Precondition: an active send, a partition that is not marked. Never
/// switches.
void mark_ready(Request& request, int partition);
/// Returns true if all data of a partition has arrived. Precondition: an active receive.
bool has_arrived(Request& request, int partition);

}  // namespace skein::vmpi
