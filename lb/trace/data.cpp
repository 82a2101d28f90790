// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/data.hpp"

#include <algorithm>
#include <numeric>

namespace skein::trace {
namespace {

std::string place(const std::string& called, ObjectIndex object) {
  return called + ": object " + std::to_string(object);
}

bool same(const Communicator& a, const Communicator& b) {
  return a.id == b.id && a.members == b.members && a.others == b.others;
}

void check_members(const std::vector<ObjectIndex>& members, std::uint32_t id, std::size_t objects,
                   const std::string& called) {
  for (const ObjectIndex member : members)
    if (member >= objects)
      throw TraceError(called + ": communicator " + std::to_string(id) + " has the member " +
                       std::to_string(member) + ", but there are " + std::to_string(objects) + " objects");
}

}  // namespace

bool names_communicator(EventKind kind) {
  switch (kind) {
    case EventKind::send:
    case EventKind::receive:
    case EventKind::matched:
    case EventKind::probe:
    case EventKind::collective:
      return true;
    default:
      return false;
  }
}

bool tag_is_name(EventKind kind) { return kind == EventKind::execute || kind == EventKind::call; }

bool list_is_name(EventKind kind) { return kind == EventKind::region_begin || kind == EventKind::region_end; }

Communicator world(std::size_t objects) {
  Communicator all;
  all.members.resize(objects);
  std::iota(all.members.begin(), all.members.end(), 0u);
  return all;
}

const Communicator* find_communicator(const Trace::Data& data, std::uint32_t id) {
  const auto found =
      std::lower_bound(data.communicators.begin(), data.communicators.end(), id,
                       [](const Communicator& c, std::uint32_t wanted) { return c.id < wanted; });
  return found != data.communicators.end() && found->id == id ? &*found : nullptr;
}

void order_communicators(Trace::Data& data, const std::string& called) {
  auto& all = data.communicators;
  all.insert(all.begin(), world(data.streams.size()));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  for (std::size_t k = 1; k < all.size(); ++k)
    if (all[k].id == all[k - 1].id && !same(all[k], all[k - 1]))
      throw TraceError(called + ": communicator " + std::to_string(all[k].id) +
                       (all[k].id ? " is defined twice, with different members; give each its own id"
                                  : " is the world of all objects and cannot be another"));
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  for (const Communicator& one : all) {
    check_members(one.members, one.id, data.streams.size(), called);
    check_members(one.others, one.id, data.streams.size(), called);
  }
}

void check_shapes(const Trace::Data& data, const Chunk& chunk, ObjectIndex object,
                  const std::string& called) {
  const auto fail = [&](const std::string& because) {
    throw TraceError(place(called, object) + ": " + because);
  };
  const auto check_name = [&](std::uint64_t name, const char* of) {
    if (name >= data.names.size())
      fail(std::string(of) + " has the name no. " + std::to_string(name) + ", but there are " +
           std::to_string(data.names.size()));
  };
  for (const Shape& shape : chunk.shapes) {
    if (shape.partner < kAny ||
        (shape.partner != kAny && static_cast<std::size_t>(shape.partner) >= data.streams.size()))
      fail("an event with object " + std::to_string(shape.partner) + ", but there are " +
           std::to_string(data.streams.size()));
    if (names_communicator(shape.kind) && !find_communicator(data, shape.communicator))
      fail("an event of communicator " + std::to_string(shape.communicator) + ", which is defined nowhere");
    if (tag_is_name(shape.kind)) check_name(static_cast<std::uint64_t>(shape.tag), "an entry method");
    if (list_is_name(shape.kind)) {
      if (shape.list_size != 1) fail("a region has no name");
      check_name(chunk.lists[shape.list_begin], "a region");
    }
  }
}

void sum_up(Trace::Data& data) {
  data.memory = sizeof(Trace::Data) + data.streams.capacity() * sizeof(Stream);
  for (Stream& stream : data.streams) {
    stream.chunks.shrink_to_fit();
    stream.events = 0;
    for (const Chunk& chunk : stream.chunks) {
      stream.events += chunk.events;
      data.memory += sizeof(Chunk) + chunk.memory_bytes();
    }
  }
  for (const Communicator& one : data.communicators)
    data.memory += sizeof one + (one.members.capacity() + one.others.capacity()) * sizeof(ObjectIndex);
}

}  // namespace skein::trace
