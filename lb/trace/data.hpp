// SPDX-License-Identifier: Apache-2.0
// The data of a Trace.
#pragma once
#include <string>
#include <vector>

#include "lb/trace/chunk.hpp"
#include "skein/lb/trace.hpp"

namespace skein::trace {

struct Stream {
  std::vector<Chunk> chunks;
  std::uint64_t events = 0;
};

struct Trace::Data {
  Header header;
  std::vector<Communicator> communicators;  // rising ids, the world first
  std::vector<std::string> names;
  std::vector<RecordedStep> steps;
  bool complete = true;
  std::vector<Stream> streams;  // by object
  std::size_t memory = 0;
};

Communicator world(std::size_t objects);
/// Returns the communicator, or null if there is none with this id.
const Communicator* find_communicator(const Trace::Data& data, std::uint32_t id);
/// Sorts the communicators, joins equal ones and puts the world before them. `called` names the file in
/// messages. Throws TraceError if an id is used twice or a member does not exist.
void order_communicators(Trace::Data& data, const std::string& called);
/// Throws TraceError if a shape names an object, communicator or name that does not exist.
void check_shapes(const Trace::Data& data, const Chunk& chunk, ObjectIndex object, const std::string& called);
/// Completes the data: counts events and memory.
void sum_up(Trace::Data& data);
/// Return true if events of this kind name a communicator of ranks, a name in `tag`, or a name in their list.
bool names_communicator(EventKind kind);
bool tag_is_name(EventKind kind);
bool list_is_name(EventKind kind);

}  // namespace skein::trace
