// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/own_elements.hpp"

#include <algorithm>
#include <cstring>
#include "runtime/balance/interval_sum.hpp"
#include "runtime/balance/measured_speeds.hpp"

#include "runtime/balance/block_exchange.hpp"
#include "runtime/chare/balance/departure.hpp"
#include "runtime/chare/balance/measured_elements.hpp"
#include "runtime/chare/balance/traffic.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/sections/sections.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

constexpr std::size_t kMostPinnedNamed = 16;  // at most so many for each PE

/// Adds edges to the PEs of the elements that the family has called, as far as this PE knows them. Calls from
/// and to a group's elements are left out: they do not matter for placement.
void add_edges(lb::LocalPe& local, lb::ObjectIndex number, Element& leader) {
  if (leader.array->tied_to_pes()) return;
  for_each_of_family(leader, [&](const Element& element) {
    for (const CallEdge& to : calls_of(element)) {
      const ArrayBase& array = array_number(to.array);
      if (to.messages == 0 || array.tied_to_pes()) continue;
      if (const int pe = array.believed_pe(to.index()); pe >= 0)
        local.edges.push_back(
            {.from = number, .pe = static_cast<lb::PeIndex>(pe), .bytes = static_cast<double>(to.bytes)});
    }
  });
}

std::vector<int> gather_numbers(const std::vector<int>& mine) {
  const std::vector<std::byte> all = net::all_gather_blocks(std::as_bytes(std::span(mine)));
  std::vector<int> numbers(all.size() / sizeof(int));
  if (!all.empty()) memcpy(numbers.data(), all.data(), all.size());
  return numbers;
}

/// Saves the sections whose roots are here from finding out about the move.
void note_departure(Element& leader, int pe) {
  for_each_of_family(leader, [&](const Element& element) {
    tell_sections(element.array->number(), element.array->index_of(element), pe);
  });
}

}  // namespace

void OwnElements::number() {
  std::vector<lb::ObjectIndex> counts(static_cast<std::size_t>(net::world.pes));
  const auto count = static_cast<lb::ObjectIndex>(measured_elements().size());
  net::all_gather(&count, sizeof count, counts.data());
  first_.assign(1, 0);
  for (const lb::ObjectIndex each : counts) first_.push_back(first_.back() + each);
}

lb::LocalPe OwnElements::collect(std::vector<int>& pinned) {
  const std::span<const MeasuredElement> mine = measured_elements();
  number();
  lb::LocalPe local;
  local.speed = balance::speed_here();
  local.pe = static_cast<lb::PeIndex>(net::world.pe);
  local.pe_count = static_cast<lb::PeIndex>(pe_count());
  local.knows_edges = settings.traffic_wanted;
  std::vector<int> pinned_here;
  lb::ObjectIndex number = first_[local.pe];
  for (const MeasuredElement& measured : mine) {
    const bool movable = may_move(*measured.leader);
    if (!movable && pinned_here.size() < kMostPinnedNamed) pinned_here.push_back(static_cast<int>(number));
    if (settings.traffic_wanted) add_edges(local, number, *measured.leader);
    local.add(number++, measured.load, movable);
  }
  forget_calls();
  pinned = balance::each_pe_is_told() ? gather_numbers(pinned_here) : std::vector<int>();
  return local;
}

std::size_t OwnElements::pe_of(lb::ObjectIndex number) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(first_, number) - first_.begin()) - 1;
}

balance::MoveTotals OwnElements::bring(std::span<const lb::ObjectIndex> arriving) {
  balance::Blocks wanted(static_cast<std::size_t>(net::world.pes));
  for (const lb::ObjectIndex& number : arriving) append(wanted[pe_of(number)], bytes_of(number));

  const std::span<const MeasuredElement> mine = measured_elements();
  const lb::ObjectIndex first = first_[static_cast<std::size_t>(net::world.pe)];
  balance::MoveTotals totals;
  Departure departure(totals, ArrayBase::Tell::home);
  const balance::Blocks asked = balance::exchange_blocks(wanted);
  for (std::size_t pe = 0; pe < asked.size(); ++pe) {
    for (Bytes numbers = asked[pe]; !numbers.empty();) {
      Element& leader = *mine[unpack_front<lb::ObjectIndex>(numbers) - first].leader;
      note_departure(leader, static_cast<int>(pe));
      departure.add(leader, pe);
    }
  }
  departure.finish();
  return totals;
}

balance::MoveTotals OwnElements::send(const lb::Assignment& assignment) {
  number();
  return send_own(std::span(assignment)
                      .subspan(first_[static_cast<std::size_t>(net::world.pe)], measured_elements().size()));
}

balance::MoveTotals OwnElements::send_own(std::span<const lb::PeIndex> pe_of) {
  const std::span<const MeasuredElement> mine = measured_elements();
  balance::MoveTotals totals;
  Departure departure(totals, ArrayBase::Tell::home);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const auto pe = static_cast<int>(pe_of[i]);
    if (pe == net::world.pe) continue;
    note_departure(*mine[i].leader, pe);
    departure.add(*mine[i].leader, static_cast<std::size_t>(pe));
  }
  departure.finish();
  return totals;
}

}  // namespace skein::chare
