// SPDX-License-Identifier: Apache-2.0
// A platform: the machine that a simulation plays on, as a value and as a JSON file.
#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skein::simulate {

using PeIndex = std::uint32_t;

/// What a message between two PEs takes at one level: inside a PE, a node, the network. After LogGP
/// (A. Alexandrov et al., SPAA 1995) with processor time by the byte (LogGOPS: T. Hoefler, T. Schneider,
/// A. Lumsdaine, HPDC 2010). A message of n bytes keeps the sender busy for send_ns + n * send_byte_ns, the
/// sending side for gap_ns + n * byte_ns; its first byte arrives latency_ns after it began there; it keeps
/// the receiving side as long, and the receiver for receive_ns + n * receive_byte_ns. Sides are a node's in
/// the network, and a PE's in a node, and take one message at a time. All are beyond what the same call takes
/// between ranks of one PE, which is in the bursts.
struct Level {
  double latency_ns = 0;
  double send_ns = 0;
  double send_byte_ns = 0;
  double receive_ns = 0;
  double receive_byte_ns = 0;
  double fetch_byte_ns = 0;  // inside a node the receiver copies what is not eager itself
  double gap_ns = 0;
  double byte_ns = 0;             // of the wire
  std::uint64_t eager_bytes = 0;  // up to this a message leaves without its receiver; 0: as the runtime does
};

enum class NetworkKind : std::uint8_t { flat, torus, fat_tree };

/// Between nodes, beside Level network: what the wires between them add.
struct Links {
  NetworkKind kind = NetworkKind::flat;
  /// torus: nodes by dimension, the first varies first. fat tree: down links of a switch by level, from the
  /// nodes. The platform may have fewer nodes than these hold: the first of them.
  std::vector<std::uint32_t> shape;
  std::vector<std::uint32_t> up;  // fat tree: up links of a switch by level; the last level has none
  double hop_ns = 0;              // each link that a message passes
  double byte_ns = 0;             // of a link
};

/// What moving objects takes.
struct MoveCosts {
  double meeting_ns = 0;         // of an LB step, and per PE's tree level
  double collect_object_ns = 0;  // measuring and gathering, per object of the job
  double begin_ns = 0;           // of a step in which anything moves, beside
  double object_ns = 0;          // each object that moves, at each end
  double node_byte_ns = 0;       // between PEs of a node (0: slots change hands)
  double network_byte_ns = 0;    // beside what the network takes
};

/// What decisions take that several PEs make together, by strategy: of e objects, PEs and edges on m PEs
///
///   ns + e / m element_ns + log2(m) level_ns + m pe_ns
///
/// It goes through one PE, too.
struct TogetherCosts {
  std::map<std::string, double> element_ns, ns, level_ns, pe_ns;
  std::map<std::string, double> pes;  // the most that were measured
};

/// When a PE is not as ever: from, until, in ns of the simulated time; factor of its speed, 0: it stands.
struct SpeedChange {
  PeIndex pe = 0;
  std::int64_t from_ns = 0;
  std::int64_t until_ns = 0;  // 0: for good
  double factor = 1;
};

struct Platform {
  std::string name;
  std::string source;  // where the numbers come from
  std::uint32_t nodes = 1;
  std::uint32_t pes_per_node = 1;
  std::uint32_t pes = 0;           // that are used, node after node; 0: all
  double speed = 1;                // of a PE, where 1 is what the trace was recorded on
  std::vector<double> speeds;      // by PE, times `speed`; empty: all alike
  std::vector<double> background;  // part of each PE's time that others take, [0, 1); empty: none
  std::vector<SpeedChange> changes;
  /// By how many PEs of a node compute at a time: how many times as long a burst takes as when one does. The
  /// first is 1; with more PEs than there are numbers, the last. Empty: PEs do not slow each other down.
  std::vector<double> contention;
  double noise = 0;                // standard deviation of a burst's time, in parts of it; drawn from seed
  std::uint64_t memory_bytes = 0;  // of objects on a PE; 0: no limit
  Level pe, node, network;
  Links links;
  double switch_ns = 0;  // from a rank to another
  MoveCosts moves;
  /// By strategy, what a decision takes: for each object, PE and edge; and beside, however few these are.
  std::map<std::string, double> decision_element_ns, decision_ns;
  TogetherCosts together;

  std::uint32_t pe_count() const { return pes ? pes : nodes * pes_per_node; }
  std::uint32_t node_of(PeIndex index) const { return index / pes_per_node; }
};

/// The text names the platform, the member and the value at fault, and what it may be.
struct PlatformError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A file, or the name of one that comes with Skein ("paraplui"). Throws PlatformError.
Platform load_platform(const std::string& path_or_name);
Platform parse_platform(const std::string& json, const std::string& called);
std::string to_json(const Platform& platform);
/// As SimGrid's platform file, with a host for each node, node-0 and so on, and a core for each PE; one flop
/// is what the machine of the trace does in a nanosecond. Only latency and time by the byte of messages are
/// there: what they take of processors, gaps and all that concerns objects are not SimGrid's. Throws
/// PlatformError where that file could not say it.
std::string to_simgrid_xml(const Platform& platform);
std::vector<std::string_view> known_platforms();
/// Throws PlatformError for missing or absurd numbers.
void validate(const Platform& platform);
/// The platform with so many PEs: nodes are added or left out, and the last one may be partly used; a torus
/// or fat tree that has too few nodes, or more than twice as many, gets the shape of the smallest that holds
/// them. PEs that are added are as those without an entry in speeds, background and changes.
Platform with_pes(Platform platform, std::uint32_t pes);
/// For how many PEs that decide together by the strategy (its text) the platform's `together` can be trusted:
/// twice as many as were measured, or any number if that is not said. 1: several cannot decide by it, or the
/// platform does not say for how long. Throws what parse_strategy() does.
std::uint32_t most_deciding(const Platform& platform, std::string_view strategy);

}  // namespace skein::simulate
