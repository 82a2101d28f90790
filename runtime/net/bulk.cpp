// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/bulk.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/net/lengths.hpp"
#include "runtime/net/message_counts.hpp"
#include "runtime/net/mpi_process.hpp"
#include "runtime/net/nodes.hpp"

namespace skein::net {
namespace {

constexpr int kTags = 30'000;  // the standard promises at least 32767
constexpr int kUnusedTag = kTags;
/// If no transfer is under way here, one of so many polls calls the MPI underneath.
constexpr int kPollsBetweenProgress = 16;

struct Transfer {
  Completion done;
  int pieces_left;
  bool receiving;
  bool with_other;  // whether the PE is_other()
};

struct BulkTransfers {
  std::size_t piece_bytes = kLongestPiece;
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<MPI_Request> requests;     // of the pieces under way ...
  std::vector<std::size_t> transfer_of;  // ... and the transfer of each
  std::vector<Transfer> transfers;
  std::vector<std::size_t> free_transfers;
  std::vector<int> finished;  // scratch of poll_bulk()
  int next_tag = 0;
  std::array<BulkTraffic, 2> counts;  // with PEs that are counted apart, and with the others
  int polls_without_progress = 0;
};
BulkTransfers bulk;

std::size_t begin(int pe, Completion done, std::size_t bytes, bool receiving) {
  const int pieces = bytes == 0 ? 1 : static_cast<int>((bytes + bulk.piece_bytes - 1) / bulk.piece_bytes);
  const Transfer transfer{done, pieces, receiving, is_other(pe)};
  ++bulk.counts[transfer.with_other].active;
  if (bulk.free_transfers.empty()) {
    bulk.transfers.push_back(transfer);
    return bulk.transfers.size() - 1;
  }
  const std::size_t i = bulk.free_transfers.back();
  bulk.free_transfers.pop_back();
  bulk.transfers[i] = transfer;
  return i;
}

template <class Start>
void start_pieces(std::size_t transfer, std::size_t bytes, Start start) {
  std::size_t at = 0;
  do {  // a transfer of no bytes is one piece, so that it completes like any other
    bulk.requests.push_back(start(at, static_cast<int>(std::min(bulk.piece_bytes, bytes - at))));
    bulk.transfer_of.push_back(transfer);
    at += bulk.piece_bytes;
  } while (at < bytes);
}

}  // namespace

void set_longest_piece(std::size_t bytes) { bulk.piece_bytes = bytes; }

void start_bulk() { SKEIN_MPI_CALL(MPI_Comm_dup(mpi_process.pes, &bulk.comm)); }
void finish_bulk() {
  bulk.counts = {};
  SKEIN_MPI_CALL(MPI_Comm_free(&bulk.comm));
}

int new_bulk_tag() { return bulk.next_tag = (bulk.next_tag + 1) % kTags; }

int largest_bulk_tag() {
  int* value = nullptr;
  int found = 0;
  SKEIN_MPI_CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found));
  return found ? *value : 32767;
}

void bulk_send(int pe, int tag, Bytes from, Completion done) {
  ++bulk.counts[is_other(pe)].begun;
  message_counts.bulk.note_sent(from.size);
  start_pieces(begin(pe, done, from.size, false), from.size, [&](std::size_t at, int bytes) {
    MPI_Request request;
    SKEIN_MPI_CALL(
        MPI_Isend(static_cast<const char*>(from.data) + at, bytes, MPI_BYTE, pe, tag, bulk.comm, &request));
    return request;
  });
}

void bulk_receive(int pe, int tag, void* to, std::size_t size, Completion done) {
  message_counts.bulk.note_received(size);
  start_pieces(begin(pe, done, size, true), size, [&](std::size_t at, int bytes) {
    MPI_Request request;
    SKEIN_MPI_CALL(MPI_Irecv(static_cast<char*>(to) + at, bytes, MPI_BYTE, pe, tag, bulk.comm, &request));
    return request;
  });
}

void progress_bulk() {
  if (bulk.counts[0].completed_receives + bulk.counts[1].completed_receives == 0)
    return;  // no sender waits for an acknowledgement
  bulk.polls_without_progress = 0;
  int there = 0;
  SKEIN_MPI_CALL(MPI_Iprobe(MPI_ANY_SOURCE, kUnusedTag, bulk.comm, &there, MPI_STATUS_IGNORE));
}

bool poll_bulk() {
  if (bulk.requests.empty()) {
    if (++bulk.polls_without_progress >= kPollsBetweenProgress) progress_bulk();
    return false;
  }
  int count = 0;
  bulk.finished.resize(bulk.requests.size());
  SKEIN_MPI_CALL(MPI_Testsome(static_cast<int>(bulk.requests.size()), bulk.requests.data(), &count,
                              bulk.finished.data(), MPI_STATUSES_IGNORE));
  if (count <= 0) return false;
  std::vector<Completion> completions;
  std::sort(bulk.finished.begin(), bulk.finished.begin() + count, std::greater<>());
  for (int k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(bulk.finished[static_cast<std::size_t>(k)]);
    const std::size_t t = bulk.transfer_of[i];
    if (--bulk.transfers[t].pieces_left == 0) {
      BulkTraffic& its = bulk.counts[bulk.transfers[t].with_other];
      if (bulk.transfers[t].receiving) ++its.completed_receives;
      --its.active;
      completions.push_back(bulk.transfers[t].done);
      bulk.free_transfers.push_back(t);
    }
    bulk.requests[i] = bulk.requests.back();
    bulk.transfer_of[i] = bulk.transfer_of.back();
    bulk.requests.pop_back();
    bulk.transfer_of.pop_back();
  }
  for (const Completion& done : completions) done.call(done.a, done.b);
  return true;
}

BulkTraffic bulk_traffic(bool others) { return bulk.counts[others]; }

}  // namespace skein::net
