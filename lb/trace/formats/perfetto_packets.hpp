// SPDX-License-Identifier: Apache-2.0
// Packets of Perfetto's own format. Field numbers are those of protos/perfetto/trace/ in
// github.com/google/perfetto.
#pragma once
#include <cstdint>
#include <fstream>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skein::trace {

enum class SliceType : std::uint8_t { begin = 1, end = 2, instant = 3, counter = 4 };
enum class CounterUnit : std::uint8_t { none = 0, count = 2, bytes = 3 };

/// An event on a track.
struct TrackEvent {
  SliceType type = SliceType::instant;
  std::uint64_t track = 0;
  std::uint64_t time_ns = 0;
  std::string_view name = {};
  std::string_view category = {};
  std::int64_t value = 0;                 // of a counter
  std::vector<std::uint64_t> flows = {};  // that begin or continue here
  std::vector<std::uint64_t> flows_end = {};
  std::vector<std::pair<const char*, std::int64_t>> numbers = {};  // shown with the event, by name
  std::pair<const char*, std::string> text = {nullptr, {}};        // shown with the event, by name
};

class PerfettoWriter {
 public:
  explicit PerfettoWriter(const std::string& path);  // throws TraceError
  /// Adds a track. Tracks below one parent (0: none) are ordered by `place`.
  void track(std::uint64_t id, std::uint64_t parent, std::string_view name, std::int32_t place);
  void counter_track(std::uint64_t id, std::uint64_t parent, std::string_view name, CounterUnit unit);
  void event(const TrackEvent& event);
  void close();  // throws TraceError

 private:
  class Interned {
   public:
    /// Returns the number of the text, and true if it is new.
    std::pair<std::uint64_t, bool> number(std::string_view text) {
      const auto [found, is_new] = numbers_.try_emplace(std::string(text), numbers_.size() + 1);
      return {found->second, is_new};
    }

   private:
    std::unordered_map<std::string, std::uint64_t> numbers_;
  };
  void packet(const std::string& content);

  std::string path_;
  std::ofstream out_;
  std::string buffer_;
  bool first_ = true;
  Interned names_, categories_, annotations_;
};

}  // namespace skein::trace
