// SPDX-License-Identifier: Apache-2.0
// The protocol of a message between two ranks; p2p.hpp describes the whole.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/net/bulk.hpp"
#include "runtime/net/copy_out.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/comm/ports.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/packing.hpp"
#include "runtime/vmpi/p2p/partitioned.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/p2p/tying.hpp"
#include "runtime/vmpi/p2p/visibility.hpp"

namespace skein::vmpi {
namespace {

// ---- messages between PEs. They name requests by addresses in slots, which are valid on the PE that owns
// the slot.
/// The header of a message, followed by the payload if the envelope says so. Built in registers from whole
/// words, so that nothing is read in wider pieces than it was written in.
class MessageHeader {
 public:
  MessageHeader(int receiver, const Envelope& envelope)
      : words_{pair(receiver, envelope.sender),
               static_cast<std::uint64_t>(envelope.context),
               pair(envelope.source, envelope.tag),
               envelope.bytes,
               reinterpret_cast<std::uint64_t>(envelope.send),
               std::uint64_t{envelope.carries_data} | std::uint64_t{envelope.tell} << 1 |
                   std::uint64_t{envelope.type} << 16,
               0} {}
  /// Reads the header word by word, so that it stays in registers: a copy as a whole would be stored and read
  /// back.
  explicit MessageHeader(const std::byte* message)
      : words_{word(message, 0), word(message, 1), word(message, 2),
               word(message, 3), word(message, 4), word(message, 5)} {}

  /// Returns the number of bytes before a payload of `payload` bytes. A payload that does not fit into the
  /// first cache line beside the header begins with the next line.
  static std::size_t size_before(std::size_t payload) {
    return payload > net::kBytesOfFirstLine - short_bytes ? net::kBytesOfFirstLine : short_bytes;
  }
  net::Bytes before(std::size_t payload) const { return {words_, size_before(payload)}; }

  int receiver() const { return first(words_[0]); }
  /// Returns the key of the envelope.
  Pattern key() const { return {static_cast<std::int64_t>(words_[1]), first(words_[2]), second(words_[2])}; }
  std::uint64_t bytes() const { return words_[3]; }
  /// Returns true if the data is there, the sender awaits no news, and there is no type or claim.
  bool is_plain() const { return (words_[5] & 0xffff'0003) == 1; }
  Envelope envelope() const {
    return {.context = static_cast<std::int64_t>(words_[1]),
            .source = first(words_[2]),
            .tag = second(words_[2]),
            .bytes = words_[3],
            .send = reinterpret_cast<Request*>(words_[4]),
            .sender = second(words_[0]),
            .carries_data = (words_[5] & 1) != 0,
            .tell = (words_[5] & 2) != 0,
            .type = static_cast<std::uint16_t>(words_[5] >> 16)};
  }

 private:
  static std::uint64_t pair(int a, int b) {
    return std::uint64_t{static_cast<unsigned>(b)} << 32 | static_cast<unsigned>(a);
  }
  static std::uint64_t word(const std::byte* message, std::size_t index) {
    std::uint64_t word;
    memcpy(&word, message + index * sizeof word, sizeof word);
    asm("" : "+r"(word));
    return word;
  }
  static int first(std::uint64_t both) { return static_cast<int>(both); }
  static int second(std::uint64_t both) { return static_cast<int>(both >> 32); }

  static constexpr std::size_t short_bytes = 6 * sizeof(std::uint64_t);
  std::uint64_t words_[7];
};
struct FetchHeader {  // receiver's PE to sender's: send the data as bulk transfer `tag`
  Request* send;
  std::uint64_t bytes;
  int tag;
};
struct MatchedHeader {  // receiver's PE to sender's: your data has been taken
  Request* send;
};

net::Handler on_message, on_fetch, on_matched;
const net::MessageKind envelope_message("p2p-message", on_message);
const net::MessageKind fetch_message("p2p-fetch", on_fetch);
const net::MessageKind matched_message("p2p-matched", on_matched);

/// Completes a send whose data has been taken. Called on the send's PE.
void finish_send(Request& send) {
  if (send.part) [[unlikely]]
    end_packing(send);
  complete(send);
}

void tell_sender(const Envelope& envelope) {
  if (pe::is_here(envelope.sender)) {
    finish_send(*envelope.send);
  } else {
    const MatchedHeader header{envelope.send};
    net::send(pe::pe_of(envelope.sender), matched_message, {&header, sizeof header});
  }
}

// ---- receiving

/// Fills in the result of a matched receive. `key` and `bytes` are those of the message.
[[gnu::always_inline]] inline void note_match(Request& receive, const Pattern& key, std::uint64_t bytes) {
  receive.received = {key.source, key.tag, std::min<std::size_t>(bytes, receive.data.bytes)};
  if (bytes > receive.data.bytes) [[unlikely]] {
    note_truncated(*receive.owner, {&receive, 0, key.source, bytes, receive.data.bytes});
    receive.error = MPI_ERR_TRUNCATE;
    receive.ended = Ended::failed;
  }
}

void unpack_and_complete(std::uint64_t request, std::uint64_t buffer) {
  Request& receive = *reinterpret_cast<Request*>(request);
  auto* const bytes = reinterpret_cast<std::byte*>(buffer);
  receive.data.unpack(0, bytes, receive.received.bytes);
  free(bytes);
  complete(receive);
}

void complete_received(std::uint64_t request, std::uint64_t) {
  complete(*reinterpret_cast<Request*>(request));
}

/// Returns true if both requests will be there to be started again after this message.
bool may_meet_again(const Request& send, const Request& receive) {
  return recurs(send) && recurs(receive) && stays(send) && stays(receive);
}

/// Copies the data of a send in a slot that is mapped here.
void copy_from_pe(int pe, const Data& from, const Data& to, std::size_t bytes) {
  const std::byte* const source = from.contiguous();
  std::byte* const target = to.switched_out ? nullptr : to.contiguous();
  if (source && target && bytes > 0 && mapped_by_all(target, bytes))
    net::copy_from(pe, target, source, bytes);
  else
    copy(from, to, bytes);
}

/// Gets the data of a matched receive from the sender's memory, on whichever PE it is.
void fetch(Request& receive, const Envelope& envelope) {
  if (pe::is_here(envelope.sender)) {
    Request& send = *envelope.send;
    const bool meet_again = may_meet_again(send, receive);
    if (!meet_again) note_untied(send);
    copy(send.data, receive.data, receive.received.bytes);
    finish_send(send);
    complete(receive);
    if (meet_again) tie_if_alike(send, receive);
    return;
  }
  const int sender_pe = pe::pe_of(envelope.sender);
  if (seen_from_here(sender_pe, *envelope.send)) {
    if (!unpack_from_sender(*envelope.send, receive))
      copy_from_pe(sender_pe, envelope.send->data, receive.data, receive.received.bytes);
    tell_sender(envelope);
    complete(receive);
    return;
  }
  const FetchHeader header{envelope.send, envelope.bytes, net::new_bulk_tag()};
  // A transfer goes on while ranks switch, so its target must not move.
  std::byte* const target = receive.data.switched_out ? nullptr : receive.data.contiguous();
  if (target && receive.error == MPI_SUCCESS) {
    net::bulk_receive(sender_pe, header.tag, target, envelope.bytes,
                      {complete_received, reinterpret_cast<std::uint64_t>(&receive), 0});
  } else {
    void* const buffer = malloc(envelope.bytes);
    SKEIN_CHECK(buffer, "no memory for a message of %zu bytes", static_cast<std::size_t>(envelope.bytes));
    net::bulk_receive(sender_pe, header.tag, buffer, envelope.bytes,
                      {unpack_and_complete, reinterpret_cast<std::uint64_t>(&receive),
                       reinterpret_cast<std::uint64_t>(buffer)});
  }
  net::send(sender_pe, fetch_message, {&header, sizeof header});
}

[[gnu::always_inline]] inline void take_data(Request& receive, const std::byte* payload) {
  if (std::byte* const target = receive.data.contiguous()) [[likely]]
    net::copy_out(target, payload, receive.received.bytes);
  else
    receive.data.unpack(0, payload, receive.received.bytes);
}

/// Keeps the type or the claim that a message carries.
[[gnu::noinline]] void note_said(Request& receive, const Envelope& envelope) {
  if (settings.checking)
    check_match(receive, envelope);
  else
    receive.said = envelope.type;
}

void accept(Request& receive, const Envelope& envelope, const std::byte* payload) {
  note_match(receive, key_of(envelope), envelope.bytes);
  if (envelope.type != kAnyType) [[unlikely]]
    note_said(receive, envelope);
  if (!envelope.carries_data) {
    if (envelope.bytes == 0) {
      tell_sender(envelope);
      complete(receive);
    } else {
      fetch(receive, envelope);
    }
    return;
  }
  take_data(receive, payload);
  if (envelope.tell) tell_sender(envelope);
  complete(receive);
}

/// Keeps a message for which no receive is posted.
[[gnu::always_inline]] inline Unexpected& keep(RankState& receiver, const Envelope& envelope) {
  MatchQueues& matching = receiver.matching;
  Unexpected* message =
      envelope.carries_data ? matching.add_unexpected(envelope) : matching.add_without_data(envelope);
  wake_prober(receiver);
  return *message;
}

/// Parts of on_message(), in functions of their own, so that the data of most messages stays in registers.
[[gnu::noinline]] void accept_any(Request& receive, const std::byte* message) {
  const Envelope envelope = MessageHeader(message).envelope();
  accept(receive, envelope, message + MessageHeader::size_before(envelope.bytes));
}
[[gnu::noinline]] void keep_message(RankState& receiver, int from_pe, const std::byte* message) {
  const Envelope envelope = MessageHeader(message).envelope();
  const Unexpected& kept = keep(receiver, envelope);
  if (!envelope.carries_data) return;
  net::copy_out(kept.payload, message + MessageHeader::size_before(envelope.bytes), envelope.bytes);
  if (!receiver.matching.has_room()) [[unlikely]]
    hold_back(receiver, from_pe);
}

void on_message(int from_pe, const std::byte* message, std::size_t) {
  const MessageHeader header(message);
  const Pattern key = header.key();
  SKEIN_CHECK(pe::is_here(header.receiver()), "a message for rank %d, which is on PE %d", header.receiver(),
              pe::pe_of(header.receiver()));
  RankState& receiver = state_of(header.receiver());
  Request* const receive = receiver.matching.match_posted(key);
  if (!receive) return keep_message(receiver, from_pe, message);
  if (!header.is_plain()) [[unlikely]]
    return accept_any(*receive, message);
  note_match(*receive, key, header.bytes());
  take_data(*receive, message + MessageHeader::size_before(header.bytes()));
  complete(*receive);
}

// ---- sending

void complete_sent(std::uint64_t request, std::uint64_t) {
  finish_send(*reinterpret_cast<Request*>(request));
}

void free_packed_and_complete(std::uint64_t request, std::uint64_t buffer) {
  free(reinterpret_cast<void*>(buffer));
  complete_sent(request, 0);
}

void on_fetch(int from_pe, const std::byte* message, std::size_t) {
  FetchHeader header;
  memcpy(&header, message, sizeof header);
  Request& send = *header.send;
  if (std::byte* data = send.data.contiguous()) {
    net::bulk_send(from_pe, header.tag, {data, header.bytes},
                   {complete_sent, reinterpret_cast<std::uint64_t>(&send), 0});
    return;
  }
  auto* const packed = static_cast<std::byte*>(malloc(header.bytes));
  SKEIN_CHECK(packed, "no memory for a message of %zu bytes", static_cast<std::size_t>(header.bytes));
  send.data.pack(0, packed, header.bytes);
  net::bulk_send(from_pe, header.tag, {packed, header.bytes},
                 {free_packed_and_complete, reinterpret_cast<std::uint64_t>(&send),
                  reinterpret_cast<std::uint64_t>(packed)});
}

void on_matched(int, const std::byte* message, std::size_t) {
  MatchedHeader header;
  memcpy(&header, message, sizeof header);
  finish_send(*header.send);
}

/// Completes a send whose data went with the envelope, unless it awaits news of the match.
void data_left(Request& send, bool waits_for_match) {
  if (!waits_for_match)
    complete(send);
  else if (send.mode == SendMode::buffered)
    buffered_data_left(send);
}

/// Returns true if a short send may be made to wait for its receiver like a long one.
bool may_wait_for_room(const Request& send) {
  return send.mode != SendMode::buffered && send.mode != SendMode::ready;
}

void send_here(Request& send, RankState& receiver) {
  if (Request* receive = receiver.matching.match_posted(send.pattern)) {
    note_match(*receive, send.pattern, send.data.bytes);
    if (send.sent.type != kAnyType) [[unlikely]]
      note_said(*receive, envelope_of(send));
    copy(send.data, receive->data, receive->received.bytes);
    const bool meet_again = may_meet_again(send, *receive);
    complete(*receive);
    complete(send);
    if (meet_again) tie_if_alike(send, *receive);
    return;
  }
  Envelope envelope = envelope_of(send);
  const bool copied = send.mode != SendMode::synchronous &&
                      (envelope.bytes <= kLocalCopyBytes || send.mode == SendMode::buffered) &&
                      (receiver.matching.has_room() || !may_wait_for_room(send));
  // A receive can be tied to a send that recurs only if the data is still with the send.
  const bool later = copied && stays(send) &&
                     (envelope.bytes >= kLeastBytesCopiedLater || (may_be_tied(send) && envelope.bytes > 0));
  envelope.carries_data = copied && !later;
  envelope.tell = send.mode == SendMode::buffered;
  Unexpected& kept = keep(receiver, envelope);
  if (later) {
    send.copy_later = true;
    send.sent.message = &kept;
    receiver.matching.charge(kept);
  }
  if (!envelope.carries_data) return;
  send.data.pack(0, kept.payload, envelope.bytes);
  data_left(send, envelope.tell);
}

void send_away(Request& send, int receiver) {
  Envelope envelope = envelope_of(send);
  const int pe = pe::pe_of(receiver);
  if (envelope.bytes > kEagerBytes || (holds_back(receiver) && may_wait_for_room(send))) {
    const bool packed = is_packed_for(pe, send);
    if (packed) begin_packing(send);
    const MessageHeader header{receiver, envelope};
    net::send(pe, envelope_message, header.before(0));
    if (packed) pack_for_receiver(send);
    return;
  }
  envelope.carries_data = true;
  envelope.tell = send.mode == SendMode::synchronous || send.mode == SendMode::buffered;
  const MessageHeader header{receiver, envelope};
  if (const std::byte* data = send.data.contiguous()) {
    net::send(pe, envelope_message, header.before(envelope.bytes), {data, envelope.bytes});
  } else {
    std::byte packed[kEagerBytes];
    send.data.pack(0, packed, envelope.bytes);
    net::send(pe, envelope_message, header.before(envelope.bytes), {packed, envelope.bytes});
  }
  data_left(send, envelope.tell);
}

}  // namespace

void log_traffic(RankState& owner, const Comm& comm, int to, std::size_t bytes) {
  // The messages between leaders of PEs follow from where ranks are: they are no reason to move ranks.
  if (!comm.leaders_of) owner.rank.traffic.note(comm.world_rank(to), bytes);
}

bool send_at_once(RankState& sender, const Comm& comm, int to, int tag, const Data& data) {
  const int receiver = comm.world_rank(to);
  if (pe::is_here(receiver) || data.bytes > kEagerBytes || data.type || holds_back(receiver)) return false;
  const MessageHeader header(receiver, {.context = comm.p2p_context(),
                                        .source = comm.rank,
                                        .tag = tag,
                                        .bytes = data.bytes,
                                        .sender = sender.rank.id,
                                        .carries_data = true});
  net::send(pe::pe_of(receiver), envelope_message, header.before(data.bytes), {data.place(), data.bytes});
  note_sent(sender, comm, to, data.bytes, true);
  return true;
}

void start_send(Request& send) {
  begin_send(send);
  const int receiver = send.comm->world_rank(send.sent.to);
  if (settings.checking && send.sent.type == kAnyType) [[unlikely]]
    send.sent.type = code_of(send.data);
  if (pe::is_here(receiver))
    send_here(send, state_of(receiver));
  else
    send_away(send, receiver);
}

void take_copy(Request& send) {
  if (!send.active || send.complete || !send.copy_later) return;
  if (is_partitioned(send)) return take_copies(send);
  if (Tie* const tie = send.sent.tie) return keep_data(*tie);
  Unexpected& message = *send.sent.message;
  state_of(send.comm->world_rank(send.sent.to)).matching.add_payload(message);
  send.data.pack(0, message.payload, message.envelope.bytes);
  note_untied(send);
  complete(send);
}

void prepare_to_part(RankState& state) {
  untie_all(state);
  state.requests.for_each([](Request& request) {
    if (is_partitioned(request))
      take_copies(request);
    else
      take_copy(request);
  });
}

namespace {

/// Gives a receive a message that is out of the queue.
[[gnu::always_inline]] inline void take(Request& receive, Unexpected* message) {
  accept(receive, message->envelope, message->payload);
  receive.owner->matching.free_unexpected(message);
  note_room(*receive.owner);
}

}  // namespace

void start_receive(Request& receive) {
  receive.active = true;
  receive.complete = false;
  receive.error = MPI_SUCCESS;
  if (settings.checking) [[unlikely]]
    note_receive(receive);
  MatchQueues& matching = receive.owner->matching;
  if (Unexpected* message = matching.find_unexpected(receive.pattern)) {
    matching.remove_unexpected(message);
    take(receive, message);
  } else {
    matching.post(receive);
  }
}

void start_matched_receive(Request& receive, Unexpected* message) {
  receive.active = true;
  if (settings.checking) [[unlikely]]
    note_receive(receive);
  take(receive, message);
}

}  // namespace skein::vmpi
