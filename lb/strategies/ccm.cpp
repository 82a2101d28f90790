// SPDX-License-Identifier: Apache-2.0
// ccm: PEs meet in pairs as in gossip, and weigh computing, communication and memory together. The work of a
// PE is its finish time, plus `remote` for each byte that its objects exchange with objects of other PEs,
// `local` for each byte that they exchange with each other, and `home` for each byte of the shared blocks
// that they read away from the block's home. The PE of a pair with more work gives the other a cluster
// (objects that read the same block or exchange messages) or gets one, or both swap clusters. They choose
// what reduces the greater of their works most and keeps both memory limits. A PE holds a block once, however
// many of its objects read it.
//
// Distributed: lb/kernel/meetings.hpp pairs the PEs. Before the first meeting PEs learn who sends to their
// objects, and either side of two objects counts half of the bytes that go both ways. PEs that meet send each
// other all that they have, so both know the work of both exactly. The work of a third PE does not depend on
// which of the two has an object. So the largest work never rises.
//
// A cluster grows from one object, first by the readers of its block, then each time by the object that
// exchanges most bytes with it. It grows up to the difference of the two works, and at least to all readers
// of its block. Uses loads, speeds, background, placement, graph, shared blocks, memory limits. Wins where
// traffic costs time, on many PEs. Loses against partitioners of the graph if the placement is scattered: a
// pair knows only its own edges. A PE: O(rounds (edges log n + clusters^2)), n its objects.
//
// J. Lifflander et al., "A communication- and memory-aware model for load balancing tasks", arXiv 2404.16793
// (2024). The paper counts the greater of the bytes sent and received, ccm their mean.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <queue>
#include <utility>

#include "lb/kernel/meetings.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {
namespace {

/// The number of a PE's objects from which clusters grow in a meeting.
constexpr std::size_t kSeeds = 16;
/// Clusters of up to this many objects are all considered; larger ones only at powers of two, and the last.
constexpr std::size_t kAllSizes = 4;
/// The most clusters that go in a meeting.
constexpr int kTurns = 4;
/// More than any bytes: readers of the same block come before partners in messages.
constexpr double kFirst = std::numeric_limits<double>::infinity();

/// The cost of a byte that two objects exchange, half of it for either side, and of a byte of a block away
/// from home.
struct ByteCosts {
  double remote = 0, local = 0, home = 0;
};

struct Item {
  LocalObject object;
  bool moves = false;  // false: it stays on its PE
  int side = 0;        // 0: the PE with the lower number, 1: the other
  std::uint32_t block = kNoBlock;
};

/// A shared block and the number of its readers on either side.
struct Block {
  LocalRead read;
  std::array<int, 2> readers{};
};

struct Talk {
  std::size_t item = 0;  // the other object; kOnThirdPe: all objects on third PEs
  double bytes = 0;
};
constexpr std::size_t kOnThirdPe = ~std::size_t{0};

/// Objects that go from one side to the other.
struct Cluster {
  std::vector<std::size_t> items;
  std::array<double, 2> change{};  // of the work of both sides, without blocks
  double bytes = 0;
  int migrations = 0;
  std::map<std::uint32_t, int> readers;  // by block, among `items`
};

/// The work of both sides, and the bytes of their movable objects and blocks.
struct BothSides {
  std::array<double, 2> work{}, held{};
};

/// Two PEs that meet, or one PE alone.
class Pair {
 public:
  Pair(std::span<const PeMessage* const> pes, const ByteCosts& costs) : pes_(pes), costs_(costs) {
    for (std::size_t side = 0; side < pes.size(); ++side) add_items(static_cast<int>(side));
    std::ranges::sort(items_, {}, number_of);
    const auto twice = std::ranges::unique(items_, {}, number_of);
    items_.erase(twice.begin(), twice.end());
    talks_.assign(items_.size(), {{kOnThirdPe, 0}});
    for (std::size_t side = 0; side < pes.size(); ++side) {
      for (const LocalEdge& edge : pes[side]->edges) {
        std::vector<Talk>& talks = talks_[find(edge.from)];
        if (const std::size_t to = find(edge.to); to != kOnThirdPe)
          talks.push_back({to, edge.bytes});
        else
          talks[0].bytes += edge.bytes;
      }
      for (const LocalRead& read : pes[side]->reads) {
        items_[find(read.from)].block = read.block;
        blocks_[read.block].read = read;
        ++blocks_[read.block].readers[side];
      }
      now_.work[side] = pes[side]->numbers[0];
    }
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const auto side = static_cast<std::size_t>(items_[i].side);
      now_.work[side] += items_[i].moves ? items_[i].object.load / pes[side]->numbers[1] : 0;
      now_.held[side] += items_[i].object.bytes;
      for (const Talk& talk : talks_[i]) now_.work[side] += cost(talk, is_on(talk, items_[i].side));
    }
    for (const auto& [number, block] : blocks_)
      for (std::size_t side = 0; side < pes.size(); ++side)
        add_block(now_, block, side, block.readers[side], 1);
  }

  double work(std::size_t side) const { return now_.work[side]; }
  const std::vector<Item>& items() const { return items_; }

  /// Makes the move that reduces the greater work most, if that is by at least `least`. `swaps`: clusters may
  /// also be swapped. Returns true if anything moved.
  bool improve(double least, bool swaps, std::size_t turn) {
    const int late = work(1) > work(0);
    const auto giver = static_cast<std::size_t>(late);
    const double difference = work(giver) - work(1 - giver);
    const std::vector<Cluster> going = clusters(late, difference, turn),
                               coming = clusters(1 - late, difference, turn);
    Best best{work(giver) - least};
    const Cluster nothing;
    for (const Cluster& there : going) consider(there, nothing, late, best);
    for (const Cluster& back : coming) consider(nothing, back, late, best);
    for (const Cluster& there : going)
      for (const Cluster& back : coming)
        if (swaps) consider(there, back, late, best);
    if (!best.there) return false;
    now_ = best.then;
    for (const auto& [block, readers] : leaving(*best.there, *best.back)) {
      blocks_[block].readers[giver] -= readers;
      blocks_[block].readers[1 - giver] += readers;
    }
    for (const Cluster* cluster : {best.there, best.back})
      for (const std::size_t item : cluster->items) items_[item].side = 1 - items_[item].side;
    return true;
  }

 private:
  struct Best {
    double greater;
    int migrations = std::numeric_limits<int>::max();
    const Cluster *there = nullptr, *back = nullptr;
    BothSides then = {};
  };

  static ObjectIndex number_of(const Item& item) { return item.object.object; }

  /// Adds the side's objects. Those that stay are known only from their edges and reads.
  void add_items(int side) {
    const PeMessage& pe = *pes_[static_cast<std::size_t>(side)];
    for (const LocalObject& object : pe.objects) items_.push_back({object, true, side});
    const auto add_fixed = [&](const auto& row) {
      const bool known = std::ranges::binary_search(pe.objects, row.from, {}, &LocalObject::object);
      if (!known && (items_.empty() || items_.back().object.object != row.from))
        items_.push_back({{.object = row.from, .home = pe.pe}, false, side});
    };
    std::ranges::for_each(pe.edges, add_fixed);
    std::ranges::for_each(pe.reads, add_fixed);
  }

  std::size_t find(ObjectIndex number) const {
    const auto found = std::ranges::lower_bound(items_, number, {}, number_of);
    return found == items_.end() || found->object.object != number
               ? kOnThirdPe
               : static_cast<std::size_t>(found - items_.begin());
  }

  /// Adds `times` times the bytes and work that a block costs a side where `readers` objects read it.
  void add_block(BothSides& sides, const Block& block, std::size_t side, int readers, double times) const {
    if (readers == 0) return;
    sides.held[side] += times * block.read.bytes;
    if (block.read.home != pes_[side]->pe) sides.work[side] += times * block.read.bytes * costs_.home;
  }

  /// Returns by block the readers that go with `there` less those that come with `back`.
  static std::map<std::uint32_t, int> leaving(const Cluster& there, const Cluster& back) {
    std::map<std::uint32_t, int> readers = there.readers;
    for (const auto& [block, count] : back.readers) readers[block] -= count;
    return readers;
  }

  double cost(const Talk& talk, bool on_one_pe) const {
    return talk.bytes * (on_one_pe ? costs_.local : costs_.remote);
  }
  bool is_on(const Talk& talk, int side) const {
    return talk.item != kOnThirdPe && items_[talk.item].side == side;
  }

  /// Adds the item to the cluster, as the next that goes to the other side.
  void grow(Cluster& cluster, std::size_t item) {
    Item& goes = items_[item];
    const auto from = static_cast<std::size_t>(goes.side), to = 1 - from;
    const double load = goes.object.load;
    cluster.change[from] -= load / pes_[from]->numbers[1];
    cluster.change[to] += load / pes_[to]->numbers[1];
    for (const Talk& talk : talks_[item]) {
      const double near = cost(talk, true), far = cost(talk, false);
      if (talk.item == kOnThirdPe) {
        cluster.change[from] -= far;
        cluster.change[to] += far;
      } else if (items_[talk.item].side == goes.side) {
        cluster.change[from] += far - 2 * near;
        cluster.change[to] += far;
      } else {
        cluster.change[from] -= far;
        cluster.change[to] += 2 * near - far;
      }
    }
    cluster.items.push_back(item);
    cluster.bytes += goes.object.bytes;
    cluster.migrations += migrations(goes.object, pes_[from]->pe, pes_[to]->pe);
    if (goes.block != kNoBlock) ++cluster.readers[goes.block];
    goes.side = 1 - goes.side;  // until the cluster is complete
  }

  std::vector<Cluster> clusters(int side, double most_s, std::size_t turn) {
    std::vector<std::size_t> movable;
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (items_[i].moves && items_[i].side == side) movable.push_back(i);
    std::vector<Cluster> all;
    const std::size_t stride = (movable.size() + kSeeds - 1) / kSeeds;
    for (std::size_t k = stride > 0 ? turn % stride : 0; k < movable.size(); k += stride)
      grow_from(movable, k, side, most_s, all);
    return all;
  }

  /// Adds to `all` the clusters that grow from movable[k].
  void grow_from(std::span<const std::size_t> movable, std::size_t k, int side, double most_s,
                 std::vector<Cluster>& all) {
    Cluster cluster;
    std::vector<double> bytes(items_.size(), 0);
    std::priority_queue<std::pair<double, std::size_t>> next;
    double load_s = 0;
    std::size_t others = k, item = movable[k];
    std::uint32_t block = kNoBlock;
    for (;;) {
      if (items_[item].block != block) {
        // The cluster has all movable readers of the last block.
        if (block != kNoBlock && all.back().items.size() < cluster.items.size()) all.push_back(cluster);
        block = items_[item].block;
        for (const std::size_t other : movable)
          if (block != kNoBlock && items_[other].block == block) next.push({kFirst, other});
      }
      load_s += items_[item].object.load / pes_[static_cast<std::size_t>(side)]->numbers[1];
      const bool completes = block != kNoBlock && block == items_[movable[k]].block;
      if (!cluster.items.empty() && load_s > most_s && !completes) break;
      grow(cluster, item);
      const std::size_t size = cluster.items.size();
      if (size <= kAllSizes || (size & (size - 1)) == 0) all.push_back(cluster);
      if (size == movable.size()) break;
      for (const Talk& talk : talks_[item])
        if (talk.item != kOnThirdPe && items_[talk.item].moves && items_[talk.item].side == side)
          next.push({bytes[talk.item] += talk.bytes, talk.item});
      while (!next.empty() && items_[next.top().second].side != side) next.pop();
      if (!next.empty()) {
        item = next.top().second;
        continue;
      }
      // No other object shares a block or messages with the cluster: take the next one.
      do item = movable[++others % movable.size()];
      while (items_[item].side != side);
    }
    if (all.back().items.size() != cluster.items.size()) all.push_back(cluster);
    for (const std::size_t each : cluster.items) items_[each].side = side;
  }

  void consider(const Cluster& there, const Cluster& back, int late, Best& best) {
    const auto giver = static_cast<std::size_t>(late);
    BothSides then = now_;
    for (std::size_t side = 0; side < 2; ++side) then.work[side] += there.change[side] + back.change[side];
    then.held[giver] += back.bytes - there.bytes;
    then.held[1 - giver] += there.bytes - back.bytes;
    for (const auto& [number, readers] : leaving(there, back)) {
      const Block& block = blocks_.at(number);
      for (const std::size_t side : {giver, 1 - giver}) {
        add_block(then, block, side, block.readers[side], -1);
        add_block(then, block, side, block.readers[side] + (side == giver ? -readers : readers), 1);
      }
    }
    const int moves = there.migrations + back.migrations;
    const auto is_better = [&] {
      const double greater = std::max(then.work[0], then.work[1]);
      return greater < best.greater || (greater == best.greater && moves < best.migrations && best.there);
    };
    if (!is_better() || !fits(0, then.held) || !fits(1, then.held)) return;
    // Objects of the two clusters that exchange messages do not come together after all.
    for (double& each : then.work) each += 2 * parted(there, back);
    if (!is_better()) return;
    best = {std::max(then.work[0], then.work[1]), moves, &there, &back, then};
  }

  bool fits(std::size_t side, const std::array<double, 2>& held) const {
    return held[side] <= now_.held[side] || held[side] <= pes_[side]->numbers[2];
  }

  /// Returns what either side saves on messages between the clusters if only one of them goes.
  double parted(const Cluster& there, const Cluster& back) const {
    double saved = 0;
    for (const std::size_t item : there.items)
      for (const Talk& talk : talks_[item])
        if (std::ranges::find(back.items, talk.item) != back.items.end())
          saved += cost(talk, false) - cost(talk, true);
    return saved;
  }

  std::span<const PeMessage* const> pes_;
  const ByteCosts costs_;
  std::vector<Item> items_;               // in order of number
  std::vector<std::vector<Talk>> talks_;  // by item; the first talk is with third PEs
  std::map<std::uint32_t, Block> blocks_;
  BothSides now_;
};

class Ccm : public MeetingPe {
 public:
  Ccm(LocalPe local, const Options& options, std::uint64_t seed)
      : MeetingPe(std::move(local), options, seed),
        remote_(options.real("remote")),
        local_part_(options.real("local")),
        home_(options.real("home")),
        own_{.pe = this->local().pe,
             .numbers = {this->local().fixed_s, this->local().speed, this->local().memory_bytes},
             .objects = this->local().objects,
             .reads = this->local().reads} {
    if (!this->local().knows_edges)
      throw MissingData("ccm needs the communication graph, which was not recorded");
  }

  const std::vector<LocalObject>& objects() const override { return own_.objects; }

 private:
  /// Sends each partner PE the edges from this PE's objects to objects there.
  std::vector<PeMessage> greet() override {
    std::vector<PeMessage> messages;
    for (const PeIndex pe : local().partners()) messages.push_back({.pe = pe});
    for (LocalEdge edge : local().edges) {
      if (edge.from == edge.to) continue;
      // All receivers on a PE whose numbers are unknown count as one object there that stays.
      if (edge.to == LocalEdge::kUnnumbered) edge.to -= 1 + edge.pe;
      own_.edges.push_back(edge);
      if (edge.pe == local().pe) {
        own_.edges.push_back({edge.to, edge.from, edge.pe, edge.bytes});
      } else {
        std::ranges::lower_bound(messages, edge.pe, {}, &PeMessage::pe)->edges.push_back(edge);
      }
    }
    return messages;
  }

  std::array<double, 2> greeted(std::span<const PeMessage> inbox) override {
    for (const PeMessage& message : inbox)
      for (const LocalEdge& edge : message.edges)
        own_.edges.push_back({edge.to, edge.from, message.pe, edge.bytes});
    // Either side counts half of the bytes between two objects.
    std::ranges::sort(own_.edges, {}, ends_of);
    std::vector<LocalEdge> pairs;
    double bytes = 0;
    for (const LocalEdge& edge : own_.edges) {
      bytes += edge.bytes / 2;
      if (pairs.empty() || ends_of(pairs.back()) != ends_of(edge))
        pairs.push_back({edge.from, edge.to, edge.pe, 0});
      pairs.back().bytes += edge.bytes / 2;
    }
    own_.edges.swap(pairs);
    std::map<std::uint32_t, double> blocks;
    for (const LocalRead& read : own_.reads) blocks[read.block] = read.bytes;
    double block_bytes = 0;
    for (const auto& [block, size] : blocks) block_bytes += size;
    return {bytes, block_bytes};
  }

  void begin(double load_s, std::span<const double, 2> bytes) override {
    if (bytes[0] > 0) costs_ = {remote_ * load_s / bytes[0], local_part_ * load_s / bytes[0]};
    if (bytes[1] > 0) costs_.home = home_ * load_s / bytes[1];
    least_ = (target() - 1) / 2 * limit() / target();
    weigh();
  }

  double work() const override { return work_; }
  PeMessage offer() override { return own_; }

  double meet(const PeMessage& other) override {
    const bool first = own_.pe < other.pe;
    const std::array<const PeMessage*, 2> pes{first ? &own_ : &other, first ? &other : &own_};
    Pair pair(pes, costs_);
    bool moved = false;
    for (int turn = 0; turn < kTurns && std::max(pair.work(0), pair.work(1)) > limit(); ++turn) {
      const double least = std::max(least_, 1e-9 * std::max(pair.work(0), pair.work(1)));
      if (!pair.improve(least, may_exchange(), static_cast<std::size_t>(round() + turn))) break;
      moved = true;
    }
    return moved ? take(pair, other, first ? 0 : 1) : 0;
  }

  /// Takes over the PE's side of `pair`, and returns how many objects went to the other PE.
  double take(const Pair& pair, const PeMessage& other, int side) {
    const std::vector<LocalObject> before = std::exchange(own_.objects, {});
    for (const Item& item : pair.items())
      if (item.moves && item.side == side) own_.objects.push_back(item.object);
    take_rows(own_.edges, other.edges, before);
    take_rows(own_.reads, other.reads, before);
    std::ranges::sort(own_.edges, {}, ends_of);
    std::ranges::sort(own_.reads, {}, &LocalRead::from);
    weigh();
    double gone = 0;
    for (const LocalObject& object : before)
      gone += !std::ranges::binary_search(own_.objects, object.object, {}, &LocalObject::object);
    return gone;
  }

  /// Removes the rows (edges or reads) of objects that have gone, and adds the other PE's rows of objects
  /// that have come.
  template <class Row>
  void take_rows(std::vector<Row>& own, const std::vector<Row>& others,
                 const std::vector<LocalObject>& before) const {
    const auto is_in = [](const std::vector<LocalObject>& objects, const Row& row) {
      return std::ranges::binary_search(objects, row.from, {}, &LocalObject::object);
    };
    std::erase_if(own, [&](const Row& row) { return is_in(before, row) && !is_in(own_.objects, row); });
    std::ranges::copy_if(others, std::back_inserter(own),
                         [&](const Row& row) { return is_in(own_.objects, row); });
  }

  void weigh() {
    const std::array<const PeMessage*, 1> alone{&own_};
    work_ = Pair(alone, costs_).work(0);
  }

  static std::array<ObjectIndex, 3> ends_of(const LocalEdge& edge) { return {edge.from, edge.to, edge.pe}; }

  const double remote_, local_part_, home_;  // the cost of all bytes, as parts of all loads
  PeMessage own_;                            // the PE's offer: objects, edges and reads rising
  ByteCosts costs_;
  double least_ = 0;  // the least gain of a turn
  double work_ = 0;
};

}  // namespace

std::span<const Key> ccm_keys() {
  static constexpr Key keys[] = {
      kMeetingTarget,
      kMeetingRounds,
      real_key("remote", "0.25", 0, 1e6,
               "cost of all messages if all went between PEs, as a share of all loads"),
      real_key("local", "0", 0, 1e6,
               "cost of all messages if all stayed inside PEs, as a share of all loads"),
      real_key("home", "0.25", 0, 1e6,
               "cost of all shared blocks that PEs hold at first if none were at home, as a share of all "
               "loads"),
  };
  return keys;
}

std::unique_ptr<PeProcess> begin_ccm(LocalPe local, const Options& options, std::uint64_t seed) {
  return std::make_unique<Ccm>(std::move(local), options, seed);
}

}  // namespace skein::lb
