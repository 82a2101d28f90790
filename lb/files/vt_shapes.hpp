// SPDX-License-Identifier: Apache-2.0
// The members of vt's load data that are read, after vt's scripts/LBDatafile_schema.py. Enumerators number
// the members of a table in its order.
#pragma once
#include "lb/files/json_reader.hpp"
#include "lb/files/vt_names.hpp"

namespace skein::lb::vt {

enum Kind {
  root,
  metadata,
  shared_node,
  phases_told,
  identical,
  range_list,
  range,
  number_list,
  phases,
  phase,
  phase_user_defined,
  hyperedge_list,
  hyperedge,
  hyperedge_objects,
  tasks,
  task,
  entity,
  subphases,
  subphase,
  user_defined,
  attributes,
  communications,
  communication,
  from,
  to,
};

using enum JsonType;

/// The members of an array whose elements are all objects, or arrays, of that shape.
template <const JsonShape& shape, JsonType type = object>
inline constexpr JsonMember kElements[] = {{"", type, false, &shape}};

enum EntityMember { entity_type, entity_id, entity_seq_id, entity_migratable };
inline constexpr JsonMember kEntityMembers[] = {
    {"type", text, true}, {"id", natural}, {"seq_id", natural}, {"migratable", truth, true}};
inline constexpr JsonMember kEndMembers[] = {
    {"type", text, true}, {"id", natural}, {"seq_id", natural}, {"migratable", truth}};
inline constexpr JsonShape kEntityShape{entity, kEntityMembers};
inline constexpr JsonShape kFromShape{from, kEndMembers};
inline constexpr JsonShape kToShape{to, kEndMembers};

enum SubphaseMember { subphase_id, subphase_time };
inline constexpr JsonMember kSubphaseMembers[] = {{"id", natural, true}, {"time", number, true}};
inline constexpr JsonShape kSubphaseShape{subphase, kSubphaseMembers};
inline constexpr JsonShape kSubphasesShape{subphases, kElements<kSubphaseShape>};

enum UserDefinedMember {
  user_serialized_bytes,
  user_footprint_bytes,
  user_block,
  user_block_bytes,
  user_block_home
};
inline constexpr JsonMember kUserDefinedMembers[] = {{kSerializedBytes, number},
                                                     {kFootprintBytes, number},
                                                     {kBlock, number},
                                                     {kBlockBytes, number},
                                                     {kBlockHome, number}};
inline constexpr JsonShape kUserDefinedShape{user_defined, kUserDefinedMembers};

enum AttributesMember {
  attr_speed,
  attr_node,
  attr_topology,
  attr_topology_latency,
  attr_topology_byte_time,
  attr_memory,
  attr_splittable,
  attr_level,
  attr_position,
  attr_counters = attr_position + 3
};
inline constexpr JsonMember kAttributesMembers[] = {
    {kSpeed, number},          {kNode, natural},       {kTopology, text},      {kTopologyLatency, text},
    {kTopologyByteTime, text}, {kMemory, natural},     {kSplittable, natural}, {kLevel, natural},
    {kPosition[0], number},    {kPosition[1], number}, {kPosition[2], number}, {kCounters[0], number},
    {kCounters[1], number},    {kCounters[2], number}, {kCounters[3], number}, {kCounters[4], number},
    {kCounters[5], number},    {kCounters[6], number}, {kCounters[7], number}};
inline constexpr JsonShape kAttributesShape{attributes, kAttributesMembers};

enum TaskMember { task_node, task_time };
inline constexpr JsonMember kTaskMembers[] = {{"node", natural, true},
                                              {"time", number, true},
                                              {"entity", object, true, &kEntityShape},
                                              {"subphases", array, false, &kSubphasesShape},
                                              {"user_defined", object, false, &kUserDefinedShape},
                                              {"attributes", object, false, &kAttributesShape}};
inline constexpr JsonShape kTaskShape{task, kTaskMembers};
inline constexpr JsonShape kTasksShape{tasks, kElements<kTaskShape>};

enum CommunicationMember { communication_type, communication_bytes, communication_messages };
inline constexpr JsonMember kCommunicationMembers[] = {{"type", text, true},
                                                       {"bytes", number, true},
                                                       {"messages", natural, true},
                                                       {"from", object, true, &kFromShape},
                                                       {"to", object, true, &kToShape}};
inline constexpr JsonShape kCommunicationShape{communication, kCommunicationMembers};
inline constexpr JsonShape kCommunicationsShape{communications, kElements<kCommunicationShape>};

inline constexpr JsonMember kHyperedgeObjectsMembers[] = {{"", natural}};
inline constexpr JsonShape kHyperedgeObjectsShape{hyperedge_objects, kHyperedgeObjectsMembers};
enum HyperedgeMember { hyperedge_bytes };
inline constexpr JsonMember kHyperedgeMembers[] = {{"bytes", number, true},
                                                   {"objects", array, true, &kHyperedgeObjectsShape}};
inline constexpr JsonShape kHyperedgeShape{hyperedge, kHyperedgeMembers};
inline constexpr JsonShape kHyperedgeListShape{hyperedge_list, kElements<kHyperedgeShape>};

enum PhaseUserDefinedMember { phase_interval_s, phase_interval_points };
inline constexpr JsonMember kPhaseUserDefinedMembers[] = {
    {kIntervalS, number}, {kIntervalPoints, natural}, {kHyperedges, array, false, &kHyperedgeListShape}};
inline constexpr JsonShape kPhaseUserDefinedShape{phase_user_defined, kPhaseUserDefinedMembers};

enum PhaseMember { phase_id };
inline constexpr JsonMember kPhaseMembers[] = {{"id", natural, true},
                                               {"tasks", array, true, &kTasksShape},
                                               {"communications", array, false, &kCommunicationsShape},
                                               {"user_defined", object, false, &kPhaseUserDefinedShape}};
inline constexpr JsonShape kPhaseShape{phase, kPhaseMembers};
inline constexpr JsonShape kPhasesShape{phases, kElements<kPhaseShape>};

inline constexpr JsonMember kNumberListMembers[] = {{"", natural}};
inline constexpr JsonShape kNumberListShape{number_list, kNumberListMembers};
inline constexpr JsonShape kRangeShape{range, kNumberListMembers};
inline constexpr JsonShape kRangeListShape{range_list, kElements<kRangeShape, array>};
inline constexpr JsonMember kIdenticalMembers[] = {{"list", array, true, &kNumberListShape},
                                                   {"range", array, true, &kRangeListShape}};
inline constexpr JsonShape kIdenticalShape{identical, kIdenticalMembers};
inline constexpr JsonMember kPhasesToldMembers[] = {
    {"identical_to_previous", object, false, &kIdenticalShape}};
inline constexpr JsonShape kPhasesToldShape{phases_told, kPhasesToldMembers};

enum SharedNodeMember { shared_node_id };
inline constexpr JsonMember kSharedNodeMembers[] = {{"id", natural, true}};
inline constexpr JsonShape kSharedNodeShape{shared_node, kSharedNodeMembers};

enum MetadataMember { metadata_type, metadata_rank };
inline constexpr JsonMember kMetadataMembers[] = {{"type", text},
                                                  {"rank", natural},
                                                  {"shared_node", object, false, &kSharedNodeShape},
                                                  {"phases", object, false, &kPhasesToldShape}};
inline constexpr JsonShape kMetadataShape{metadata, kMetadataMembers};

enum RootMember { root_type };
inline constexpr JsonMember kRootMembers[] = {
    {"type", text}, {"phases", array, true, &kPhasesShape}, {"metadata", object, false, &kMetadataShape}};
inline constexpr JsonShape kRootShape{root, kRootMembers};

}  // namespace skein::lb::vt
