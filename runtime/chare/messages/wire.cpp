// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/messages/wire.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/base/check.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/messages/registered.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/net/pe_tree.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {

constinit Registered registered;

namespace {

constexpr auto kKinds = static_cast<std::size_t>(Kind::count);

/// Returns the name of the kind in message counts: "new-array-wish".
template <Kind kind>
const char* name_of_kind() {
  static const std::string name = [signature = std::string_view(__PRETTY_FUNCTION__)] {
    const std::size_t begin = signature.rfind(':', signature.find_first_of(";]")) + 1;
    std::string its(signature.substr(begin, signature.find_first_of(";]") - begin));
    std::ranges::replace(its, '_', '-');
    return its;
  }();
  return name.c_str();
}

void hand_over(Kind kind, int from_pe, Bytes message, pup::Blocks&& blocks) {
  const Registered::Receivers& receiver = registered.receivers[static_cast<std::size_t>(kind)];
  if (receiver.plain && (blocks.empty() || !receiver.with_blocks))
    receiver.plain(from_pe, message);
  else
    receiver.with_blocks(from_pe, message, std::move(blocks));
}

static_assert(static_cast<int>(Kind::count) == 36,
              "event_of() and is_of_program() are to say what a new kind is in recordings");

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

/// Returns true if messages of the kind are the program's, and not the runtime's own notices.
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
      return calls_here.running.element;  // arrays made at the start are no consequence
    default:
      return false;
  }
}

template <std::size_t kind>
void on_short(int from_pe, const std::byte* message, std::size_t bytes) {
  if (const Receiver plain = registered.receivers[kind].plain; plain && !settings.tickets_kept) [[likely]]
    return plain(from_pe, {message, bytes});
  receive_message(static_cast<Kind>(kind), from_pe, {message, bytes}, {});
}

/// The transport's kinds of messages, by Kind.
const auto short_messages = []<std::size_t... kind>(std::index_sequence<kind...>) {
  return std::array{net::MessageKind(name_of_kind<static_cast<Kind>(kind)>(), on_short<kind>)...};
}
(std::make_index_sequence<kKinds>{});

}  // namespace

void receive_message(Kind kind, int from_pe, Bytes message, pup::Blocks&& blocks) {
  if (!settings.tickets_kept) [[likely]]
    return hand_over(kind, from_pe, message, std::move(blocks));
  const Consequences of(unpack_front<Ticket>(message));
  hand_over(kind, from_pe, message, std::move(blocks));
}

Receives::Receives(Kind kind, Receiver receiver) {
  registered.receivers[static_cast<std::size_t>(kind)].plain = receiver;
}
Receives::Receives(Kind kind, BlockReceiver receiver) {
  registered.receivers[static_cast<std::size_t>(kind)].with_blocks = receiver;
}

void post(int pe, Kind kind, Bytes header, Bytes rest) {
  if (settings.tickets_kept || settings.running_again || pe == net::world.pe ||
      header.size() + rest.size() > net::kLongestMessage) [[unlikely]]
    return post(pe, kind, header, rest, {});
  net::send(pe, short_messages[static_cast<std::size_t>(kind)], {header.data(), header.size()},
            {rest.data(), rest.size()});
}

namespace {
void post_packed(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks) {
  if (pe == net::world.pe) {
    std::vector<std::byte> message(header.begin(), header.end());
    append(message, rest);
    receive_message(kind, pe, message, std::move(blocks));
  } else if (blocks.empty() && header.size() + rest.size() <= net::kLongestMessage) {
    net::send(pe, short_messages[static_cast<std::size_t>(kind)], {header.data(), header.size()},
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
  if (settings.running_again) return;
  if (settings.tickets_kept) [[unlikely]]
    return post_with_ticket(pe, kind, header, rest, std::move(blocks));
  post_packed(pe, kind, header, rest, std::move(blocks));
}

void post_to_all(Kind kind, Bytes header, Bytes rest) { post(net::world.pe, kind, header, rest); }

void pass_down(Kind kind, Bytes message) {
  for (const int pe : net::place_in_tree().children) post(pe, kind, message);
}

}  // namespace skein::chare
