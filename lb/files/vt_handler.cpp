// SPDX-License-Identifier: Apache-2.0
#include "lb/files/vt_handler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lb/files/vt_shapes.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::lb {
namespace {

constexpr double kMostBytes = 0x1p63;
constexpr double kMostFloat = std::numeric_limits<float>::max();
constexpr double kMostDouble = std::numeric_limits<double>::max();
/// A first limit, far above any machine, before VtReader knows how much the files list.
constexpr std::uint64_t kMostPes = 1 << 24;

bool given(const JsonValue& value) { return value.index() != 0; }
std::uint64_t natural_of(const JsonValue& value) { return std::get<std::uint64_t>(value); }
double number_of(const JsonValue& value) { return std::get<double>(value); }
const std::string& text_of(const JsonValue& value) { return std::get<std::string>(value); }

[[noreturn]] void reject(const std::string& member, double value, const std::string& must) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  throw JsonFault{member, std::string("is ") + text + "; it must " + must};
}

/// Returns the number; rejects a negative one and one beyond `most`.
double amount_of(const JsonValue& value, double most, const std::string& member) {
  const double amount = number_of(value);
  if (!(amount >= 0 && amount <= most)) reject(member, amount, "be finite and not negative");
  return amount;
}

/// Returns a whole number below `limit`. vt writes all user-defined numbers of an object with a point.
std::uint64_t whole_of(const JsonValue& value, double limit, const std::string& member) {
  const double whole = number_of(value);
  if (!(whole >= 0 && whole < limit && whole == std::floor(whole)))
    reject(member, whole, "be a whole number from 0 to below " + std::to_string(std::uint64_t(limit)));
  return static_cast<std::uint64_t>(whole);
}

std::uint64_t below(const JsonValue& value, std::uint64_t limit, const std::string& member) {
  const std::uint64_t number = natural_of(value);
  if (number >= limit)
    throw JsonFault{member, "is " + std::to_string(number) + "; it must be below " + std::to_string(limit)};
  return number;
}

void require_type(const JsonValue& type) {
  if (given(type) && text_of(type) != "LBDatafile")
    throw JsonFault{"type", "is '" + text_of(type) + "'; only load data is read, an 'LBDatafile'"};
}

std::uint64_t id_of(std::span<JsonValue> values) {
  using namespace vt;
  if (given(values[entity_id])) return natural_of(values[entity_id]);
  if (given(values[entity_seq_id])) return natural_of(values[entity_seq_id]);
  throw JsonFault{"", "has neither 'id' nor 'seq_id'"};
}

/// Checks that the type is a name of vt's elm::CommCategory.
void require_communication(const std::string& type) {
  constexpr std::string_view known[] = {"SendRecv",
                                        "CollectionToNode",
                                        "NodeToCollection",
                                        "Broadcast",
                                        "CollectionToNodeBcast",
                                        "NodeToCollectionBcast",
                                        "CollectiveToCollectionBcast",
                                        "LocalInvoke",
                                        "ReadOnlyShared",
                                        "WriteShared"};
  if (std::ranges::find(known, type) != std::end(known)) return;
  throw JsonFault{"type", "is '" + type + "', which is none of vt's" + valid_names(type, known)};
}

}  // namespace

void VtHandler::begin(int kind) {
  switch (kind) {
    case vt::phase:
      tasks_.clear();
      communications_.clear();
      has_communications_ = false;
      hyperedges_.clear();
      has_hyperedges_ = false;
      interval_s_ = 0;
      interval_points_ = 0;
      break;
    case vt::hyperedge_list:
      has_hyperedges_ = true;
      break;
    case vt::hyperedge:
      joined_ = {};
      break;
    case vt::task:
      task_ = {};
      break;
    case vt::communications:
      has_communications_ = true;
      break;
  }
}

void VtHandler::end(int kind, std::span<JsonValue> values) {
  switch (kind) {
    case vt::root:
      return require_type(values[vt::root_type]);
    case vt::metadata:
      require_type(values[vt::metadata_type]);
      if (given(values[vt::metadata_rank])) facts_.rank = below(values[vt::metadata_rank], kMostPes, "rank");
      return;
    case vt::shared_node:
      facts_.node = static_cast<std::uint32_t>(below(values[vt::shared_node_id], kMostPes, "id"));
      return;
    case vt::number_list:
      for (const JsonValue& value : values)
        facts_.identical.emplace_back(natural_of(value), natural_of(value));
      return;
    case vt::range:
      return end_range(values);
    case vt::entity:
      return end_entity(values);
    case vt::subphase:
      return end_subphase(values);
    case vt::user_defined:
      return end_user_defined(values);
    case vt::attributes:
      return end_attributes(values);
    case vt::task:
      return end_task(values);
    case vt::from:
      from_ = {text_of(values[vt::entity_type]) == "object", id_of(values)};
      return;
    case vt::to:
      to_ = {text_of(values[vt::entity_type]) == "object", id_of(values)};
      return;
    case vt::communication:
      return end_communication(values);
    case vt::hyperedge_objects:
      return end_hyperedge_objects(values);
    case vt::hyperedge:
      return end_hyperedge(values);
    case vt::phase_user_defined:
      return end_phase_user_defined(values);
    case vt::phase:
      return end_phase(values);
  }
}

void VtHandler::end_range(std::span<JsonValue> values) {
  if (values.size() != 2 || natural_of(values[0]) > natural_of(values[1]))
    throw JsonFault{"", "is no range: two numbers, the first and the last phase"};
  facts_.identical.emplace_back(natural_of(values[0]), natural_of(values[1]));
}

void VtHandler::end_entity(std::span<JsonValue> values) {
  if (text_of(values[vt::entity_type]) != "object")
    throw JsonFault{"type", "is '" + text_of(values[vt::entity_type]) + "'; tasks are of type 'object'"};
  task_.object.id = id_of(values);
  task_.object.migratable = std::get<bool>(values[vt::entity_migratable]);
}

void VtHandler::end_subphase(std::span<JsonValue> values) {
  const auto time = static_cast<float>(amount_of(values[vt::subphase_time], kMostFloat, "time"));
  task_.object.subphases.push_back({natural_of(values[vt::subphase_id]), time});
}

void VtHandler::end_user_defined(std::span<JsonValue> values) {
  for (const int member : {vt::user_footprint_bytes, vt::user_serialized_bytes}) {
    if (!given(values[member])) continue;
    const double bytes =
        amount_of(values[member], kMostBytes, std::string(vt::kUserDefinedMembers[member].name));
    task_.object.bytes = static_cast<std::uint64_t>(bytes);
  }
  if (!given(values[vt::user_block]) || number_of(values[vt::user_block]) == vt::kReadsNoBlock) return;
  BlockRecord& block = task_.object.block.emplace();
  block.id = whole_of(values[vt::user_block], 0x1p53, vt::kBlock);
  if (given(values[vt::user_block_bytes]))
    block.bytes =
        static_cast<std::uint64_t>(amount_of(values[vt::user_block_bytes], kMostBytes, vt::kBlockBytes));
  if (given(values[vt::user_block_home]))
    block.home = static_cast<PeIndex>(
        whole_of(values[vt::user_block_home], static_cast<double>(kMostPes), vt::kBlockHome));
}

void VtHandler::end_attributes(std::span<JsonValue> values) {
  if (given(values[vt::attr_splittable]))
    task_.object.splittable = below(values[vt::attr_splittable], 2, vt::kSplittable) == 1;
  if (given(values[vt::attr_level]))
    task_.object.level =
        static_cast<std::int32_t>(below(values[vt::attr_level], std::uint64_t{1} << 31, vt::kLevel));
  constexpr int of_pe[] = {vt::attr_speed, vt::attr_node, vt::attr_topology, vt::attr_memory};
  if (std::ranges::any_of(of_pe, [&](int member) { return given(values[member]); })) {
    PeRecord& pe = task_.pe.emplace();
    if (given(values[vt::attr_speed])) {
      pe.speed = number_of(values[vt::attr_speed]);
      if (!(*pe.speed > 0)) reject(vt::kSpeed, *pe.speed, "be positive");
    }
    if (given(values[vt::attr_node]))
      pe.node = static_cast<std::uint32_t>(below(values[vt::attr_node], kMostPes, vt::kNode));
    if (given(values[vt::attr_topology])) pe.topology = text_of(values[vt::attr_topology]);
    if (given(values[vt::attr_topology_latency])) pe.latency = text_of(values[vt::attr_topology_latency]);
    if (given(values[vt::attr_topology_byte_time]))
      pe.byte_time = text_of(values[vt::attr_topology_byte_time]);
    if (given(values[vt::attr_memory])) pe.memory_bytes = natural_of(values[vt::attr_memory]);
  }
  std::array<float, 3> position{};
  for (std::size_t side = 0; side < 3; ++side) {
    const JsonValue& value = values[vt::attr_position + side];
    if (!given(value)) continue;
    const double x = number_of(value);
    if (!(std::abs(x) <= kMostFloat)) reject(vt::kPosition[side], x, "be finite in single precision");
    position[side] = static_cast<float>(x);
    task_.object.position = position;
  }
  for (std::size_t c = 0; c < std::size(vt::kCounters); ++c) {
    const JsonValue& value = values[vt::attr_counters + c];
    if (!given(value)) continue;
    task_.object.counters.resize(c + 1, 0);
    task_.object.counters[c] = static_cast<float>(amount_of(value, kMostFloat, vt::kCounters[c]));
  }
}

void VtHandler::end_task(std::span<JsonValue> values) {
  const std::uint64_t pe = below(values[vt::task_node], kMostPes, "node");
  const double time = amount_of(values[vt::task_time], kMostDouble, "time");
  task_.object.pe = pe;
  task_.object.time = time;
  if (task_.pe) {
    task_.pe->pe = pe;
    task_.pe->background_s = time;
  }
  tasks_.push_back(std::move(task_));
}

void VtHandler::end_communication(std::span<JsonValue> values) {
  require_communication(text_of(values[vt::communication_type]));
  const double bytes = amount_of(values[vt::communication_bytes], kMostFloat, "bytes");
  const std::uint64_t messages =
      below(values[vt::communication_messages], std::numeric_limits<std::uint32_t>::max(), "messages");
  if (from_.is_object && to_.is_object)
    communications_.push_back({from_.id, to_.id, bytes, static_cast<std::uint32_t>(messages)});
  else
    ++facts_.ignored_communications;
}

void VtHandler::end_hyperedge_objects(std::span<JsonValue> values) {
  for (const JsonValue& value : values) joined_.objects.push_back(natural_of(value));
}

void VtHandler::end_hyperedge(std::span<JsonValue> values) {
  joined_.bytes = amount_of(values[vt::hyperedge_bytes], kMostFloat, "bytes");
  hyperedges_.push_back(std::move(joined_));
}

void VtHandler::end_phase_user_defined(std::span<JsonValue> values) {
  if (given(values[vt::phase_interval_s]))
    interval_s_ = amount_of(values[vt::phase_interval_s], kMostDouble, vt::kIntervalS);
  if (given(values[vt::phase_interval_points]))
    interval_points_ = natural_of(values[vt::phase_interval_points]);
}

void VtHandler::end_phase(std::span<JsonValue> values) {
  const std::uint64_t id = natural_of(values[vt::phase_id]);
  if (!facts_.phases.insert(id).second)
    throw JsonFault{"id", "is " + std::to_string(id) + ", which another phase of the file has already"};
  PhaseBuilder& builder = builder_of_(id);
  for (place_.index = 0; place_.index < tasks_.size(); ++place_.index) {
    const Task& task = tasks_[place_.index];
    try {
      if (task.pe)
        builder.add_pe(*task.pe, place_);
      else
        builder.add_task(task.object, place_);
    } catch (const JsonFault& fault) {
      const std::string member = "tasks/" + std::to_string(place_.index);
      throw JsonFault{fault.member.empty() ? member : member + "/" + fault.member, fault.what};
    }
  }
  builder.record_interval(interval_s_, interval_points_);
  if (has_hyperedges_) builder.record_hypergraph();
  for (place_.index = 0; place_.index < hyperedges_.size(); ++place_.index)
    builder.add_hyperedge(std::move(hyperedges_[place_.index]), place_);
  if (has_communications_) builder.record_graph();
  for (const EdgeRecord& each : communications_) builder.add_edge(each);
  ++place_.phase;
}

}  // namespace skein::lb
