// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/wire.hpp"

#include <array>
#include <memory>

#include "runtime/base/check.hpp"
#include "runtime/chare/pe_tree.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

constexpr auto kinds = static_cast<std::size_t>(Kind::count);
std::array<Receiver, kinds> receivers{};
std::array<int, kinds> handlers{};  // of the transport
int announcement_handler = -1;

template <std::size_t kind>
void on_short(int from_pe, const std::byte* message, std::size_t bytes) {
  receivers[kind](from_pe, {message, bytes});
}

// ---- long messages. Sender and receiver hold the bytes until the transfer is complete.

struct Announcement {
  Kind kind;
  std::int32_t tag;
  std::uint64_t bytes;
};

struct Incoming {
  Kind kind;
  int from_pe;
  std::size_t bytes;
  std::unique_ptr<std::byte[]> data;
};

void on_received(std::uint64_t a, std::uint64_t) {
  const std::unique_ptr<Incoming> incoming(reinterpret_cast<Incoming*>(a));
  receivers[static_cast<std::size_t>(incoming->kind)](incoming->from_pe,
                                                      {incoming->data.get(), incoming->bytes});
}

void on_announcement(int from_pe, const std::byte* message, std::size_t) {
  Announcement announced;
  memcpy(&announced, message, sizeof announced);
  auto* const incoming = new Incoming{announced.kind, from_pe, announced.bytes,
                                      std::make_unique_for_overwrite<std::byte[]>(announced.bytes)};
  net::bulk_receive(from_pe, announced.tag, incoming->data.get(), incoming->bytes,
                    {on_received, reinterpret_cast<std::uint64_t>(incoming), 0});
}

void on_sent(std::uint64_t a, std::uint64_t) { delete[] reinterpret_cast<std::byte*>(a); }

void post_long(int pe, Kind kind, Bytes header, Bytes rest) {
  // Transfers of one tag from one PE to another keep their order, and only we use tags here.
  const Announcement announcement{kind, net::new_bulk_tag(), header.size() + rest.size()};
  auto* const data = new std::byte[announcement.bytes];
  if (!header.empty()) memcpy(data, header.data(), header.size());
  if (!rest.empty()) memcpy(data + header.size(), rest.data(), rest.size());
  net::send(pe, announcement_handler, {&announcement, sizeof announcement});
  net::bulk_send(pe, announcement.tag, {data, announcement.bytes},
                 {on_sent, reinterpret_cast<std::uint64_t>(data), 0});
}

}  // namespace

void set_receiver(Kind kind, Receiver receiver) { receivers[static_cast<std::size_t>(kind)] = receiver; }

void start_wire() {
  [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    ((handlers[kind] = net::register_handler(on_short<kind>)), ...);
  }
  (std::make_index_sequence<kinds>{});
  announcement_handler = net::register_handler(on_announcement);
}

void post(int pe, Kind kind, Bytes header, Bytes rest) {
  if (pe == net::world.pe) {
    std::vector<std::byte> message(header.begin(), header.end());
    message.insert(message.end(), rest.begin(), rest.end());
    receivers[static_cast<std::size_t>(kind)](pe, message);
  } else if (header.size() + rest.size() <= net::longest_message) {
    net::send(pe, handlers[static_cast<std::size_t>(kind)], {header.data(), header.size()},
              {rest.data(), rest.size()});
  } else {
    post_long(pe, kind, header, rest);
  }
}

void post_to_all(Kind kind, Bytes header, Bytes rest) { post(net::world.pe, kind, header, rest); }

void pass_down(Kind kind, Bytes message) {
  for (const int pe : place_in_tree().children) post(pe, kind, message);
}

}  // namespace skein::chare
