// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/pe_processes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/balance/block_exchange.hpp"
#include "runtime/net/joined.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

using lb::LocalEdge;
using lb::LocalObject;
using lb::LocalRead;
using lb::PeIndex;
using lb::PeMessage;

/// The header of a message; its objects follow, then its edges, then the reads of its objects.
struct WireHeader {
  PeIndex from;
  PeIndex to;
  std::uint64_t objects, edges, reads;
  std::array<double, 3> numbers;
};

template <class T>
void append(std::vector<std::byte>& stream, std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  stream.insert(stream.end(), bytes.begin(), bytes.end());
}

template <class T>
std::vector<T> unpack_front(std::span<const std::byte>& stream, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0) memcpy(values.data(), stream.data(), count * sizeof(T));
  stream = stream.subspan(count * sizeof(T));
  return values;
}

void pack(std::vector<std::byte>& stream, PeIndex from, const PeMessage& message) {
  const WireHeader header{
      from, message.pe, message.objects.size(), message.edges.size(), message.reads.size(), message.numbers};
  append(stream, std::span(&header, 1));
  append(stream, std::span<const LocalObject>(message.objects));
  append(stream, std::span<const LocalEdge>(message.edges));
  append(stream, std::span<const LocalRead>(message.reads));
}

/// The values that the PEs reduce in a round.
struct Reduced {
  lb::Totals totals;
  bool done = false;

  void add(const Reduced& next) {
    totals.add(next.totals);
    done |= next.done;
  }
};

class Players {
 public:
  Players(std::span<const std::unique_ptr<lb::PeProcess>> mine, PeIndex pe_count)
      : mine_(mine), pe_count_(pe_count), inbox_(mine.size()) {}

  /// Plays a round. Returns true if the processes are done.
  bool play_round() {
    Blocks out(static_cast<std::size_t>(net::world.pes));
    std::vector<lb::Totals> contributions(places_on_a_pe());
    bool done = false;
    for (std::size_t k = 0; k < mine_.size(); ++k) {
      lb::PeRound round = mine_[k]->step(inbox_[k], totals_);
      done = round.done;
      contributions[k] = round.contribution;
      for (const PeMessage& message : round.messages) pack(out[message.pe % out.size()], pe_of(k), message);
      inbox_[k].clear();
    }
    if (reduce(contributions, done)) return true;
    deliver(exchange_blocks(out));
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

  /// Reduces the totals. Returns true if the processes are done: all PEs' are in the same round, and a PE
  /// that plays none learns it from the others.
  bool reduce(const std::vector<lb::Totals>& contributions, bool done) {
    Reduced all{contributions[0], done};
    net::add_on_all(all);
    totals_ = all.totals;
    if (contributions.size() > 1 && !all.done) gather(contributions);
    return all.done;
  }

  /// Gathers all totals where a PE plays several processes, whose numbers are not consecutive.
  void gather(const std::vector<lb::Totals>& contributions) {
    std::vector<lb::Totals> all(contributions.size() * static_cast<std::size_t>(net::world.pes)), by_pe;
    net::all_gather(contributions.data(), contributions.size() * sizeof(lb::Totals), all.data());
    const auto pes = static_cast<std::size_t>(net::world.pes);
    for (PeIndex q = 0; q < pe_count_; ++q) by_pe.push_back(all[q % pes * contributions.size() + q / pes]);
    totals_ = lb::add_up(std::move(by_pe));
  }

  /// Delivers messages in the order of their senders and, for each sender, of their sending.
  void deliver(const Blocks& arrived) {
    for (const std::vector<std::byte>& block : arrived) {
      for (std::span<const std::byte> rest(block); !rest.empty();) {
        const WireHeader header = unpack_front<WireHeader>(rest, 1)[0];
        PeMessage message{.pe = header.from, .numbers = header.numbers};
        message.objects = unpack_front<LocalObject>(rest, header.objects);
        message.edges = unpack_front<LocalEdge>(rest, header.edges);
        message.reads = unpack_front<LocalRead>(rest, header.reads);
        inbox_[header.to / static_cast<std::size_t>(net::world.pes)].push_back(std::move(message));
      }
    }
    for (auto& messages : inbox_) std::ranges::stable_sort(messages, {}, &PeMessage::pe);
  }

  std::span<const std::unique_ptr<lb::PeProcess>> mine_;
  PeIndex pe_count_;
  std::vector<std::vector<PeMessage>> inbox_;
  lb::Totals totals_;
};

}  // namespace

void run_pe_processes(std::span<const std::unique_ptr<lb::PeProcess>> mine, lb::PeIndex pe_count) {
  Players players(mine, pe_count);
  while (!players.play_round()) {
  }
}

}  // namespace skein::balance
