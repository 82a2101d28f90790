// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/wire.hpp"

#include <array>
#include <memory>

#include "runtime/base/check.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/execution_record.hpp"
#include "runtime/net/pe_tree.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

constexpr auto kinds = static_cast<std::size_t>(Kind::count);
constexpr std::array<const char*, kinds> kind_names{"call",
                                                    "location",
                                                    "element",
                                                    "elements",
                                                    "broadcast-wish",
                                                    "broadcast",
                                                    "insertion-request",
                                                    "insertion-grant",
                                                    "insertion",
                                                    "new-array-wish",
                                                    "new-array",
                                                    "seed",
                                                    "partial",
                                                    "end-of-family",
                                                    "function",
                                                    "batch",
                                                    "future-set",
                                                    "future-request",
                                                    "detector-counts",
                                                    "detector-question",
                                                    "detector-over",
                                                    "quiescence-wish",
                                                    "lb-step-wish",
                                                    "synchronizes-wish",
                                                    "synchronizes",
                                                    "read-only",
                                                    "node-table",
                                                    "node-tables-ready",
                                                    "section-part",
                                                    "section-close",
                                                    "section-broadcast-wish",
                                                    "section-release",
                                                    "section-broadcast",
                                                    "section-moved",
                                                    "section-partial",
                                                    "timer-cancel"};
static_assert(kind_names.back() != nullptr, "each kind has a name");
struct Receivers {
  Receiver plain = nullptr;
  BlockReceiver with_blocks = nullptr;
};
std::array<Receivers, kinds> receivers{};
const BegunAnew<receivers> with_runtime;
std::array<int, kinds> handlers{};  // of the transport
int announcement_handler = -1;

void hand_over(Kind kind, int from_pe, Bytes message, pup::Blocks&& blocks) {
  const Receivers& receiver = receivers[static_cast<std::size_t>(kind)];
  if (receiver.plain)
    receiver.plain(from_pe, message);
  else
    receiver.with_blocks(from_pe, message, std::move(blocks));
}

/// Where tickets are kept, one is in front.
void receive(Kind kind, int from_pe, Bytes message, pup::Blocks&& blocks = {}) {
  if (!tickets_kept) [[likely]]
    return hand_over(kind, from_pe, message, std::move(blocks));
  const Consequences of(unpack_front<Ticket>(message));
  hand_over(kind, from_pe, message, std::move(blocks));
}

trace::EventKind event_of(Kind kind) {
  switch (kind) {
    case Kind::broadcast_wish:
    case Kind::section_broadcast_wish:
      return trace::EventKind::broadcast;
    case Kind::new_array_wish:
      return trace::EventKind::create;
    default:
      return trace::EventKind::call;
  }
}

/// What the runtime tells itself, now or when it is collected, is nobody's message.
bool is_of_program(Kind kind) {
  switch (kind) {
    case Kind::call:
    case Kind::broadcast_wish:
    case Kind::function:
    case Kind::batch:
    case Kind::future_set:
    case Kind::section_broadcast_wish:
      return true;
    case Kind::new_array_wish:
      return running.element;  // what is there from the beginning is no consequence of anything
    default:
      return false;
  }
}

template <std::size_t kind>
void on_short(int from_pe, const std::byte* message, std::size_t bytes) {
  receive(static_cast<Kind>(kind), from_pe, {message, bytes});
}

// ---- long messages, and those with blocks. One active message announces them: the sizes of the blocks
// follow, and the packed bytes if there is room. What does not go with it goes in bulk, all under one tag, so
// that it keeps its order; only we use tags here. Both ends hold the bytes until the transfers are complete.

struct Announcement {
  Kind kind;
  std::int32_t tag;
  std::uint64_t packed_bytes;
  std::uint32_t blocks;
  std::uint32_t packed_follows;  ///< in the announcement
};

struct Transfer {
  Kind kind;
  int from_pe;
  std::vector<std::byte> packed;
  pup::Blocks blocks;
  int parts = 0;  ///< under way

  net::Completion completion(void (*call)(std::uint64_t, std::uint64_t)) {
    ++parts;
    return {call, reinterpret_cast<std::uint64_t>(this), 0};
  }
};

/// Null while parts are missing.
std::unique_ptr<Transfer> complete(std::uint64_t word) {
  auto* const transfer = reinterpret_cast<Transfer*>(word);
  return std::unique_ptr<Transfer>(--transfer->parts == 0 ? transfer : nullptr);
}

void on_sent(std::uint64_t word, std::uint64_t) { complete(word); }
void on_received(std::uint64_t word, std::uint64_t) {
  if (const auto done = complete(word))
    receive(done->kind, done->from_pe, done->packed, std::move(done->blocks));
}

void on_announcement(int from_pe, const std::byte* message, std::size_t bytes) {
  Bytes rest{message, bytes};
  const auto announced = unpack_front<Announcement>(rest);
  auto* const incoming = new Transfer{announced.kind, from_pe, {}, {}};
  const Bytes sizes = rest.first(announced.blocks * sizeof(std::uint64_t));
  rest = rest.subspan(sizes.size());
  if (announced.packed_follows) {
    incoming->packed.assign(rest.begin(), rest.end());
  } else {
    incoming->packed.resize(announced.packed_bytes);
    net::bulk_receive(from_pe, announced.tag, incoming->packed.data(), incoming->packed.size(),
                      incoming->completion(on_received));
  }
  for (Bytes left = sizes; !left.empty();) {
    const auto size = static_cast<std::size_t>(unpack_front<std::uint64_t>(left));
    net::bulk_receive(from_pe, announced.tag, incoming->blocks.allocate(size), size,
                      incoming->completion(on_received));
  }
}

void post_long(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks) {
  const std::size_t packed_bytes = header.size() + rest.size();
  const std::size_t front_bytes = sizeof(Announcement) + blocks.size() * sizeof(std::uint64_t);
  const bool packed_follows = front_bytes + packed_bytes <= net::longest_message;
  const Announcement announcement{kind, net::new_bulk_tag(), packed_bytes,
                                  static_cast<std::uint32_t>(blocks.size()), packed_follows};
  std::vector<std::byte> front;
  front.reserve(packed_follows ? front_bytes + packed_bytes : front_bytes);
  append(front, bytes_of(announcement));
  for (std::size_t i = 0; i < blocks.size(); ++i) append(front, bytes_of(std::uint64_t{blocks[i].bytes}));

  auto* const outgoing = new Transfer{kind, pe, {}, std::move(blocks)};
  std::vector<std::byte>& packed = packed_follows ? front : outgoing->packed;
  packed.reserve(packed.size() + packed_bytes);
  append(packed, header);
  append(packed, rest);
  net::send(pe, announcement_handler, {front.data(), front.size()});
  if (!packed_follows)
    net::bulk_send(pe, announcement.tag, {packed.data(), packed.size()}, outgoing->completion(on_sent));
  for (std::size_t i = 0; i < outgoing->blocks.size(); ++i)
    net::bulk_send(pe, announcement.tag, {outgoing->blocks[i].data, outgoing->blocks[i].bytes},
                   outgoing->completion(on_sent));
}

}  // namespace

void set_receiver(Kind kind, Receiver receiver) {
  receivers[static_cast<std::size_t>(kind)].plain = receiver;
}
void set_receiver(Kind kind, BlockReceiver receiver) {
  receivers[static_cast<std::size_t>(kind)].with_blocks = receiver;
}

void start_wire() {
  [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    ((handlers[kind] = net::register_handler(kind_names[kind], on_short<kind>)), ...);
  }
  (std::make_index_sequence<kinds>{});
  announcement_handler = net::register_handler("announcement", on_announcement);
}

void post(int pe, Kind kind, Bytes header, Bytes rest) {
  if (tickets_kept || pe == net::world.pe || header.size() + rest.size() > net::longest_message) [[unlikely]]
    return post(pe, kind, header, rest, {});
  net::send(pe, handlers[static_cast<std::size_t>(kind)], {header.data(), header.size()},
            {rest.data(), rest.size()});
}

namespace {
void post_packed(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks) {
  if (pe == net::world.pe) {
    std::vector<std::byte> message(header.begin(), header.end());
    append(message, rest);
    receive(kind, pe, message, std::move(blocks));
  } else if (blocks.empty() && header.size() + rest.size() <= net::longest_message) {
    net::send(pe, handlers[static_cast<std::size_t>(kind)], {header.data(), header.size()},
              {rest.data(), rest.size()});
  } else {
    post_long(pe, kind, header, rest, std::move(blocks));
  }
}

[[gnu::cold]] void post_with_ticket(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks) {
  const std::size_t bytes = header.size() + rest.size() + blocks.bytes();
  const Ticket ticket = is_of_program(kind) ? ticket_of_posted(event_of(kind), bytes) : inherited_ticket();
  std::vector<std::byte> front;
  front.reserve(sizeof ticket + header.size());
  append(front, bytes_of(ticket));
  append(front, header);
  post_packed(pe, kind, front, rest, std::move(blocks));
}
}  // namespace

void post(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks) {
  if (tickets_kept) [[unlikely]]
    return post_with_ticket(pe, kind, header, rest, std::move(blocks));
  post_packed(pe, kind, header, rest, std::move(blocks));
}

void post_to_all(Kind kind, Bytes header, Bytes rest) { post(net::world.pe, kind, header, rest); }

void pass_down(Kind kind, Bytes message) {
  for (const int pe : net::place_in_tree().children) post(pe, kind, message);
}

}  // namespace skein::chare
