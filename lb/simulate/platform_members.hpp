// SPDX-License-Identifier: Apache-2.0
// The members of a platform, listed once for the reader, the writer, the checks and the documentation's
// table.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "skein/lb/platform.hpp"

namespace skein::simulate {

/// The allowed values of a number. In JSON a number is exact up to 2^53.
struct AllowedRange {
  double least = 0;
  double most = 9007199254740992;
  bool above_least = false;  // `least` itself is not allowed
  bool below_most = false;
};

/// A year in ns: a longer time is a mistaken unit.
inline constexpr double kLongestNs = 3.2e16;
inline constexpr AllowedRange kTimes{0, 1e12};  // of one action: up to 1000 s
inline constexpr AllowedRange kByteTimes{0, 1e6};
inline constexpr AllowedRange kFactors{0, 1e6, true};
inline constexpr AllowedRange kCounts{1, 16777216};

inline constexpr std::string_view kKindNames[] = {"flat", "torus", "fat-tree"};

/// Calls `visit` with the name of each member, the member, its allowed range (numbers), and its meaning; for
/// members of members, calls visit.inside(). Platform may be const.
template <class Visit, class L>
void each_member_of_level(Visit& visit, L& level) {
  visit("latency_ns", level.latency_ns, kTimes, "time from the first byte's departure to its arrival");
  visit("send_ns", level.send_ns, kTimes, "sender's processor time for a message");
  visit("send_byte_ns", level.send_byte_ns, kByteTimes, "sender's processor time for each byte of a message");
  visit("receive_ns", level.receive_ns, kTimes, "receiver's processor time for a message");
  visit("receive_byte_ns", level.receive_byte_ns, kByteTimes,
        "receiver's processor time for each byte of a message");
  visit("fetch_byte_ns", level.fetch_byte_ns, kByteTimes,
        "inside a node: receiver's time to copy each byte of a message that is not eager");
  visit("gap_ns", level.gap_ns, kTimes, "time for which a message occupies the sending or receiving side");
  visit("byte_ns", level.byte_ns, kByteTimes, "time for which each byte occupies that side");
  visit("eager_bytes", level.eager_bytes, AllowedRange{0, 1e12},
        "largest message that leaves without waiting for its receiver; 0: as in the runtime");
}

template <class Visit, class P>
void each_member(Visit& visit, P& platform) {
  visit("name", platform.name, "name for reports");
  visit("source", platform.source, "origin of the numbers");
  visit("nodes", platform.nodes, kCounts, "number of nodes; the PEs of a node share memory");
  visit("pes_per_node", platform.pes_per_node, kCounts, "PEs of each node");
  visit("pes", platform.pes, AllowedRange{0, kCounts.most}, "number of PEs in use, node after node; 0: all");
  visit("speed", platform.speed, kFactors, "speed of a PE, relative to the machine that recorded the trace");
  visit("speeds", platform.speeds, kFactors, "factor on speed for each PE; empty: all have the same speed");
  visit("background", platform.background, AllowedRange{0, 1, false, true},
        "for each PE the part of its time that other processes take; empty: none");
  visit("changes", platform.changes, "periods in which a PE has another speed");
  visit("contention", platform.contention, AllowedRange{1, 1e6},
        "factors on a burst's time when 1, 2, ... PEs of its node compute; empty: 1");
  visit("noise", platform.noise, AllowedRange{0, 1},
        "standard deviation of a burst's time, as a fraction of it");
  visit("memory_bytes", platform.memory_bytes, AllowedRange{},
        "most memory of the objects of a PE; 0: no limit");
  visit.inside("pe", platform.pe, "messages between ranks of a PE",
               [](auto& inner, auto& level) { each_member_of_level(inner, level); });
  visit.inside("node", platform.node, "messages between PEs of a node",
               [](auto& inner, auto& level) { each_member_of_level(inner, level); });
  visit.inside("network", platform.network, "messages between nodes",
               [](auto& inner, auto& level) { each_member_of_level(inner, level); });
  visit.inside("links", platform.links, "links between nodes", [](auto& inner, auto& links) {
    inner("kind", links.kind, "kind of the network: flat, torus or fat-tree");
    inner("shape", links.shape, kCounts,
          "torus: nodes by dimension; fat tree: down links of a switch by level, from the nodes");
    inner("up", links.up, kCounts, "fat tree: up links of a switch by level, except the last");
    inner("hop_ns", links.hop_ns, kTimes, "time for each link that a message passes");
    inner("byte_ns", links.byte_ns, kByteTimes, "time for which a byte occupies a link");
  });
  visit("switch_ns", platform.switch_ns, kTimes, "switch from one rank to another");
  visit.inside("moves", platform.moves, "times of LB steps and moves", [](auto& inner, auto& moves) {
    inner("meeting_ns", moves.meeting_ns, kTimes,
          "meeting of an LB step, for each level of a tree over the PEs");
    inner("collect_object_ns", moves.collect_object_ns, kTimes,
          "measuring and gathering the loads, for each object of the job");
    inner("begin_ns", moves.begin_ns, kTimes, "fixed time of an LB step in which anything moves");
    inner("object_ns", moves.object_ns, kTimes, "time for each object that moves, on each of its two PEs");
    inner("node_byte_ns", moves.node_byte_ns, kByteTimes,
          "time for each byte that moves inside a node; 0: slots change owner without copies");
    inner("network_byte_ns", moves.network_byte_ns, kByteTimes,
          "time for each byte that moves between nodes, besides the network's time");
  });
  visit("decision_element_ns", platform.decision_element_ns, kTimes,
        "by strategy: decision time for each object, PE and edge");
  visit("decision_ns", platform.decision_ns, kTimes, "by strategy: fixed part of the decision time");
  visit.inside("together", platform.together, "decision times when several PEs decide together",
               [](auto& inner, auto& together) {
                 inner("element_ns", together.element_ns, kTimes,
                       "by strategy: time for each object, PE and edge, divided by the number of deciding "
                       "PEs");
                 inner("ns", together.ns, kTimes, "by strategy: fixed time");
                 inner("level_ns", together.level_ns, kTimes,
                       "by strategy: time for each level of a tree over the deciding PEs");
                 inner("pe_ns", together.pe_ns, kTimes, "by strategy: time for each deciding PE");
                 inner("pes", together.pes, kCounts,
                       "by strategy: largest number of deciding PEs that was measured");
               });
}

template <class Visit, class C>
void each_member_of_change(Visit& visit, C& change) {
  visit("pe", change.pe, AllowedRange{0, kCounts.most - 1}, "number of the PE");
  visit("from_ns", change.from_ns, AllowedRange{0, kLongestNs}, "beginning, in simulated time");
  visit("until_ns", change.until_ns, AllowedRange{0, kLongestNs},
        "end, in simulated time; 0: to the end of the run");
  visit("factor", change.factor, AllowedRange{0, 1e6}, "factor on its speed; 0: the PE stands still");
}

// ---- allowed ranges in words

inline bool is_allowed(double value, const AllowedRange& allowed) {
  const bool enough = allowed.above_least ? value > allowed.least : value >= allowed.least;
  const bool little = allowed.below_most ? value < allowed.most : value <= allowed.most;
  return enough && little;  // NaN is neither
}

/// Returns the shortest text that reads back as the number, in every locale.
inline std::string to_text(double number) {
  char text[32];
  const bool plain = number == std::floor(number) && std::abs(number) < 1e17;
  const auto [end, error] = plain ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(number))
                                  : std::to_chars(text, text + sizeof text, number);
  return {text, end};
}

/// Returns "from 0 to 1000", "above 0, up to 1000" or "from 0 to below 1".
inline std::string to_text(const AllowedRange& allowed) {
  return (allowed.above_least ? "above " + to_text(allowed.least) + ", up to "
                              : "from " + to_text(allowed.least) + " to ") +
         (allowed.below_most ? "below " : "") + to_text(allowed.most);
}

/// Returns "name[index]".
inline std::string indexed(const char* name, std::size_t index) {
  return std::string(name).append("[").append(std::to_string(index)).append("]");
}

/// Returns "NAME is -3; it may be ...".
inline std::string not_allowed(const std::string& name, double value, const AllowedRange& allowed) {
  return name + " is " + to_text(value) + "; it may be " + to_text(allowed);
}

// The platforms that come with Skein; the build makes them from lb/simulate/platforms/*.json.

struct PlatformText {
  std::string_view name;  // of the file, without its extension
  std::string_view text;
};
/// Returns the platforms, ordered by name.
std::span<const PlatformText> platform_texts();

}  // namespace skein::simulate
