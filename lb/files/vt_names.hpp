// SPDX-License-Identifier: Apache-2.0
// Names that reader and writer of vt's load data share: what vt has no word for stands in the free members
// that its schema provides, `attributes` and `user_defined`, as scalars, which vt keeps when it reads and
// writes a file.
#pragma once
namespace skein::lb::vt {

/// In user_defined of a task; these are vt's own.
inline constexpr char kSerializedBytes[] = "task_serialized_bytes";  // what moving the object transfers
inline constexpr char kFootprintBytes[] = "task_footprint_bytes";    // read where the former is not given
/// The shared block that the object reads.
inline constexpr char kBlock[] = "shared_id";
inline constexpr double kReadsNoBlock = -1;  // there
inline constexpr char kBlockBytes[] = "shared_bytes";
inline constexpr char kBlockHome[] = "home_rank";  // a PE

/// In attributes of an object's task.
inline constexpr const char* kPosition[] = {"skein_x", "skein_y", "skein_z"};
inline constexpr const char* kCounters[] = {"skein_counter_0", "skein_counter_1", "skein_counter_2",
                                            "skein_counter_3", "skein_counter_4", "skein_counter_5",
                                            "skein_counter_6", "skein_counter_7"};

inline constexpr char kSplittable[] = "skein_splittable";  // 1: parts can be split off, 0: not
inline constexpr char kLevel[] = "skein_level";            // of those that run one after another

/// In attributes of a task that is no object but tells of its PE; its time is the background load.
inline constexpr char kSpeed[] = "skein_pe_speed";
inline constexpr char kNode[] = "skein_pe_node";
/// "0/2/5": the vertices of the topology tree from the root to the PE's.
inline constexpr char kTopology[] = "skein_pe_topology";
/// "2e-06/5e-07/0": what messages that pass these vertices cost, seconds each and seconds a byte.
inline constexpr char kTopologyLatency[] = "skein_pe_topology_latency";
inline constexpr char kTopologyByteTime[] = "skein_pe_topology_byte_time";
inline constexpr char kMemory[] = "skein_pe_memory_bytes";  // what its objects may hold

/// In user_defined of a phase: the length of its interval.
inline constexpr char kIntervalS[] = "skein_interval_s";
inline constexpr char kIntervalPoints[] = "skein_interval_points";  // sync points
/// An array there, which vt passes over: {"bytes":8.0,"objects":[3,5]}, objects by their ids.
inline constexpr char kHyperedges[] = "skein_hyperedges";

/// The collection that all objects are said to belong to: vt wants one of whatever may move.
inline constexpr unsigned kCollection = 7;
/// The id of the task that tells of a PE: above those of objects, exact in a double, and with the lowest two
/// bits by which vt knows what never moves (a bare handler).
constexpr unsigned long long pe_task_id(unsigned long long pe) { return (1ull << 52) + 4 * pe + 1; }

}  // namespace skein::lb::vt
