// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/algorithms/channel.hpp"

#include <algorithm>
#include <new>

#include "lb/collectives/thresholds.hpp"
#include "runtime/base/check.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::vmpi {

bool Channel::is_crowded() const {
  return collectives::is_crowded(static_cast<std::size_t>(size()), static_cast<std::size_t>(net::world.pes));
}

Request Channel::send_to(int to, const Data& data) const {
  Request request(state_, comm_, {comm_.collective_context(), comm_.rank, tag_}, to, data);
  request.sent.logged = logs_each_;
  request.sent.type = said_;
  return request;
}

Request Channel::receive_from(int from, const Data& data) const {
  return Request(state_, comm_, {comm_.collective_context(), from, tag_}, data);
}

/// Returns the rank, in the communicator that the program knows, of a rank of the channel's communicator.
int Channel::in_program(int rank) const {
  if (!comm_.leaders_of || rank == MPI_PROC_NULL) return rank;
  return comm_.leaders_of->group->rank_of(comm_.world_rank(rank));
}

WaitReason Channel::reason(int peer) const {
  const int root = waiting_.values[0], rank = in_program(peer);
  return root < 0 ? WaitReason{waiting_.format, {rank, 0}} : WaitReason{waiting_.format, {root, rank}};
}

void Channel::note_other_length(int from, std::size_t bytes, std::size_t room) {
  note_truncated(state_, {nullptr, comm_.collective_context(), in_program(from), bytes, room});
  note(bytes < room ? MPI_ERR_COUNT : MPI_ERR_TRUNCATE);
}

void Channel::note_failed(const Request& request) {
  if (said_ != 0 && request.said != 0 && request.said != said_) {
    Claim own = claim_in_short(said_);
    const Claim other = claim_in_short(request.said);
    if (own.bytes != other.bytes) {
      own.bytes = current_fiber()->brings.now;
      own.only_bound = false;
    }
    report_unlike(comm_.leaders_of ? *comm_.leaders_of : comm_, in_program(request.pattern.source), other,
                  in_program(comm_.rank), own);
  }
  if (const auto found = take_truncated(state_, &request))
    note_other_length(found->source, found->bytes, found->room);
  else if (request.error == MPI_SUCCESS)
    note_other_length(request.pattern.source, request.received.bytes, request.data.bytes);
  note(request.error);
}

void Channel::finish(Request& request, int peer) {
  wait_for(request, reason(peer));
  note(request);
}

void Channel::send(int to, const Data& data) {
  Request request = send_to(to, data);
  start_send(request);
  finish(request, to);
}

void Channel::receive(int from, const Data& data) {
  Request request = receive_from(from, data);
  start_receive(request);
  finish(request, from);
}

void Channel::exchange(int to, const Data& outgoing, int from, const Data& incoming) {
  Request in = receive_from(from, incoming);
  Request out = send_to(to, outgoing);
  start_receive(in);
  start_send(out);
  finish(out, to);
  finish(in, from);
}

Batch::Batch(Channel& channel, std::size_t capacity)
    : channel_(channel), memory_(channel.state(), capacity * sizeof(Request)), capacity_(capacity) {}

void* Batch::next() {
  SKEIN_DCHECK(started_ < capacity_, "a batch of %zu messages is full", capacity_);
  return memory_.data() + started_++ * sizeof(Request);
}

void Batch::send(int to, const Data& data) { start_send(*new (next()) Request(channel_.send_to(to, data))); }
void Batch::receive(int from, const Data& data) {
  start_receive(*new (next()) Request(channel_.receive_from(from, data)));
}

void Batch::wait() {
  auto* const requests = reinterpret_cast<Request*>(memory_.data());
  Waiter waiter{current_fiber(), 0};
  int peer = MPI_PROC_NULL;
  for (std::size_t i = 0; i < started_; ++i) {
    if (requests[i].complete) continue;
    requests[i].waiter = &waiter;
    ++waiter.left;
    peer = requests[i].kind == RequestKind::send ? requests[i].sent.to : requests[i].pattern.source;
  }
  if (waiter.left > 0) block(channel_.reason(peer));
  for (std::size_t i = 0; i < started_; ++i) channel_.note(requests[i]);
  started_ = 0;
}

namespace {
/// Returns true if data can be used in place. Thread-local variables are elsewhere while the rank waits.
bool in_place(const Data& data) { return !data.switched_out && data.contiguous(); }
}  // namespace

Packed::Packed(Channel& channel, const Data& data, Use use)
    : data_(data),
      copy_(channel.state(), in_place(data) ? 0 : data.bytes),
      bytes_(in_place(data) ? data.contiguous() : copy_.data()) {
  if (use == Use::input && bytes_ == copy_.data()) data_.pack(0, bytes_, data_.bytes);
}

void Packed::unpack() const {
  if (bytes_ == copy_.data()) data_.unpack(0, bytes_, data_.bytes);
}

void copy_own(Channel& channel, const Data& from, const Data& to) {
  if (from.bytes != to.bytes) [[unlikely]]
    channel.note_other_length(channel.rank(), from.bytes, to.bytes);
  copy(from, to, std::min(from.bytes, to.bytes));
}

}  // namespace skein::vmpi
