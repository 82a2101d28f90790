// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/formats/perfetto_packets.hpp"

#include <cerrno>
#include <cstring>

#include "skein/lb/trace.hpp"

namespace skein::trace {
namespace {

using protozero::pbf_writer;

/// Field numbers of trace.proto and trace_packet.proto.
constexpr int kTracePacket = 1, kPacketTimestamp = 8, kPacketSequence = 10, kPacketTrackEvent = 11,
              kPacketInterned = 12, kPacketSequenceFlags = 13, kPacketTrackDescriptor = 60;
constexpr std::uint32_t kStateCleared = 1, kNeedsState = 2;
/// Field numbers of track_event.proto.
constexpr int kEventCategoryNumbers = 3, kEventAnnotation = 4, kEventType = 9, kEventNameNumber = 10,
              kEventTrack = 11, kEventCounterValue = 30, kEventFlows = 47, kEventFlowsEnd = 48;
/// Field numbers of interned_data.proto and its EventCategory, EventName and DebugAnnotationName.
constexpr int kInternedCategories = 1, kInternedNames = 2, kInternedAnnotations = 3;
constexpr int kInternedNumber = 1, kInternedText = 2;
/// Field numbers of debug_annotation.proto.
constexpr int kAnnotationNameNumber = 1, kAnnotationInt = 4, kAnnotationString = 6;
/// Field numbers of track_descriptor.proto and counter_descriptor.proto.
constexpr int kTrackUuid = 1, kTrackName = 2, kTrackParent = 5, kTrackCounter = 8, kTrackChildOrdering = 11,
              kTrackRank = 12;
constexpr int kCounterUnit = 3;
constexpr std::int32_t kOrderingExplicit = 3;

constexpr std::uint32_t kSequence = 1;  // all packets belong to it, and share interned texts

}  // namespace

PerfettoWriter::PerfettoWriter(const std::string& path) : path_(path), out_(path, std::ios::binary) {
  if (!out_) throw TraceError("cannot write " + path + ": " + std::strerror(errno));
}

void PerfettoWriter::packet(const std::string& content) {
  std::string packet = content;
  pbf_writer writer(packet);
  writer.add_uint32(kPacketSequence, kSequence);
  writer.add_uint32(kPacketSequenceFlags, first_ ? kStateCleared | kNeedsState : kNeedsState);
  first_ = false;
  pbf_writer(buffer_).add_message(kTracePacket, packet);
  if (buffer_.size() < 1 << 20) return;
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

void PerfettoWriter::track(std::uint64_t id, std::uint64_t parent, std::string_view name,
                           std::int32_t place) {
  std::string content;
  {
    pbf_writer writer(content);
    pbf_writer track(writer, kPacketTrackDescriptor);
    track.add_uint64(kTrackUuid, id);
    track.add_string(kTrackName, name.data(), name.size());
    if (parent) track.add_uint64(kTrackParent, parent);
    track.add_enum(kTrackChildOrdering, kOrderingExplicit);
    track.add_int32(kTrackRank, place);
  }
  packet(content);
}

void PerfettoWriter::counter_track(std::uint64_t id, std::uint64_t parent, std::string_view name,
                                   CounterUnit unit) {
  std::string content;
  {
    pbf_writer writer(content);
    pbf_writer track(writer, kPacketTrackDescriptor);
    track.add_uint64(kTrackUuid, id);
    track.add_string(kTrackName, name.data(), name.size());
    if (parent) track.add_uint64(kTrackParent, parent);
    pbf_writer counter(track, kTrackCounter);
    counter.add_enum(kCounterUnit, static_cast<std::int32_t>(unit));
  }
  packet(content);
}

void PerfettoWriter::event(const TrackEvent& event) {
  std::string interned, content;
  const auto intern = [&](Interned& texts, int field, std::string_view text) {
    const auto [number, is_new] = texts.number(text);
    if (is_new) {
      pbf_writer all(interned);
      pbf_writer entry(all, field);
      entry.add_uint64(kInternedNumber, number);
      entry.add_string(kInternedText, text.data(), text.size());
    }
    return number;
  };
  {
    pbf_writer writer(content);
    writer.add_uint64(kPacketTimestamp, event.time_ns);
    pbf_writer track_event(writer, kPacketTrackEvent);
    track_event.add_enum(kEventType, static_cast<std::int32_t>(event.type));
    track_event.add_uint64(kEventTrack, event.track);
    if (!event.name.empty())
      track_event.add_uint64(kEventNameNumber, intern(names_, kInternedNames, event.name));
    if (!event.category.empty())
      track_event.add_uint64(kEventCategoryNumbers, intern(categories_, kInternedCategories, event.category));
    if (event.type == SliceType::counter) track_event.add_int64(kEventCounterValue, event.value);
    for (const std::uint64_t flow : event.flows) track_event.add_fixed64(kEventFlows, flow);
    for (const std::uint64_t flow : event.flows_end) track_event.add_fixed64(kEventFlowsEnd, flow);
    for (const auto& [name, number] : event.numbers) {
      pbf_writer annotation(track_event, kEventAnnotation);
      annotation.add_uint64(kAnnotationNameNumber, intern(annotations_, kInternedAnnotations, name));
      annotation.add_int64(kAnnotationInt, number);
    }
    if (event.text.first) {
      pbf_writer annotation(track_event, kEventAnnotation);
      annotation.add_uint64(kAnnotationNameNumber,
                            intern(annotations_, kInternedAnnotations, event.text.first));
      annotation.add_string(kAnnotationString, event.text.second);
    }
  }
  if (!interned.empty()) pbf_writer(content).add_message(kPacketInterned, interned);
  packet(content);
}

void PerfettoWriter::close() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  out_.close();
  if (!out_) throw TraceError("cannot write " + path_ + ": is the disk full?");
}

}  // namespace skein::trace
