// SPDX-License-Identifier: Apache-2.0
// Builds the snapshot of a phase from tasks and communications, which come in any order and from several
// files.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lb/files/json_reader.hpp"
#include "lb/files/vt_names.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::lb {

/// The place of a record in its file, for errors that are found only after all files have been read.
struct FilePlace {
  std::uint32_t file = 0;
  std::uint32_t phase = 0;  // its index in the file's array
  std::uint64_t index = 0;  // in the phase's array of tasks or communications
};

/// A shared block, as a task that reads it describes it.
struct BlockRecord {
  std::uint64_t id = 0;
  std::uint64_t bytes = 0;
  std::optional<PeIndex> home;  // without one: the PE of the first task that reads it

  friend bool operator==(const BlockRecord&, const BlockRecord&) = default;
};

struct TaskRecord {
  std::uint64_t id = 0;
  std::uint64_t pe = 0;
  double time = 0;
  std::uint64_t bytes = 0;
  bool migratable = true;
  std::optional<std::array<float, 3>> position;
  struct Subphase {
    std::uint64_t id;
    float time;
  };
  std::vector<Subphase> subphases;
  std::vector<float> counters;
  std::optional<bool> splittable;
  std::int32_t level = kNoLevel;
  std::optional<BlockRecord> block;
};

/// The task that describes a PE.
struct PeRecord {
  std::uint64_t pe = 0;
  double background_s = 0;
  std::optional<double> speed;
  std::optional<std::uint32_t> node;
  std::string topology;            // the way from the root, empty if unknown
  std::string latency, byte_time;  // along that way, empty if unknown
  std::optional<std::uint64_t> memory_bytes;
};

/// A communication; objects by their ids.
struct EdgeRecord {
  std::uint64_t from, to;
  double bytes;
  std::uint32_t messages;
};
struct HyperedgeRecord {
  std::vector<std::uint64_t> objects;
  double bytes;
};

class PhaseBuilder {
 public:
  /// The functions that add throw JsonFault, whose member is relative to the task or communication.
  void add_task(const TaskRecord& task, FilePlace place);
  void add_pe(const PeRecord& pe, FilePlace place);
  void add_edge(const EdgeRecord& edge) { edges_.push_back(edge); }
  void add_hyperedge(HyperedgeRecord hyperedge, FilePlace place) {
    hyperedges_.emplace_back(std::move(hyperedge), place);
  }
  /// Records that the phase has an array of hyperedges, perhaps an empty one.
  void record_hypergraph() { has_hypergraph_ = true; }
  /// Records that the phase has an array of communications, perhaps an empty one.
  void record_graph() { has_graph_ = true; }
  /// Records the interval's length (0: not known). The largest of the lengths in all PEs' files counts.
  void record_interval(double seconds, std::uint64_t points) {
    snapshot_.interval_s = std::max(snapshot_.interval_s, seconds);
    snapshot_.interval_points = std::max(snapshot_.interval_points, points);
  }
  /// Records that the PE exists.
  void record_pe(std::uint64_t pe) { pe_count_ = std::max(pe_count_, pe + 1); }
  void record_node(std::uint64_t pe, std::uint32_t node) { nodes_.push_back({pe, node}); }

  std::uint64_t pe_count() const { return pe_count_; }
  std::size_t records() const { return places_.size() + pes_.size(); }

  /// Builds the snapshot, with at least pe_count() PEs; to be called once. Calls `fail`, which must not
  /// return, with a place, the name of its array ("tasks") and the fault.
  using Fail = std::function<void(const FilePlace&, const char* array, const std::string& what)>;
  Snapshot finish(std::size_t pe_count, const Fail& fail);
  /// Returns, after finish(), the number of communications that were left out since an object is in no task
  /// of the phase. vt writes some for objects that had left when the phase ended.
  std::uint64_t lost_communications() const { return lost_communications_; }

 private:
  struct TaskSubphase {
    ObjectIndex object;
    TaskRecord::Subphase subphase;
  };

  void finish_positions(Objects& objects, const Fail& fail);
  void finish_subphases(Objects& objects, const Fail& fail);
  void finish_counters(Objects& objects);
  void finish_splittable(Objects& objects);
  void finish_levels(Objects& objects);
  void finish_blocks(const Fail& fail);
  void finish_graph();
  void finish_hypergraph(const Fail& fail);
  void finish_pes(Pes& pes) const;
  void finish_topology(Topology& topology, std::size_t pe_count, const Fail& fail) const;
  void finish_costs(Topology& topology, const PeRecord& record, std::span<const std::uint32_t> way,
                    const std::function<void(const std::string&)>& fail) const;

  Snapshot snapshot_;
  std::unordered_map<std::uint64_t, ObjectIndex> index_of_;
  std::vector<FilePlace> places_;  // by object
  std::vector<std::optional<std::array<float, 3>>> positions_;
  std::vector<TaskSubphase> subphases_;
  struct Counter {
    ObjectIndex object;
    std::uint32_t counter;
    float value;
  };
  std::vector<Counter> counters_;
  std::vector<bool> splittable_;  // by object
  bool has_splittable_ = false;
  std::vector<std::int32_t> levels_;                // by object
  std::vector<std::optional<BlockRecord>> blocks_;  // by object
  std::vector<EdgeRecord> edges_;
  std::vector<std::pair<HyperedgeRecord, FilePlace>> hyperedges_;
  std::vector<std::pair<PeRecord, FilePlace>> pes_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> nodes_;
  std::uint64_t pe_count_ = 0;
  std::uint64_t lost_communications_ = 0;
  bool has_graph_ = false;
  bool has_hypergraph_ = false;
};

}  // namespace skein::lb
