// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/across_nodes.hpp"

#include <algorithm>
#include <utility>

#include "runtime/rank/end_job.hpp"

namespace skein::vmpi {

using collectives::BlockHead;

void AcrossNodes::begin(const Comm& comm, std::uint64_t word) {
  comm_ = &comm;
  word_ = word;
  if (on_node_) on_node_->begin(comm, word);
}

void AcrossNodes::write_head(std::size_t bytes, std::byte* to) const {
  const BlockHead head{bytes, word_};
  memcpy(to, &head, sizeof head);
}

/// Writes a block with its head. Ends the job if ranks of this PE bring more than fits, as counts differ.
void AcrossNodes::write_framed(std::span<const std::byte> block, std::byte* to, std::size_t longest) const {
  if (block.size() > longest)
    end_job_plainly(*current_rank(), 1,
                    "mismatched collectives: ranks of a PE of this node bring %zu bytes, where others have "
                    "%zu at most; --check says which",
                    block.size(), longest);
  write_head(block.size(), to);
  if (!block.empty()) memcpy(to + sizeof(BlockHead), block.data(), block.size());
}

std::span<const std::byte> AcrossNodes::read_framed(const std::byte* from, int leader) const {
  BlockHead head;
  memcpy(&head, from, sizeof head);
  if (head.said != word_) [[unlikely]]
    report_unlike(*comm_, somebody_on(*comm_, net::world.pe), claim_in(word_),
                  somebody_on(*comm_, places_.of[static_cast<std::size_t>(leader)].pe), claim_in(head.said));
  return {from + sizeof head, head.bytes};
}

AcrossNodes::AcrossNodes(const NodePlaces& places, int channel, const net::ExchangeAddress& on_node)
    : places_(places), channel_(channel) {
  if (places.own_node.size() == 1) return;
  const auto own = std::ranges::find(places.own_node, net::world.pe) - places.own_node.begin();
  on_node_.emplace(on_node, places.own_node, static_cast<std::size_t>(own));
}

void AcrossNodes::send_one(Direction direction, std::size_t longest, WaitReason reason) {
  all_.resize(collectives::framed_block(longest));
  const bool from_here = is_here(direction.one);
  if (from_here && on_node_)
    exchange_on_node(
        *on_node_, Direction::from(place_of(direction.one)), own_.size(), reason,
        [&](std::byte* block) { std::ranges::copy(own_, block); },
        [&](const auto& block_of) { write_framed(block_of(place_of(direction.one)), all_.data(), longest); });
  else if (from_here)
    write_framed(own_, all_.data(), longest);
  if (speaks()) {
    // The PE that gives needs no block itself, but another PE of its node may be the first.
    if (from_here && on_node_ && place_of(direction.one) == 0) write_framed(own_, all_.data(), longest);
    channel_.broadcast(all_, places_.of[static_cast<std::size_t>(direction.one)].node);
    wait_for_nodes(reason);
  }
  if (!from_here) tell_node(all_, reason);
}

void AcrossNodes::gather(Direction direction, std::size_t longest, WaitReason reason) {
  const std::size_t each = collectives::framed_block(longest), node = places_.most_pes * each;
  of_node_.assign(node, std::byte{});
  if (on_node_)
    exchange_on_node(
        *on_node_, Direction::to(0), own_.size(), reason,
        [&](std::byte* block) { std::ranges::copy(own_, block); },
        [&](const auto& block_of) {
          for (std::size_t place = 0; place < places_.own_node.size(); ++place)
            write_framed(block_of(static_cast<int>(place)), &of_node_[place * each], longest);
        });
  else
    write_framed(own_, of_node_.data(), longest);
  all_.resize(node * static_cast<std::size_t>(net::world.nodes));
  if (speaks()) {
    channel_.gather(of_node_, all_.data(), node_of(direction));
    wait_for_nodes(reason);
  }
  if (node_takes(direction)) tell_node(all_, reason);
}

std::span<const std::byte> AcrossNodes::block(int leader, Direction direction, std::size_t longest) const {
  if (direction.kind == Direction::Kind::from_one) return read_framed(all_.data(), direction.one);
  const NodePlaces::Place& at = places_.of[static_cast<std::size_t>(leader)];
  const std::size_t index =
      static_cast<std::size_t>(at.node) * places_.most_pes + static_cast<std::size_t>(at.place);
  return read_framed(&all_[index * collectives::framed_block(longest)], leader);
}

void AcrossNodes::meet(WaitReason reason) {
  if (on_node_) wait_for_givers(*on_node_, Direction::to(0), reason);
  if (speaks()) {
    channel_.barrier();
    wait_for_nodes(reason);
  }
  if (on_node_) wait_for_givers(*on_node_, Direction::from(0), reason);
}

bool do_all_nodes(int number, bool yes, WaitReason reason) {
  net::NodeChannel channel(number);
  std::vector<std::byte> all(static_cast<std::size_t>(net::world.nodes) + 1);
  all.back() = std::byte{yes};
  channel.gather({&all.back(), 1}, all.data());
  wait_until(reason, [&] { return channel.has_ended(); });
  return std::ranges::all_of(all, [](std::byte has) { return has != std::byte{}; });
}

void AcrossNodes::wait_for_nodes(WaitReason reason) {
  wait_until(reason, [this] { return channel_.has_ended(); });
}

void AcrossNodes::tell_node(std::span<std::byte> data, WaitReason reason) {
  if (!on_node_) return;
  exchange_on_node(
      *on_node_, Direction::from(0), data.size(), reason,
      [&](std::byte* block) { std::ranges::copy(data, block); },
      [&](const auto& block_of) { std::ranges::copy(block_of(0), data.begin()); });
}

}  // namespace skein::vmpi
