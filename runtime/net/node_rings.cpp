// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/node_rings.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/net/idle_wait.hpp"
#include "runtime/net/lengths.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/shared_memory.hpp"
#include "runtime/net/watched.hpp"

namespace skein::net {
namespace {

constexpr std::size_t kPageBytes = 4096;

constexpr std::size_t whole_pages(std::size_t bytes) {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

/// An inbox without its list of writers.
constexpr std::size_t kInboxHeadBytes = 3 * kCellBytes + sizeof(HelpedCopy);

/// The shortest copy that others help with: shorter ones are over before a second core has the lines.
constexpr std::size_t kLeastBytesHelped = std::size_t{256} << 10;

std::size_t head_bytes(std::size_t node_pes) {
  return whole_pages(kInboxHeadBytes + node_pes * sizeof(std::uint16_t));
}
std::size_t inbox_bytes(std::size_t node_pes) {
  return head_bytes(node_pes) + node_pes * whole_pages(ring_bytes(NodeRings::cells));
}

}  // namespace

NodeRings::Inbox* NodeRings::inbox_of(std::size_t node_pe) const {
  return reinterpret_cast<Inbox*>(memory_ + node_pe * inbox_bytes(world.node_pes.size()));
}

RingHead& NodeRings::ring_of(std::size_t node_pe, std::size_t writer) const {
  const std::size_t pes = world.node_pes.size();
  return *reinterpret_cast<RingHead*>(memory_ + node_pe * inbox_bytes(pes) + head_bytes(pes) +
                                      writer * whole_pages(ring_bytes(cells)));
}

void NodeRings::open() {
  static_assert(longest_in_ring(cells) >= kLongestMessage);
  static_assert(sizeof(Inbox) == kInboxHeadBytes);
  SKEIN_CHECK(!memory_, "the rings are open already");
  const std::size_t pes = world.node_pes.size();
  bytes_ = pes * inbox_bytes(pes);
  memory_ = share_memory(bytes_, "PEs of a node talk through the MPI underneath");
  if (!memory_) return;
  own_ = inbox_of(static_cast<std::size_t>(world.node_pe));
  targets_.resize(static_cast<std::size_t>(world.pes));
  for (std::size_t place = 0; place < pes; ++place) {
    const int pe = world.node_pes[place];
    if (pe == world.pe) continue;
    RingHead& ring = ring_of(place, static_cast<std::size_t>(world.node_pe));
    targets_[static_cast<std::size_t>(pe)] =
        std::make_unique<Target>(Target{inbox_of(place), &ring, RingWriter(ring, cells), 0, {}});
  }
}

void NodeRings::begin(Target& target) {
  if (target.begun++ == 0) join(target);
  if (target.begun == messages_before_provided)  // or, on older systems, page by page
    madvise(target.ring, whole_pages(ring_bytes(cells)), MADV_POPULATE_WRITE);
}

void NodeRings::join(Target& target) {
  const std::uint32_t place = target.inbox->joined.fetch_add(1, std::memory_order_acq_rel);
  target.inbox->writers[place].store(static_cast<std::uint16_t>(world.node_pe + 1),
                                     std::memory_order_release);  // with meet_sources()
}

void NodeRings::meet_sources() {
  while (sources_.size() < own_->joined.load(std::memory_order_acquire)) {
    const std::uint16_t who = own_->writers[sources_.size()].load(std::memory_order_acquire);
    if (who == 0) return;  // its writer is about to say who it is
    const std::size_t place = who - std::size_t{1};
    sources_.push_back(
        {world.node_pes[place], RingReader(ring_of(static_cast<std::size_t>(world.node_pe), place), cells)});
  }
}

void NodeRings::keep(Target& target, std::uint32_t word, const void* first, std::size_t first_bytes,
                     const void* second, std::size_t second_bytes) {
  Waiting& kept = target.waiting.emplace_back();
  kept.word = word;
  kept.bytes.reserve(first_bytes + second_bytes);
  const auto append = [&kept](const void* data, std::size_t bytes) {
    const auto* const from = static_cast<const std::byte*>(data);
    kept.bytes.insert(kept.bytes.end(), from, from + bytes);
  };
  append(first, first_bytes);
  append(second, second_bytes);
  target.waiting_bytes += kept.bytes.size();
  ++waiting_;
}

void NodeRings::send_waiting() {
  for (const std::unique_ptr<Target>& target : targets_)
    if (target) send_waiting(*target);
}

void NodeRings::send_waiting(Target& target) {
  while (!target.waiting.empty()) {
    const Waiting& oldest = target.waiting.front();
    if (!target.writer.write(oldest.word, oldest.bytes.data(), oldest.bytes.size())) return;
    target.waiting_bytes -= oldest.bytes.size();
    target.waiting.pop_front();
    --waiting_;
    if (wakes_) target.inbox->bell.ring();
  }
}

bool NodeRings::catches_up(Target& target, std::size_t bytes) {
  target.bytes_since_look += bytes;
  if (target.bytes_since_look < bytes_between_looks) return false;
  target.bytes_since_look = 0;
  send_waiting(target);
  return target.waiting.empty();
}

void NodeRings::copy_from(int pe, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes < kLeastBytesHelped || wakes_) {
    memcpy(to, from, bytes);
    return;
  }
  Inbox& there = *targets_[static_cast<std::size_t>(pe)]->inbox;
  own_->copy.copy(to, from, bytes, [&] {
    there.asked_by.store(static_cast<std::uint32_t>(world.node_pe + 1), std::memory_order_release);
  });
}

bool NodeRings::help_who_asked() {
  const std::uint32_t who = own_->asked_by.exchange(0, std::memory_order_acquire);  // with copy_from()
  return who > 0 && inbox_of(who - 1)->copy.help();
}

bool NodeRings::has_come() {
  if (own_->joined.load(std::memory_order_acquire) != sources_.size()) return true;
  return std::ranges::any_of(sources_, [](Source& source) { return bool(source.reader.peek()); });
}

void NodeRings::sleep(std::int64_t ns) {
  if (!wakes_ || !memory_) return sleep_through(ns);
  own_->bell.sleep(ns, [this] { return waiting_ > 0 || has_come() || any_watched_happened(); });
}

void NodeRings::close() {
  if (!memory_) return;
  munmap(memory_, bytes_);
  *this = NodeRings();
}

}  // namespace skein::net
