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

enum EntityMember { entity_type, entity_id, entity_seq_id, entity_migratable };
inline constexpr JsonMember entity_members[] = {
    {"type", text, true}, {"id", natural}, {"seq_id", natural}, {"migratable", truth, true}};
inline constexpr JsonMember end_members[] = {
    {"type", text, true}, {"id", natural}, {"seq_id", natural}, {"migratable", truth}};
inline constexpr JsonShape entity_shape{entity, entity_members};
inline constexpr JsonShape from_shape{from, end_members};
inline constexpr JsonShape to_shape{to, end_members};

enum SubphaseMember { subphase_id, subphase_time };
inline constexpr JsonMember subphase_members[] = {{"id", natural, true}, {"time", number, true}};
inline constexpr JsonShape subphase_shape{subphase, subphase_members};
inline constexpr JsonMember subphases_members[] = {{"", object, false, &subphase_shape}};
inline constexpr JsonShape subphases_shape{subphases, subphases_members};

enum UserDefinedMember { user_serialized_bytes, user_footprint_bytes };
inline constexpr JsonMember user_defined_members[] = {{serialized_bytes, number}, {footprint_bytes, number}};
inline constexpr JsonShape user_defined_shape{user_defined, user_defined_members};

enum AttributesMember {
  attr_speed,
  attr_node,
  attr_topology,
  attr_topology_latency,
  attr_topology_byte_time,
  attr_memory,
  attr_splittable,
  attr_position,
  attr_counters = attr_position + 3
};
inline constexpr JsonMember attributes_members[] = {{speed, number},
                                                    {node, natural},
                                                    {topology, text},
                                                    {topology_latency, text},
                                                    {topology_byte_time, text},
                                                    {memory, natural},
                                                    {splittable, natural},
                                                    {position[0], number},
                                                    {position[1], number},
                                                    {position[2], number},
                                                    {counters[0], number},
                                                    {counters[1], number},
                                                    {counters[2], number},
                                                    {counters[3], number},
                                                    {counters[4], number},
                                                    {counters[5], number},
                                                    {counters[6], number},
                                                    {counters[7], number}};
inline constexpr JsonShape attributes_shape{attributes, attributes_members};

enum TaskMember { task_node, task_time };
inline constexpr JsonMember task_members[] = {{"node", natural, true},
                                              {"time", number, true},
                                              {"entity", object, true, &entity_shape},
                                              {"subphases", array, false, &subphases_shape},
                                              {"user_defined", object, false, &user_defined_shape},
                                              {"attributes", object, false, &attributes_shape}};
inline constexpr JsonShape task_shape{task, task_members};
inline constexpr JsonMember tasks_members[] = {{"", object, false, &task_shape}};
inline constexpr JsonShape tasks_shape{tasks, tasks_members};

enum CommunicationMember { communication_type, communication_bytes, communication_messages };
inline constexpr JsonMember communication_members[] = {{"type", text, true},
                                                       {"bytes", number, true},
                                                       {"messages", natural, true},
                                                       {"from", object, true, &from_shape},
                                                       {"to", object, true, &to_shape}};
inline constexpr JsonShape communication_shape{communication, communication_members};
inline constexpr JsonMember communications_members[] = {{"", object, false, &communication_shape}};
inline constexpr JsonShape communications_shape{communications, communications_members};

inline constexpr JsonMember hyperedge_objects_members[] = {{"", natural}};
inline constexpr JsonShape hyperedge_objects_shape{hyperedge_objects, hyperedge_objects_members};
enum HyperedgeMember { hyperedge_bytes };
inline constexpr JsonMember hyperedge_members[] = {{"bytes", number, true},
                                                   {"objects", array, true, &hyperedge_objects_shape}};
inline constexpr JsonShape hyperedge_shape{hyperedge, hyperedge_members};
inline constexpr JsonMember hyperedge_list_members[] = {{"", object, false, &hyperedge_shape}};
inline constexpr JsonShape hyperedge_list_shape{hyperedge_list, hyperedge_list_members};

enum PhaseUserDefinedMember { phase_interval_s, phase_interval_points };
inline constexpr JsonMember phase_user_defined_members[] = {
    {interval_s, number}, {interval_points, natural}, {hyperedges, array, false, &hyperedge_list_shape}};
inline constexpr JsonShape phase_user_defined_shape{phase_user_defined, phase_user_defined_members};

enum PhaseMember { phase_id };
inline constexpr JsonMember phase_members[] = {{"id", natural, true},
                                               {"tasks", array, true, &tasks_shape},
                                               {"communications", array, false, &communications_shape},
                                               {"user_defined", object, false, &phase_user_defined_shape}};
inline constexpr JsonShape phase_shape{phase, phase_members};
inline constexpr JsonMember phases_members[] = {{"", object, false, &phase_shape}};
inline constexpr JsonShape phases_shape{phases, phases_members};

inline constexpr JsonMember number_list_members[] = {{"", natural}};
inline constexpr JsonShape number_list_shape{number_list, number_list_members};
inline constexpr JsonShape range_shape{range, number_list_members};
inline constexpr JsonMember range_list_members[] = {{"", array, false, &range_shape}};
inline constexpr JsonShape range_list_shape{range_list, range_list_members};
inline constexpr JsonMember identical_members[] = {{"list", array, true, &number_list_shape},
                                                   {"range", array, true, &range_list_shape}};
inline constexpr JsonShape identical_shape{identical, identical_members};
inline constexpr JsonMember phases_told_members[] = {
    {"identical_to_previous", object, false, &identical_shape}};
inline constexpr JsonShape phases_told_shape{phases_told, phases_told_members};

enum SharedNodeMember { shared_node_id };
inline constexpr JsonMember shared_node_members[] = {{"id", natural, true}};
inline constexpr JsonShape shared_node_shape{shared_node, shared_node_members};

enum MetadataMember { metadata_type, metadata_rank };
inline constexpr JsonMember metadata_members[] = {{"type", text},
                                                  {"rank", natural},
                                                  {"shared_node", object, false, &shared_node_shape},
                                                  {"phases", object, false, &phases_told_shape}};
inline constexpr JsonShape metadata_shape{metadata, metadata_members};

enum RootMember { root_type };
inline constexpr JsonMember root_members[] = {
    {"type", text}, {"phases", array, true, &phases_shape}, {"metadata", object, false, &metadata_shape}};
inline constexpr JsonShape root_shape{root, root_members};

}  // namespace skein::lb::vt
