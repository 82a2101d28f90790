// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/tying.hpp"

#include <cstring>
#include <new>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/match.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/partitioned.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {
namespace {

/// The number of ties of its rank that a receive with wildcards looks at. It undoes the ties beyond, so that
/// the next receive finds few.
constexpr std::size_t kMostTiesLookedAt = 64;

MatchQueues& queues_of(const Tie& tie) { return tie.receiver->matching; }

bool is_stopped(const Request& request) {
  const FiberState state = request.owner->rank.main.state;
  return state == FiberState::at_sync || state == FiberState::in_wait;
}

/// Copies the data of the send into the tie's room.
void pack_into_tie(Tie& tie) {
  if (!tie.kept)
    tie.kept = tie.bytes <= Tie::short_bytes
                   ? tie.short_data
                   : static_cast<std::byte*>(queues_of(tie).memory().allocate(tie.bytes, 16));
  if (tie.from)
    copy_block(tie.kept, tie.from, tie.bytes);
  else
    tie.send->data.pack(0, tie.kept, tie.bytes);
}

}  // namespace

void start_untied_send(Request& send, Tie& tie) {
  const fiber::RuntimeScope runtime;
  queues_of(tie).untie(tie);
  start_send(send);
}

void copy_tied_pieces(const Tie& tie) { copy(tie.send->data, tie.receive->data, tie.bytes); }

void leave_in_tie(Request& send, Tie& tie) {
  tie.order = queues_of(tie).next_order();
  const bool may_be_copied = send.mode != SendMode::synchronous;
  if (may_be_copied && tie.bytes <= Tie::short_bytes) {
    pack_into_tie(tie);
    tie.state = TieState::data_kept;
    send.complete = true;
  } else {
    send.copy_later = may_be_copied && tie.bytes <= kLocalCopyBytes;
    tie.state = TieState::send_started;
  }
  wake_prober(*tie.receiver);
}

void take_from_tie(Request& receive, const Tie& tie) {
  if (tie.to)
    copy_block(tie.to, tie.kept, tie.bytes);
  else
    receive.data.unpack(0, tie.kept, tie.bytes);
}

void tie_if_alike(Request& send, Request& receive) {
  const bool alike = send.mode != SendMode::buffered && wild_form(receive.pattern) == Wild::none &&
                     send.data.bytes <= receive.data.bytes && !send.data.switched_out &&
                     !receive.data.switched_out && !settings.checking;
  if (!alike || tie_of(send) || tie_of(receive) || send.sent.untied >= kMostUntied) return;
  MatchQueues& queues = receive.owner->matching;
  if (is_stopped(send) || is_stopped(receive) || !queues.is_clear_for(receive.pattern)) return;
  const std::byte* const from = send.data.contiguous();
  std::byte* const to = receive.data.contiguous();
  const bool both = from && to;
  queues.add({.send = &send,
              .receive = &receive,
              .bytes = send.data.bytes,
              .from = both ? from : nullptr,
              .to = both ? to : nullptr,
              .receiver = receive.owner,
              .key = receive.pattern,
              .in_bucket = {},
              .in_order = {},
              .short_data = {}});
}

void untie(Request& request) {
  if (is_partitioned(request)) return untie_messages(request);
  if (Tie* const tie = tie_of(request)) queues_of(*tie).untie(*tie);
}

void untie_all(RankState& state) {
  state.requests.for_each(untie);
  state.requests.for_each_place(untie);
}

void note_untied(Request& send) {
  if (may_be_tied(send) && send.data.bytes < kLeastBytesCopiedLater) ++send.sent.untied;
}

void keep_data(Tie& tie) {
  pack_into_tie(tie);
  tie.state = TieState::data_kept;
  complete(*tie.send);
}

// ---- in the queues of the receiver

bool MatchQueues::is_clear_for(const Pattern& key) const {
  return wildcards_ == 0 && (posted_.count == 0 || !posted_.find(key)) &&
         (unexpected_.count == 0 || !unexpected_.find(key)) && (ties_.count == 0 || !ties_.find(key));
}

void MatchQueues::add(const Tie& its) {
  Tie& tie = *new (memory_->allocate(sizeof(Tie), alignof(Tie))) Tie(its);
  ties_.append(tie, *memory_);
  made_.append(tie);
  tie.send->sent.tie = &tie;
  tie.receive->part = &tie;
}

void MatchQueues::untie(Tie& tie) {
  ties_.remove(tie);
  made_.remove(tie);
  Request& send = *tie.send;
  send.sent.tie = nullptr;
  tie.receive->part = nullptr;
  switch (tie.state) {
    case TieState::open:
      break;
    case TieState::receive_started:
      post(*tie.receive);
      break;
    case TieState::send_started: {
      Unexpected& message = *new (room_without_data()) Unexpected(envelope_of(send));
      message.order = tie.order;
      put_in_place(message);
      if (send.copy_later) send.sent.message = &message, charge(message);
      break;
    }
    case TieState::data_kept: {
      Envelope envelope = envelope_of(send);
      envelope.carries_data = true;
      void* const memory = memory_->allocate(sizeof(Unexpected) + tie.bytes, 16);
      Unexpected& message = *new (memory) Unexpected(envelope);
      message.payload = reinterpret_cast<std::byte*>(&message + 1);
      memcpy(message.payload, tie.kept, tie.bytes);
      charge(message);
      message.order = tie.order;
      put_in_place(message);
      break;
    }
  }
  if (tie.kept && tie.kept != tie.short_data) memory_->deallocate(tie.kept, tie.bytes, 16);
  memory_->deallocate(&tie, sizeof(Tie), alignof(Tie));
}

void MatchQueues::leave_to_queues(const Pattern& pattern) {
  const auto leave = [this](Tie& tie) {
    if (tie.send->sent.untied < kMostUntied) ++tie.send->sent.untied;
    untie(tie);
  };
  if (wild_form(pattern) == Wild::none) {
    if (Tie* const tie = ties_.find(pattern)) leave(*tie);
    return;
  }
  std::size_t looked_at = 0;
  for (Tie* tie = made_.head; tie;) {
    Tie* const next = tie->in_order.next;
    const Pattern& key = tie->key;
    if (++looked_at > kMostTiesLookedAt ||
        matches(pattern, {.context = key.context, .source = key.source, .tag = key.tag}))
      leave(*tie);
    tie = next;
  }
}

std::size_t MatchQueues::tied(TieState state) const {
  std::size_t count = 0;
  for (const Tie* tie = made_.head; tie; tie = tie->in_order.next) count += tie->state == state;
  return count;
}

}  // namespace skein::vmpi
