// SPDX-License-Identifier: Apache-2.0
// Names shared by the reader and the writer of vt's load data. Data without a name in vt stands as scalars in
// the free members of its schema, `attributes` and `user_defined`. vt keeps such scalars when it reads and
// writes a file.
#pragma once
namespace skein::lb::vt {

/// Members of a task's user_defined; these are vt's own.
inline constexpr char kSerializedBytes[] = "task_serialized_bytes";  // the bytes that a move transfers
inline constexpr char kFootprintBytes[] = "task_footprint_bytes";    // read if the former is missing
/// The id of the shared block that the object reads.
inline constexpr char kBlock[] = "shared_id";
inline constexpr double kReadsNoBlock = -1;  // as shared_id
inline constexpr char kBlockBytes[] = "shared_bytes";
inline constexpr char kBlockHome[] = "home_rank";  // a PE

/// Members of the attributes of an object's task.
inline constexpr const char* kPosition[] = {"skein_x", "skein_y", "skein_z"};
inline constexpr const char* kCounters[] = {"skein_counter_0", "skein_counter_1", "skein_counter_2",
                                            "skein_counter_3", "skein_counter_4", "skein_counter_5",
                                            "skein_counter_6", "skein_counter_7"};

inline constexpr char kSplittable[] = "skein_splittable";  // 1: parts can be split off, 0: not
inline constexpr char kLevel[] = "skein_level";            // levels run one after another

/// Members of the attributes of a task that describes a PE; its time is the background load.
inline constexpr char kSpeed[] = "skein_pe_speed";
inline constexpr char kNode[] = "skein_pe_node";
/// "0/2/5": the vertices of the topology tree from the root to the PE's.
inline constexpr char kTopology[] = "skein_pe_topology";
/// "2e-06/5e-07/0": the cost of messages that pass these vertices, seconds each and seconds a byte.
inline constexpr char kTopologyLatency[] = "skein_pe_topology_latency";
inline constexpr char kTopologyByteTime[] = "skein_pe_topology_byte_time";
inline constexpr char kMemory[] = "skein_pe_memory_bytes";  // the limit of its objects

/// Members of a phase's user_defined: the length of its interval.
inline constexpr char kIntervalS[] = "skein_interval_s";
inline constexpr char kIntervalPoints[] = "skein_interval_points";  // sync points
/// An array of {"bytes":8.0,"objects":[3,5]} in user_defined, objects by their ids; vt ignores it.
inline constexpr char kHyperedges[] = "skein_hyperedges";

/// The collection of all objects in the file: vt requires one for each object that may move.
inline constexpr unsigned kCollection = 7;
/// Returns the id of the task that describes a PE: above those of objects, exact in a double, and with the
/// lowest two bits by which vt recognises objects that never move (bare handlers).
constexpr unsigned long long pe_task_id(unsigned long long pe) { return (1ull << 52) + 4 * pe + 1; }

}  // namespace skein::lb::vt
