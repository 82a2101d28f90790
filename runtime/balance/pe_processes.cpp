// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/pe_processes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

using lb::LocalObject;
using lb::PeIndex;
using lb::PeMessage;
using lb::PeRoom;

int packet_handler;
std::uint64_t packets_sent, packets_received;

// What came, by the parity of its round and by the PE it came from. A PE may be a round ahead of another, as
// it starts the next one as soon as it knows that all has arrived; never two.
std::array<std::vector<std::vector<std::byte>>, 2> arrived;

void on_packet(int from_pe, const std::byte* message, std::size_t bytes) {
  std::uint32_t parity = 0;
  memcpy(&parity, message, sizeof parity);
  std::vector<std::byte>& stream = arrived[parity][static_cast<std::size_t>(from_pe)];
  stream.insert(stream.end(), message + sizeof parity, message + bytes);
  ++packets_received;
}

// A message as it travels: this, then its objects, then its rooms.
struct WireHeader {
  PeIndex from;
  PeIndex to;
  std::uint32_t objects;
  std::uint32_t rooms;
  std::array<double, 3> numbers;
};

template <class T>
void append(std::vector<std::byte>& stream, std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  stream.insert(stream.end(), bytes.begin(), bytes.end());
}

template <class T>
std::vector<T> take(std::span<const std::byte>& stream, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0) memcpy(values.data(), stream.data(), count * sizeof(T));
  stream = stream.subspan(count * sizeof(T));
  return values;
}

void pack(std::vector<std::byte>& stream, PeIndex from, const PeMessage& message) {
  const WireHeader header{from, message.pe, static_cast<std::uint32_t>(message.objects.size()),
                          static_cast<std::uint32_t>(message.rooms.size()), message.numbers};
  append(stream, std::span(&header, 1));
  append(stream, std::span<const LocalObject>(message.objects));
  append(stream, std::span<const PeRoom>(message.rooms));
}

void send_stream(int pe, std::uint32_t parity, std::span<const std::byte> stream) {
  constexpr std::size_t piece = net::longest_message - sizeof parity;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    const auto part = stream.subspan(at, std::min(piece, stream.size() - at));
    net::send(pe, packet_handler, {&parity, sizeof parity}, {part.data(), part.size()});
    ++packets_sent;
  }
}

/// Every PE has sent all packets of this round before the first sum, so the sum of those sent stays as it is.
void wait_for_all_packets() {
  std::array<std::uint64_t, 2> counts;
  do {
    while (net::poll()) {  // a PE alone waits for nobody, and yet has its own messages to take in
    }
    counts = {packets_sent, packets_received};
    net::sum_polling(counts);
  } while (counts[0] != counts[1]);
}

class Players {
 public:
  Players(std::span<const std::unique_ptr<lb::PeProcess>> mine, PeIndex pe_count)
      : mine_(mine), pe_count_(pe_count), inbox_(mine.size()) {
    for (auto& streams : arrived) streams.resize(static_cast<std::size_t>(net::world.pes));
  }

  /// Returns whether the processes are done.
  bool play_round() {
    std::vector<std::vector<std::byte>> out(static_cast<std::size_t>(net::world.pes));
    std::vector<lb::Totals> contributions(places_on_a_pe());
    bool done = false;
    for (std::size_t k = 0; k < mine_.size(); ++k) {
      lb::PeRound round = mine_[k]->step(inbox_[k], totals_);
      done = round.done;
      contributions[k] = round.contribution;
      for (const PeMessage& message : round.messages) pack(out[message.pe % out.size()], pe_of(k), message);
      inbox_[k].clear();
    }
    // The processes of all PEs are done in the same round; a PE that plays none asks the others.
    std::vector<char> all_done(out.size());
    const char mine_done = done;
    net::all_gather(&mine_done, sizeof mine_done, all_done.data());
    if (std::ranges::find(all_done, 1) != all_done.end()) return true;
    for (std::size_t pe = 0; pe < out.size(); ++pe) send_stream(static_cast<int>(pe), parity_, out[pe]);
    reduce(contributions);
    wait_for_all_packets();
    deliver();
    parity_ ^= 1;
    return false;
  }

 private:
  std::size_t places_on_a_pe() const {
    return (pe_count_ + static_cast<std::size_t>(net::world.pes) - 1) /
           static_cast<std::size_t>(net::world.pes);
  }
  PeIndex pe_of(std::size_t place) const {
    return static_cast<PeIndex>(place * static_cast<std::size_t>(net::world.pes) +
                                static_cast<std::size_t>(net::world.pe));
  }

  void reduce(const std::vector<lb::Totals>& contributions) {
    std::vector<lb::Totals> all(contributions.size() * static_cast<std::size_t>(net::world.pes));
    net::all_gather(contributions.data(), contributions.size() * sizeof(lb::Totals), all.data());
    totals_ = {};
    for (PeIndex q = 0; q < pe_count_; ++q) {
      const auto pes = static_cast<std::size_t>(net::world.pes);
      totals_.add(all[q % pes * contributions.size() + q / pes]);
    }
  }

  /// In the order of the senders, each one's in the order it sent them.
  void deliver() {
    for (std::vector<std::byte>& stream : arrived[parity_]) {
      for (std::span<const std::byte> rest(stream); !rest.empty();) {
        const WireHeader header = take<WireHeader>(rest, 1)[0];
        PeMessage message{header.from, header.numbers, take<LocalObject>(rest, header.objects), {}};
        message.rooms = take<PeRoom>(rest, header.rooms);
        inbox_[header.to / static_cast<std::size_t>(net::world.pes)].push_back(std::move(message));
      }
      stream.clear();
    }
    for (auto& messages : inbox_) std::ranges::stable_sort(messages, {}, &PeMessage::pe);
  }

  std::span<const std::unique_ptr<lb::PeProcess>> mine_;
  PeIndex pe_count_;
  std::vector<std::vector<PeMessage>> inbox_;
  lb::Totals totals_;
  std::uint32_t parity_ = 0;
};

}  // namespace

void start_pe_processes() { packet_handler = net::register_handler(on_packet, net::Counted::no); }

void run_pe_processes(std::span<const std::unique_ptr<lb::PeProcess>> mine, lb::PeIndex pe_count) {
  Players players(mine, pe_count);
  while (!players.play_round()) {
  }
}

}  // namespace skein::balance
