// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/states/pe_state.hpp"

#include <algorithm>
#include <array>

#include "runtime/base/log.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/departure.hpp"
#include "runtime/chare/balance/gathering.hpp"
#include "runtime/chare/calls/queue.hpp"
#include "runtime/chare/elements/broadcasts.hpp"
#include "runtime/chare/elements/creation.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/chare/elements/insertion_grants.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/quiescence/quiescence.hpp"
#include "runtime/chare/quiescence/timer.hpp"
#include "runtime/chare/sections/sections.hpp"
#include "runtime/chare/shared/node_table.hpp"
#include "runtime/chare/shared/read_only.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/batches.hpp"
#include "skein/chare/turn.hpp"
#include "skein/future.hpp"

namespace skein::chare {
namespace {

/// The header of a PE's packed state. On PE 0 the creations and the read-only values follow, then each family
/// with its length before it.
struct Front {
  std::uint64_t creation_bytes = 0, value_bytes = 0;
  ArrayNumbers arrays;
  std::uint64_t futures = 0, channels = 0;
  std::uint32_t insertions = 0, gathering = 0;
  std::int32_t pes = 0, nodes = 0;
};

// ---- obstacles to a state

std::string obstacle_of(const ArrayBase& array) {
  if (array.live() == 0) return "";
  if (array.of_singles) return "there are objects of " + array.name() + ", which are in no array";
  if (const char* const because = array.cannot_move())
    return "elements of " + array.name() + " cannot be packed: " + because;
  if (array.divided || array.division) return "elements of " + array.name() + " are divided";
  if (array.tied_to_pes() && array.at_sync > 0)
    return "the elements of " + array.name() + ", a group, are at a sync point";
  if (any_broadcast_to_run(array)) return "a broadcast to " + array.name() + " has not run";
  return "";
}

std::string obstacle_of_waits() {
  for (const Way way : {Way::early_message, Way::call, Way::reduction, Way::section_reduction,
                        Way::ordered_call, Way::completion_detector}) {
    if (count_waiting(way) == 0) continue;
    std::vector<std::string> lines;
    describe_waiting(way, lines);
    return lines.empty() ? "something waits" : lines.front();
  }
  return "";
}

std::string obstacle_of_activities() {
  for (const auto& array : all_arrays())
    for (const Element* const element : array->elements())
      if (has_activity(*element))
        return name_of(*element) + " is in " +
               element->rare().control->describe(element->rare().control->first_activity());
  return "";
}

// ---- elements

/// Calls f(family) for the packed families of a PE.
template <class F>
void for_each_family(Bytes state, F f) {
  const auto front = unpack_front<Front>(state);
  state = state.subspan(front.creation_bytes + front.value_bytes);
  while (!state.empty()) {
    const auto bytes = static_cast<std::size_t>(unpack_front<std::uint64_t>(state));
    f(state.first(bytes));
    state = state.subspan(bytes);
  }
}

void append_family(std::vector<std::byte>& out, Element& leader) {
  const std::size_t length_at = out.size();
  append(out, bytes_of(std::uint64_t{0}));
  pup::Blocks none;
  none.close();
  depart_family(leader, net::world.pe, out, none);
  const std::uint64_t bytes = out.size() - length_at - sizeof bytes;
  memcpy(out.data() + length_at, &bytes, sizeof bytes);
}

/// Lets elements begin where they are, as the numbers of PEs may have changed.
void place_elements() {
  for (const auto& array : all_arrays())
    for (Element* const element : array->elements()) {
      element->placed_on = element->was_on = net::world.pe;
      element->busy_ticks = 0;
    }
}

/// Continues all counts behind the largest numbers, on all PEs.
void go_on_counting(std::span<const std::vector<std::byte>> states) {
  std::array<double, 3> most{};
  for (const std::vector<std::byte>& state : states) {
    Bytes rest = state;
    const auto front = unpack_front<Front>(rest);
    most[0] = std::max(most[0], static_cast<double>(front.arrays.next_count));
    most[1] = std::max(most[1], static_cast<double>(front.futures));
    most[2] = std::max(most[2], static_cast<double>(front.channels));
  }
  net::max_of_all(most);
  go_on_numbering({static_cast<std::uint64_t>(most[0]), array_numbers().count_bits});
  futures_made() = static_cast<std::uint64_t>(most[1]);
  channels_made() = static_cast<std::uint64_t>(most[2]);
}

/// Runs the program's first function again. On PE 0.
void run_again(void (*begin)()) {
  settings.running_again = true;
  try {
    begin();
  } catch (...) {
    fail_by_exception("");
  }
  while (flush_aggregators()) {
  }
  settings.running_again = false;
  check_created_again();
}

void make_other_groups(const Front& front) {
  std::string names;
  for (const auto& array : all_arrays())
    if (array->tied_to_pes()) names.append(names.empty() ? "" : ", ").append(array->name());
  if (names.empty()) return;
  if (net::world.pe == 0)
    SKEIN_WARN("groups are made anew, as the state is of %d PEs on %d nodes: %s", front.pes, front.nodes,
               names.c_str());
  settings.running_again = true;  // calls of constructors have no effect
  make_groups_anew();
  settings.running_again = false;
}

void pass_elements_on(std::span<const std::vector<std::byte>> states, bool groups_too) {
  balance::MoveTotals totals;
  Departure departure(totals, ArrayBase::Tell::nobody);
  for (const std::vector<std::byte>& state : states)
    for_each_family(state, [&](Bytes family) {
      if (groups_too || !array_of_family(family).tied_to_pes())
        departure.add_packed(family, static_cast<std::size_t>(home_of_family(family)));
    });
  departure.finish();
}

}  // namespace

std::string obstacle_to_state() {
  for (const auto& array : all_arrays())
    if (const std::string obstacle = obstacle_of(*array); !obstacle.empty()) return obstacle;
  if (const std::string obstacle = obstacle_of_activities(); !obstacle.empty()) return obstacle;
  if (const std::string obstacle = obstacle_of_waits(); !obstacle.empty()) return obstacle;
  if (queued->any()) return "calls of elements that come to no sync point are put aside for the LB step";
  if (any_timer()) return "a timer is set, or a call for when this PE is idle";
  if (any_open_future()) return "a future has no value yet, or nobody has asked for it";
  if (any_section()) return "there is a section";
  if (node_table_count() > 0) return "the program has node tables";
  if (is_quiescence_wanted()) return "a callback waits for quiescence";
  return "";
}

std::vector<std::byte> packed_state() {
  Front front{.arrays = array_numbers(),
              .futures = futures_made(),
              .channels = channels_made(),
              .insertions = insertions_granted(),
              .gathering = gathering_number(),
              .pes = net::world.pes,
              .nodes = node_count()};
  std::vector<std::byte> creations, values;
  if (net::world.pe == 0) creations = packed_creations(), values = packed_values();
  front.creation_bytes = creations.size();
  front.value_bytes = values.size();
  std::vector<std::byte> state;
  append(state, bytes_of(front));
  append(state, creations);
  append(state, values);
  for (const auto& array : all_arrays())
    if (!array->leader)
      for (Element* const element : array->elements()) append_family(state, *element);
  return state;
}

Passed elements_of_state() {
  Passed passed;
  for (const auto& array : all_arrays()) {
    passed.elements += array->live();
    for (const Element* const element : array->elements())
      passed.sync_points = std::max<std::uint64_t>(passed.sync_points, element->sync_points);
  }
  return passed;
}

void come_back(Bytes of_pe_0, std::span<const std::vector<std::byte>> states, void (*begin)()) {
  const auto front = unpack_front<Front>(of_pe_0);
  go_on_numbering(front.arrays);
  enter_created(of_pe_0.first(front.creation_bytes));
  if (net::world.pe == 0) run_again(begin);
  take_values(of_pe_0.subspan(front.creation_bytes, front.value_bytes));
  go_on_counting(states);
  insertions_granted() = front.insertions;
  gathering_number() = static_cast<std::uint8_t>(front.gathering);
  const bool same_pes = front.pes == net::world.pes && front.nodes == node_count();
  if (!same_pes) make_other_groups(front);
  pass_elements_on(states, same_pes);
  place_elements();
  net::barrier(net::poll);
  end_gathering();
}

}  // namespace skein::chare
