// SPDX-License-Identifier: Apache-2.0
// A platform: the machine on which a simulation plays, as a value and as a JSON file.
#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skein::simulate {

using PeIndex = std::uint32_t;

/// The costs of a message between two PEs at one level: inside a PE, a node, the network. After LogGP (A.
/// Alexandrov et al., SPAA 1995) with processor time for each byte (LogGOPS: T. Hoefler, T. Schneider, A.
/// Lumsdaine, HPDC 2010). A message of n bytes keeps the sender busy for send_ns + n * send_byte_ns and the
/// sending side for gap_ns + n * byte_ns; its first byte arrives latency_ns after it began there; it keeps
/// the receiving side busy as long, and the receiver for receive_ns + n * receive_byte_ns. A side belongs to
/// a node in the network, to a PE in a node, and handles one message at a time. All costs are in addition to
/// those of the same call between ranks of one PE, which are in the bursts.
struct Level {
  double latency_ns = 0;
  double send_ns = 0;
  double send_byte_ns = 0;
  double receive_ns = 0;
  double receive_byte_ns = 0;
  double fetch_byte_ns = 0;  // inside a node, for messages that are not eager: the receiver copies
  double gap_ns = 0;
  double byte_ns = 0;             // of the wire
  std::uint64_t eager_bytes = 0;  // larger messages wait for the receiver; 0: the runtime's limit
};

enum class NetworkKind : std::uint8_t { flat, torus, fat_tree };

/// The wires between nodes, in addition to Level network.
struct Links {
  NetworkKind kind = NetworkKind::flat;
  /// torus: nodes by dimension, the first varies fastest. fat tree: down links of a switch by level, from the
  /// nodes up. A platform may use only the first of these nodes.
  std::vector<std::uint32_t> shape;
  std::vector<std::uint32_t> up;  // fat tree: up links of a switch by level; the last level has none
  double hop_ns = 0;              // for each link that a message passes
  double byte_ns = 0;             // of one link
};

/// The costs of LB steps and of moving objects.
struct MoveCosts {
  double meeting_ns = 0;         // of an LB step, for each level of the tree of PEs
  double collect_object_ns = 0;  // measuring and gathering, for each object of the job
  double begin_ns = 0;           // added once in a step that moves anything
  double object_ns = 0;          // for each moving object, at each end
  double node_byte_ns = 0;       // between PEs of a node (0: slots change hands)
  double network_byte_ns = 0;    // in addition to the network's costs
};

/// Decision times of several PEs that decide together, by strategy: for e objects, PEs and edges on m PEs
///
///   ns + e / m element_ns + log2(m) level_ns + m pe_ns
///
/// All data passes through one PE as well.
struct TogetherCosts {
  std::map<std::string, double> element_ns, ns, level_ns, pe_ns;
  std::map<std::string, double> pes;  // the most PEs that were measured
};

/// A change of a PE's speed, in ns of simulated time; factor 0: the PE stands still.
struct SpeedChange {
  PeIndex pe = 0;
  std::int64_t from_ns = 0;
  std::int64_t until_ns = 0;  // 0: for ever
  double factor = 1;
};

struct Platform {
  std::string name;
  std::string source;  // the origin of the numbers
  std::uint32_t nodes = 1;
  std::uint32_t pes_per_node = 1;
  std::uint32_t pes = 0;           // that are used, node after node; 0: all
  double speed = 1;                // of a PE; 1: the PE on which the trace was recorded
  std::vector<double> speeds;      // by PE, times `speed`; empty: all alike
  std::vector<double> background;  // fraction of each PE's time that others take, [0, 1); empty: none
  std::vector<SpeedChange> changes;
  /// Slowdown of a burst while k PEs of a node compute, at index k - 1. The first is 1; the last holds for
  /// more PEs, too. Empty: PEs do not slow each other down.
  std::vector<double> contention;
  double noise = 0;                // relative standard deviation of a burst's time; drawn from seed
  std::uint64_t memory_bytes = 0;  // of objects on a PE; 0: no limit
  Level pe, node, network;
  Links links;
  double switch_ns = 0;  // switch from one rank to another
  MoveCosts moves;
  /// By strategy, the time of a decision: for each object, PE and edge, and the constant part.
  std::map<std::string, double> decision_element_ns, decision_ns;
  TogetherCosts together;

  std::uint32_t pe_count() const { return pes ? pes : nodes * pes_per_node; }
  std::uint32_t node_of(PeIndex index) const { return index / pes_per_node; }
};

/// Reports a wrong platform; the text names the platform, the member, its value and the valid ones.
struct PlatformError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Loads a platform file, or by its name one of Skein's ("paraplui"). Throws PlatformError.
Platform load_platform(const std::string& path_or_name);
Platform parse_platform(const std::string& json, const std::string& called);
std::string to_json(const Platform& platform);
/// Returns the platform as a SimGrid platform file, with a host for each node (node-0, ...), a core for each
/// PE, and one flop for a nanosecond of the machine of the trace. Only latency and time for each byte of
/// messages are in it: SimGrid has no processor time of messages, no gaps, and nothing about objects. Throws
/// PlatformError if such a file cannot express the platform.
std::string to_simgrid_xml(const Platform& platform);
std::vector<std::string_view> known_platforms();
/// Throws PlatformError for missing numbers and numbers out of range.
void validate(const Platform& platform);
/// Returns the platform with `pes` PEs: nodes are added or left out, and the last one may be partly used. A
/// torus or fat tree with too few nodes, or more than twice as many as needed, gets the smallest shape that
/// holds them. Added PEs are like those without an entry in speeds, background and changes.
Platform with_pes(Platform platform, std::uint32_t pes);
/// Returns up to how many PEs that decide together by the strategy (its text) the platform's `together` can
/// be trusted: twice as many as were measured, or any number if that is not given. 1 if several cannot decide
/// by it or the platform lacks their times. Throws what parse_strategy() throws.
std::uint32_t most_deciding(const Platform& platform, std::string_view strategy);

}  // namespace skein::simulate
