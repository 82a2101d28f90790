// SPDX-License-Identifier: Apache-2.0
// Takes one file of vt's load data from the JSON reader: collects the content of a phase until the phase ends
// and its id is known.
#pragma once
#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lb/files/json_reader.hpp"
#include "lb/files/phase_builder.hpp"

namespace skein::lb {

/// The content of one file, besides its phases.
struct VtFileFacts {
  std::optional<std::uint64_t> rank;
  std::optional<std::uint32_t> node;  // of that rank
  std::vector<std::pair<std::uint64_t, std::uint64_t>> identical;
  std::uint64_t ignored_communications = 0;
  std::unordered_set<std::uint64_t> phases;
};

class VtHandler : public JsonHandler {
 public:
  /// `builder_of` gives the builder of the phase with that id; `file` numbers this file.
  VtHandler(std::uint32_t file, std::function<PhaseBuilder&(std::uint64_t id)> builder_of)
      : builder_of_(std::move(builder_of)) {
    place_.file = file;
  }

  void begin(int kind) override;
  void end(int kind, std::span<JsonValue> values) override;
  const VtFileFacts& facts() const { return facts_; }

 private:
  struct Task {
    TaskRecord object;
    std::optional<PeRecord> pe;  // set: the task is a PE and no object
  };

  void end_hyperedge_objects(std::span<JsonValue> values);
  void end_hyperedge(std::span<JsonValue> values);
  void end_entity(std::span<JsonValue> values);
  void end_subphase(std::span<JsonValue> values);
  void end_user_defined(std::span<JsonValue> values);
  void end_attributes(std::span<JsonValue> values);
  void end_task(std::span<JsonValue> values);
  void end_communication(std::span<JsonValue> values);
  void end_phase_user_defined(std::span<JsonValue> values);
  void end_phase(std::span<JsonValue> values);
  void end_range(std::span<JsonValue> values);

  std::function<PhaseBuilder&(std::uint64_t id)> builder_of_;
  VtFileFacts facts_;
  FilePlace place_;  // of the phase

  Task task_;  // the one that is being read
  struct {
    bool is_object;
    std::uint64_t id;
  } from_{}, to_{};
  std::vector<Task> tasks_;  // of the phase that is being read
  std::vector<EdgeRecord> communications_;
  bool has_communications_ = false;
  HyperedgeRecord joined_;  // the hyperedge that is being read
  std::vector<HyperedgeRecord> hyperedges_;
  bool has_hyperedges_ = false;
  double interval_s_ = 0;
  std::uint64_t interval_points_ = 0;
};

}  // namespace skein::lb
