// SPDX-License-Identifier: Apache-2.0
// Writes the stream of one coarse rank.
//
// Work of several fine ranks follows each other, and each piece of it belongs to the regions in which it was
// done: between pieces of different regions, regions end and begin.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "lb/trace/coarsen/join.hpp"
#include "lb/trace/coarsen/parts.hpp"

namespace skein::trace::coarse {

/// Item::order of a wait: which of the two requests of a message it waits for.
inline constexpr std::uint32_t kOfReceiver = 0, kOfSender = 1;

class StreamWriter {
 public:
  StreamWriter(ObjectIndex rank, const Parts& parts, const std::vector<Joined>& messages,
               const WorkLeft& work, std::size_t counters, TraceBuilder& builder)
      : rank_(rank),
        parts_(parts),
        messages_(messages),
        work_(work),
        builder_(builder),
        pending_counts_(counters, 0) {}

  void write(std::vector<Item> items);

 private:
  void add(Event event);
  void add_work(const Item& item);
  void be_in(std::uint32_t visit);
  void begin(std::uint32_t visit);
  void end();
  std::uint32_t depth_of(std::uint32_t visit) const;
  void write_wait(std::span<const Item> items);
  void write_sync(std::span<const Item> items);
  void write_one(const Item& item);
  void write_message(std::uint32_t index, bool is_send);
  void write_collective(const Call& call);
  void write_kept(const Item& item);

  const ObjectIndex rank_;
  const Parts& parts_;
  const std::vector<Joined>& messages_;
  const WorkLeft& work_;
  TraceBuilder& builder_;
  std::uint64_t started_ = 0;  // requests
  std::uint64_t passed_ = 0;   // sync points
  std::uint32_t visit_ = kOutside;
  std::uint64_t pending_ns_ = 0, call_ns_ = 0;
  std::vector<std::int64_t> pending_counts_;
  std::unordered_map<std::uint64_t, std::uint64_t> request_of_;  // 2 * message + kOf...
  std::vector<std::uint64_t> list_;
};

}  // namespace skein::trace::coarse
