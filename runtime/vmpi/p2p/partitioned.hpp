// SPDX-License-Identifier: Apache-2.0
// Partitioned communication (MPI 4.1, chapter 4).
//
// A transfer is one message for each partition of its sender. Sends and receives are matched when their
// requests are made: the sender's opening, on the communicator's partitioned_context() under the program's
// tag, tells the receiver into how many partitions it divides the data, and a context that no other messages
// have. There a message's tag is the number of its partition, so the messages of several starts need nothing
// but their order to be told apart. The messages are persistent requests of their own, in the slot, so on one
// PE they get tied (tie.hpp); what completes one counts it, and the last one completes the transfer.
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

/// Who is at the other end, and what is sent or received in how many partitions.
struct PartitionedArguments {
  Data whole;
  int partitions;
  int peer;  ///< rank in the communicator, or MPI_PROC_NULL
  int tag;
};

struct MessageArguments;
/// MPI_Psend_init and MPI_Precv_init by their `kind`, of `all` partitions together: the elements of the
/// datatype need not end where partitions do. Raises errors.
int init_partitioned(const char* function, RequestKind kind, int partitions, const MessageArguments& all,
                     MPI_Comm handle, MPI_Request* out);

/// An inactive request. A send tells its receiver of it. Never switches.
Request& new_partitioned_send(RankState& state, Comm& comm, const PartitionedArguments& arguments);
Request& new_partitioned_receive(RankState& state, Comm& comm, const PartitionedArguments& arguments);

/// MPI_Start. Never switches.
void start_partitioned(Request& request);

/// A message of a transfer, or the opening that its receiver awaits, is complete. From complete().
void count_message(Request& message);
/// untie() and take_copy() of all messages of a transfer.
void untie_messages(Request& request);
void take_copies(Request& request);
/// Frees what the request holds for it. When the request is released.
void release_partitioned(Request& request);

/// Who is at the other end, for reports.
struct Peer {
  int rank;
  int tag;
};
Peer peer_of(const Request& request);

/// How many partitions the request's own side has.
int partitions_of(const Request& request);
/// Whether that partition was marked since the start. Precondition: a send.
bool is_marked(const Request& request, int partition);
/// Sends a partition. Precondition: an active send, a partition that is not marked. Never switches.
void mark_ready(Request& request, int partition);
/// Whether all data of a partition is there. Precondition: an active receive.
bool has_arrived(Request& request, int partition);

}  // namespace skein::vmpi
