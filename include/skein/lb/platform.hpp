// SPDX-License-Identifier: Apache-2.0
// A platform: the machine that a simulation plays on, as a value and as a JSON file.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace skein::simulate {

using PeIndex = std::uint32_t;

// What a message between two PEs takes at one level: inside a PE, a node, the network. After LogGP
// (A. Alexandrov et al., SPAA 1995): a message of n bytes keeps the sender busy for send_ns, the sending side
// of its node for gap_ns + n * byte_ns, arrives latency_ns later, keeps the receiving side of that node as
// long, and the receiver for receive_ns. All are beyond what the same call takes between ranks of one PE,
// which is in the bursts.
struct Level {
  double latency_ns = 0;
  double send_ns = 0;
  double receive_ns = 0;
  double gap_ns = 0;
  double byte_ns = 0;             // of the wire, or of a copy
  std::uint64_t eager_bytes = 0;  // up to this a message leaves without its receiver; 0: as the runtime does
};

enum class NetworkKind : std::uint8_t { flat, torus, fat_tree };

struct Links {
  NetworkKind kind = NetworkKind::flat;
  std::vector<std::uint32_t>
      shape;                      // torus: nodes by dimension; fat tree: down links by level, from the nodes
  std::vector<std::uint32_t> up;  // fat tree: up links by level
  double hop_ns = 0;              // each link that a message passes
  double byte_ns = 0;             // of a link
};

// What moving objects takes.
struct MoveCosts {
  double meeting_ns = 0;         // of an LB step, and per PE's tree level
  double collect_object_ns = 0;  // measuring and gathering, per object of the job
  double object_ns = 0;          // each object that moves, at each end
  double node_byte_ns = 0;       // between PEs of a node (0: slots change hands)
  double network_byte_ns = 0;    // beside what the network takes
};

// When a PE is not as ever: from, until, in ns of the simulated time; factor of its speed, 0: it stands.
struct SpeedChange {
  PeIndex pe = 0;
  std::int64_t from_ns = 0;
  std::int64_t until_ns = 0;  // 0: for good
  double factor = 1;
};

struct Platform {
  std::string name;
  std::uint32_t nodes = 1;
  std::uint32_t pes_per_node = 1;
  double speed = 1;                // of a PE, where 1 is what the trace was recorded on
  std::vector<double> speeds;      // by PE, times `speed`; empty: all alike
  std::vector<double> background;  // part of each PE's time that others take, [0, 1); empty: none
  std::vector<SpeedChange> changes;
  double noise = 0;                // standard deviation of a burst's time, in parts of it; drawn from seed
  std::uint64_t memory_bytes = 0;  // of objects on a PE; 0: no limit
  Level pe, node, network;
  Links links;
  double switch_ns = 0;  // from a rank to another
  MoveCosts moves;
  std::map<std::string, double> decision_element_ns;  // by strategy: decision time per object, PE and edge

  std::uint32_t pe_count() const { return nodes * pes_per_node; }
};

// The text names the platform, the member and the value at fault, and what it may be.
struct PlatformError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// A file, or the name of one that comes with Skein ("paraplui"). Throws PlatformError.
Platform load_platform(const std::string& path_or_name);
Platform parse_platform(const std::string& json, const std::string& called);
std::string to_json(const Platform& platform);
std::vector<std::string> known_platforms();
// Throws PlatformError for missing or absurd numbers.
void validate(const Platform& platform);
// The same with so many PEs: nodes are added or left out, the last one may be partly used.
Platform with_pes(Platform platform, std::uint32_t pes);

}  // namespace skein::simulate
