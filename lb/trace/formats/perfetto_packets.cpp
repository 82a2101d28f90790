// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/formats/perfetto_packets.hpp"

#include <cerrno>
#include <cstring>

#include "skein/lb/trace.hpp"

namespace skein::trace {
namespace {

using protozero::pbf_writer;

/// From trace.proto and trace_packet.proto.
constexpr int trace_packet = 1, packet_timestamp = 8, packet_sequence = 10, packet_track_event = 11,
              packet_interned = 12, packet_sequence_flags = 13, packet_track_descriptor = 60;
constexpr std::uint32_t state_cleared = 1, needs_state = 2;
/// From track_event.proto.
constexpr int event_category_numbers = 3, event_annotation = 4, event_type = 9, event_name_number = 10,
              event_track = 11, event_counter_value = 30, event_flows = 47, event_flows_end = 48;
/// From interned_data.proto, and what it holds: EventCategory, EventName, DebugAnnotationName.
constexpr int interned_categories = 1, interned_names = 2, interned_annotations = 3;
constexpr int interned_number = 1, interned_text = 2;
/// From debug_annotation.proto.
constexpr int annotation_name_number = 1, annotation_int = 4, annotation_string = 6;
/// From track_descriptor.proto, counter_descriptor.proto.
constexpr int track_uuid = 1, track_name = 2, track_parent = 5, track_counter = 8, track_child_ordering = 11,
              track_rank = 12;
constexpr int counter_unit = 3;
constexpr std::int32_t ordering_explicit = 3;

constexpr std::uint32_t sequence = 1;  // all packets are of one: they share what is interned

}  // namespace

PerfettoWriter::PerfettoWriter(const std::string& path) : path_(path), out_(path, std::ios::binary) {
  if (!out_) throw TraceError("cannot write " + path + ": " + std::strerror(errno));
}

void PerfettoWriter::packet(const std::string& content) {
  std::string packet = content;
  pbf_writer writer(packet);
  writer.add_uint32(packet_sequence, sequence);
  writer.add_uint32(packet_sequence_flags, first_ ? state_cleared | needs_state : needs_state);
  first_ = false;
  pbf_writer(buffer_).add_message(trace_packet, packet);
  if (buffer_.size() < 1 << 20) return;
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

void PerfettoWriter::track(std::uint64_t id, std::uint64_t parent, std::string_view name,
                           std::int32_t place) {
  std::string content;
  {
    pbf_writer writer(content);
    pbf_writer track(writer, packet_track_descriptor);
    track.add_uint64(track_uuid, id);
    track.add_string(track_name, name.data(), name.size());
    if (parent) track.add_uint64(track_parent, parent);
    track.add_enum(track_child_ordering, ordering_explicit);
    track.add_int32(track_rank, place);
  }
  packet(content);
}

void PerfettoWriter::counter_track(std::uint64_t id, std::uint64_t parent, std::string_view name,
                                   CounterUnit unit) {
  std::string content;
  {
    pbf_writer writer(content);
    pbf_writer track(writer, packet_track_descriptor);
    track.add_uint64(track_uuid, id);
    track.add_string(track_name, name.data(), name.size());
    if (parent) track.add_uint64(track_parent, parent);
    pbf_writer counter(track, track_counter);
    counter.add_enum(counter_unit, static_cast<std::int32_t>(unit));
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
      entry.add_uint64(interned_number, number);
      entry.add_string(interned_text, text.data(), text.size());
    }
    return number;
  };
  {
    pbf_writer writer(content);
    writer.add_uint64(packet_timestamp, event.time_ns);
    pbf_writer track_event(writer, packet_track_event);
    track_event.add_enum(event_type, static_cast<std::int32_t>(event.type));
    track_event.add_uint64(event_track, event.track);
    if (!event.name.empty())
      track_event.add_uint64(event_name_number, intern(names_, interned_names, event.name));
    if (!event.category.empty())
      track_event.add_uint64(event_category_numbers,
                             intern(categories_, interned_categories, event.category));
    if (event.type == SliceType::counter) track_event.add_int64(event_counter_value, event.value);
    for (const std::uint64_t flow : event.flows) track_event.add_fixed64(event_flows, flow);
    for (const std::uint64_t flow : event.flows_end) track_event.add_fixed64(event_flows_end, flow);
    for (const auto& [name, number] : event.numbers) {
      pbf_writer annotation(track_event, event_annotation);
      annotation.add_uint64(annotation_name_number, intern(annotations_, interned_annotations, name));
      annotation.add_int64(annotation_int, number);
    }
    if (event.text.first) {
      pbf_writer annotation(track_event, event_annotation);
      annotation.add_uint64(annotation_name_number,
                            intern(annotations_, interned_annotations, event.text.first));
      annotation.add_string(annotation_string, event.text.second);
    }
  }
  if (!interned.empty()) pbf_writer(content).add_message(packet_interned, interned);
  packet(content);
}

void PerfettoWriter::close() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  out_.close();
  if (!out_) throw TraceError("cannot write " + path_ + ": is the disk full?");
}

}  // namespace skein::trace
