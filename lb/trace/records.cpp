// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/records.hpp"

#include "lb/trace/bytes.hpp"

namespace skein::trace {
namespace {

/// Writes members as runs of a first number, a distance and a count, because groups are mostly ranges.
void put_members(ByteWriter& out, const std::vector<ObjectIndex>& members) {
  out.number(members.size());
  for (std::size_t k = 0; k < members.size();) {
    std::size_t end = k + 1;
    const std::int64_t distance = end < members.size() ? std::int64_t{members[end]} - members[k] : 0;
    while (end < members.size() && std::int64_t{members[end]} - members[end - 1] == distance) ++end;
    out.number(members[k]);
    out.signed_number(distance);
    out.number(end - k);
    k = end;
  }
}

std::vector<ObjectIndex> get_members(ByteReader& in, std::size_t objects) {
  const std::uint64_t count = in.number(objects, "the number of members");
  std::vector<ObjectIndex> members;
  while (members.size() < count) {
    std::int64_t member = in.number32("a member");
    const std::int64_t distance = in.signed_number();
    if (distance > INT32_MAX || distance < -std::int64_t{INT32_MAX}) in.fail("members are too far apart");
    const std::uint64_t run = in.number(count - members.size(), "the length of a run of members");
    if (run == 0) in.fail("an empty run of members");
    for (std::uint64_t k = 0; k < run; ++k, member += distance) {
      if (member < 0 || member > INT32_MAX) in.fail("a member is no object");
      members.push_back(static_cast<ObjectIndex>(member));
    }
  }
  return members;
}

void put_texts(ByteWriter& out, const std::vector<std::string>& texts) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> get_texts(ByteReader& in, const char* what) {
  std::vector<std::string> texts(in.count(1, what));
  for (std::string& text : texts) text = in.text();
  return texts;
}

void end(const ByteReader& in) {
  if (!in.left().empty()) in.fail("bytes are left over");
}

}  // namespace

Bytes pack(const Header& header, std::size_t objects) {
  if (objects > kMostObjects || header.pes > kMostPes)
    throw TraceError("a trace has at most " + std::to_string(kMostObjects) +
                     " objects and PEs, but there are " + std::to_string(objects) + " and " +
                     std::to_string(header.pes));
  ByteWriter out;
  out.number(objects);
  out.text(header.program);
  out.text(header.options);
  out.text(header.machine);
  out.byte(static_cast<std::uint8_t>(header.native | header.ends_only << 1));
  out.number(header.pes);
  // The placement mostly consists of blocks of equal PEs.
  out.number(header.placement.size());
  for (std::size_t k = 0; k < header.placement.size();) {
    std::size_t end = k;
    while (end < header.placement.size() && header.placement[end] == header.placement[k]) ++end;
    out.number(header.placement[k]);
    out.number(end - k);
    k = end;
  }
  put_texts(out, header.counters);
  put_texts(out, header.labels);
  return std::move(out.bytes());
}

Header unpack_header(std::span<const std::uint8_t> text, std::size_t& objects, const std::string& called) {
  ByteReader in(text, called);
  Header header;
  objects = in.number(kMostObjects, "the number of objects");
  header.program = in.text();
  header.options = in.text();
  header.machine = in.text();
  const std::uint8_t flags = in.byte();
  if (flags > 3) in.fail("the header has an unknown flag");
  header.native = (flags & 1) != 0;
  header.ends_only = (flags & 2) != 0;
  header.pes = static_cast<std::uint32_t>(in.number(kMostPes, "the number of PEs"));
  const std::uint64_t placed = in.number(objects, "the number of places");
  while (header.placement.size() < placed) {
    const PeIndex pe = in.number32("a PE");
    const std::uint64_t run = in.number(placed - header.placement.size(), "the length of a run of places");
    if (run == 0) in.fail("an empty run of places");
    header.placement.insert(header.placement.end(), run, pe);
  }
  header.counters = get_texts(in, "the number of counters");
  header.labels = get_texts(in, "the number of labels");
  end(in);
  return header;
}

Bytes pack(const Communicator& communicator) {
  ByteWriter out;
  out.number(communicator.id);
  put_members(out, communicator.members);
  put_members(out, communicator.others);
  return std::move(out.bytes());
}

Communicator unpack_communicator(std::span<const std::uint8_t> text, std::size_t objects,
                                 const std::string& called) {
  ByteReader in(text, called);
  Communicator communicator;
  communicator.id = in.number32("the number of a communicator");
  communicator.members = get_members(in, objects);
  communicator.others = get_members(in, objects);
  end(in);
  return communicator;
}

Bytes pack(const RecordedStep& step) {
  ByteWriter out;
  out.number(step.time_ns);
  out.number(step.took_ns);
  out.text(step.strategy);
  out.number(step.moves.size());
  for (const auto& [object, pe] : step.moves) {
    out.number(object);
    out.number(pe);
  }
  return std::move(out.bytes());
}

RecordedStep unpack_step(std::span<const std::uint8_t> text, const std::string& called) {
  ByteReader in(text, called);
  RecordedStep step;
  step.time_ns = in.number();
  step.took_ns = in.number();
  step.strategy = in.text();
  step.moves.resize(in.count(2, "the number of moves"));
  for (auto& [object, pe] : step.moves) {
    object = in.number32("an object");
    pe = in.number32("a PE");
  }
  end(in);
  return step;
}

Bytes pack(const Disturbance& disturbance) {
  ByteWriter out;
  if (disturbance == Disturbance()) return {};
  out.number(disturbance.busy_ns);
  out.number(disturbance.others_ns);
  out.byte(disturbance.left_out);
  return std::move(out.bytes());
}

Disturbance unpack_disturbance(std::span<const std::uint8_t> text, const std::string& called) {
  if (text.empty()) return {};
  ByteReader in(text, called);
  Disturbance disturbance;
  disturbance.busy_ns = in.number();
  disturbance.others_ns = in.number();
  disturbance.left_out = in.byte() != 0;
  end(in);
  return disturbance;
}

Bytes pack(const NameRecord& name) {
  ByteWriter out;
  out.number(name.number);
  out.text(name.text);
  return std::move(out.bytes());
}

NameRecord unpack_name(std::span<const std::uint8_t> text, const std::string& called) {
  ByteReader in(text, called);
  NameRecord name;
  name.number = in.number32("the number of a name");
  name.text = in.text();
  end(in);
  return name;
}

Bytes pack(const ObjectRecord& object) {
  ByteWriter out;
  out.number(object.made_on);
  out.text(object.label);
  return std::move(out.bytes());
}

ObjectRecord unpack_object(std::span<const std::uint8_t> text, const std::string& called) {
  ByteReader in(text, called);
  ObjectRecord object;
  object.made_on = in.number32("a PE");
  object.label = in.text();
  end(in);
  return object;
}

}  // namespace skein::trace
