// SPDX-License-Identifier: Apache-2.0
// ccm: PEs meet in pairs as in gossip, and weigh computing, communication and memory together. The work of a
// PE is its finish time, and for each byte that its objects exchange with those of other PEs `remote`, with
// each other `local`. Of a pair the one with more work gives the other a cluster, objects that talk to each
// other, or gets one, or both swap clusters: what brings the greater work of both down most, where neither
// then holds more memory than it may.
//
// Distributed: lb/kernel/meetings.hpp says who meets whom. Before the first meeting objects hear who sends to
// them, and each pair of objects that talk counts half of what goes both ways on either side. PEs that meet
// tell each other all that they have, so that both know the work of both exactly; that of others does not
// depend on where between these two an object is. So the largest work never rises.
//
// A cluster grows from one object, each time by that which exchanges most bytes with it, to what the two PEs
// differ by. Looks at loads, speeds, background, placement, graph, memory limits. Wins where traffic costs
// time, on many PEs. Loses against partitioners of the graph where the placement is scattered: a pair knows
// its own edges alone. A PE: O(rounds (edges log n + clusters^2)), n its objects.
//
// J. Lifflander et al., "A communication- and memory-aware model for load balancing tasks", arXiv 2404.16793
// (2024), whose blocks of shared data are left out, since snapshots have none, and whose bytes are the
// greater of those sent and received where these are their mean.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "lb/kernel/meetings.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {
namespace {

/// Objects of a PE from which clusters grow in a meeting.
constexpr std::size_t kSeeds = 16;
/// Clusters of each number of objects so far are considered, of more only each twice as large, and the last.
constexpr std::size_t kAllSizes = 4;
/// Clusters that go in a meeting.
constexpr int kTurns = 4;

/// What a byte costs that two objects exchange: either side pays half.
struct ByteCosts {
  double remote = 0, local = 0;
};

struct Item {
  LocalObject object;
  bool moves = false;  // else it stays where it is
  int side = 0;        // of the two PEs, that with the lower number is 0
};

struct Talk {
  std::size_t item = 0;  // kOnThirdPe: an object on a third PE
  double bytes = 0;
};
constexpr std::size_t kOnThirdPe = ~std::size_t{0};

/// Objects of one side that go to the other.
struct Cluster {
  std::vector<std::size_t> items;
  std::array<double, 2> change{};  // of the work of both sides
  double bytes = 0;
  int migrations = 0;
};

/// Two PEs that meet, or one alone.
class Pair {
 public:
  Pair(std::span<const PeMessage* const> pes, const ByteCosts& costs) : pes_(pes), costs_(costs) {
    for (std::size_t side = 0; side < pes.size(); ++side) add_items(static_cast<int>(side));
    std::ranges::sort(items_, {}, number_of);
    talks_.resize(items_.size());
    for (const PeMessage* pe : pes) {
      for (const LocalEdge& edge : pe->edges) talks_[find(edge.from)].push_back({find(edge.to), edge.bytes});
      work_[static_cast<std::size_t>(pe != pes[0])] = pe->numbers[0];
    }
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const auto side = static_cast<std::size_t>(items_[i].side);
      work_[side] += items_[i].moves ? items_[i].object.load / pes[side]->numbers[1] : 0;
      held_[side] += items_[i].object.bytes;
      for (const Talk& talk : talks_[i]) work_[side] += cost(talk, is_on(talk, items_[i].side));
    }
  }

  double work(std::size_t side) const { return work_[side]; }
  const std::vector<Item>& items() const { return items_; }

  /// Moves what brings the greater work down most, by `least` at least. `swaps`: clusters go both ways, too.
  /// Returns whether anything moved.
  bool improve(double least, bool swaps, std::size_t turn) {
    const int late = work_[1] > work_[0];
    const auto giver = static_cast<std::size_t>(late);
    const double difference = work_[giver] - work_[1 - giver];
    const std::vector<Cluster> going = clusters(late, difference, turn),
                               coming = clusters(1 - late, difference, turn);
    Best best{work_[giver] - least};
    const Cluster nothing;
    for (const Cluster& there : going) consider(there, nothing, late, best);
    for (const Cluster& back : coming) consider(nothing, back, late, best);
    for (const Cluster& there : going)
      for (const Cluster& back : coming)
        if (swaps) consider(there, back, late, best);
    if (!best.there) return false;
    for (const Cluster* cluster : {best.there, best.back})
      for (const std::size_t item : cluster->items) items_[item].side = 1 - items_[item].side;
    for (std::size_t side = 0; side < 2; ++side) work_[side] = best.work[side];
    held_[giver] += best.back->bytes - best.there->bytes;
    held_[1 - giver] += best.there->bytes - best.back->bytes;
    return true;
  }

 private:
  struct Best {
    double greater;
    int migrations = std::numeric_limits<int>::max();
    const Cluster *there = nullptr, *back = nullptr;
    std::array<double, 2> work{};
  };

  static ObjectIndex number_of(const Item& item) { return item.object.object; }

  /// Those that cannot move are known by what they say and hear.
  void add_items(int side) {
    const PeMessage& pe = *pes_[static_cast<std::size_t>(side)];
    for (const LocalObject& object : pe.objects) items_.push_back({object, true, side});
    for (const LocalEdge& edge : pe.edges) {
      const bool known = std::ranges::binary_search(pe.objects, edge.from, {}, &LocalObject::object);
      if (!known && (items_.empty() || items_.back().object.object != edge.from))
        items_.push_back({{.object = edge.from, .home = pe.pe}, false, side});
    }
  }

  std::size_t find(ObjectIndex number) const {
    const auto found = std::ranges::lower_bound(items_, number, {}, number_of);
    return found == items_.end() || found->object.object != number
               ? kOnThirdPe
               : static_cast<std::size_t>(found - items_.begin());
  }

  double cost(const Talk& talk, bool on_one_pe) const {
    return talk.bytes * (on_one_pe ? costs_.local : costs_.remote);
  }
  bool is_on(const Talk& talk, int side) const {
    return talk.item != kOnThirdPe && items_[talk.item].side == side;
  }

  /// Adds the item, as the next that goes to the other side.
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

  /// Adds the clusters that grow from the k-th of those that can move.
  void grow_from(std::span<const std::size_t> movable, std::size_t k, int side, double most_s,
                 std::vector<Cluster>& all) {
    Cluster cluster;
    std::vector<double> bytes(items_.size(), 0);
    std::priority_queue<std::pair<double, std::size_t>> next;
    double load_s = 0;
    std::size_t others = k, item = movable[k];
    for (;;) {
      load_s += items_[item].object.load / pes_[static_cast<std::size_t>(side)]->numbers[1];
      if (!cluster.items.empty() && load_s > most_s) break;
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
      // Nobody else talks to it: whoever is next.
      do item = movable[++others % movable.size()];
      while (items_[item].side != side);
    }
    if (all.back().items.size() != cluster.items.size()) all.push_back(cluster);
    for (const std::size_t each : cluster.items) items_[each].side = side;
  }

  void consider(const Cluster& there, const Cluster& back, int late, Best& best) {
    const auto giver = static_cast<std::size_t>(late);
    std::array<double, 2> work{};
    for (std::size_t side = 0; side < 2; ++side)
      work[side] = work_[side] + there.change[side] + back.change[side];
    const int moves = there.migrations + back.migrations;
    const auto is_better = [&] {
      const double greater = std::max(work[0], work[1]);
      return greater < best.greater || (greater == best.greater && moves < best.migrations && best.there);
    };
    if (!is_better() || !fits(giver, back.bytes - there.bytes) || !fits(1 - giver, there.bytes - back.bytes))
      return;
    // Those of both that talk to each other will not have come together.
    for (double& each : work) each += 2 * parted(there, back);
    if (!is_better()) return;
    best = {std::max(work[0], work[1]), moves, &there, &back, work};
  }

  bool fits(std::size_t side, double more) const {
    return more <= 0 || held_[side] + more <= pes_[side]->numbers[2];
  }

  /// What is saved where one of the two clusters goes to where the other is, by each side.
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
  std::vector<Item> items_;  // rising by number
  std::vector<std::vector<Talk>> talks_;
  std::array<double, 2> work_{}, held_{};
};

class Ccm : public MeetingPe {
 public:
  Ccm(LocalPe local, const Options& options, std::uint64_t seed)
      : MeetingPe(std::move(local), options, seed),
        remote_(options.real("remote")),
        local_part_(options.real("local")),
        own_{.pe = this->local().pe,
             .numbers = {this->local().fixed_s, this->local().speed, this->local().memory_bytes},
             .objects = this->local().objects} {
    if (!this->local().knows_edges)
      throw MissingData("ccm needs the communication graph, which was not recorded");
  }

  const std::vector<LocalObject>& objects() const override { return own_.objects; }

 private:
  /// Whom objects send to learns of it.
  std::vector<PeMessage> greet() override {
    std::vector<PeMessage> messages;
    for (const PeIndex pe : local().partners()) messages.push_back({.pe = pe});
    for (LocalEdge edge : local().edges) {
      if (edge.from == edge.to) continue;
      // Those that nobody can name are one that cannot move, on each PE.
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

  double greeted(std::span<const PeMessage> inbox) override {
    for (const PeMessage& message : inbox)
      for (const LocalEdge& edge : message.edges)
        own_.edges.push_back({edge.to, edge.from, message.pe, edge.bytes});
    // Either side has half of what goes between two objects.
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
    return bytes;
  }

  void begin(double load_s, double bytes) override {
    if (bytes > 0) costs_ = {remote_ * load_s / bytes, local_part_ * load_s / bytes};
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

  /// Returns how many objects went.
  double take(const Pair& pair, const PeMessage& other, int side) {
    const std::vector<LocalObject> before = std::exchange(own_.objects, {});
    for (const Item& item : pair.items())
      if (item.moves && item.side == side) own_.objects.push_back(item.object);
    const auto is_in = [](const std::vector<LocalObject>& objects, const LocalEdge& edge) {
      return std::ranges::binary_search(objects, edge.from, {}, &LocalObject::object);
    };
    std::erase_if(own_.edges,
                  [&](const LocalEdge& edge) { return is_in(before, edge) && !is_in(own_.objects, edge); });
    for (const LocalEdge& edge : other.edges)
      if (is_in(own_.objects, edge)) own_.edges.push_back(edge);
    std::ranges::sort(own_.edges, {}, ends_of);
    weigh();
    double gone = 0;
    for (const LocalObject& object : before)
      gone += !std::ranges::binary_search(own_.objects, object.object, {}, &LocalObject::object);
    return gone;
  }

  void weigh() {
    const std::array<const PeMessage*, 1> alone{&own_};
    work_ = Pair(alone, costs_).work(0);
  }

  static std::array<ObjectIndex, 3> ends_of(const LocalEdge& edge) { return {edge.from, edge.to, edge.pe}; }

  const double remote_, local_part_;  // what all bytes would cost, in parts of all loads
  PeMessage own_;                     // what the PE has, and tells: objects and edges rising
  ByteCosts costs_;
  double least_ = 0;  // that a turn has to gain
  double work_ = 0;
};

}  // namespace

std::span<const Key> ccm_keys() {
  static constexpr Key keys[] = {
      kMeetingTarget,
      kMeetingRounds,
      real_key("remote", "0.25", 0, 1e6,
               "what all messages would cost if they were between PEs, as part of all loads"),
      real_key("local", "0", 0, 1e6, "the same, if they were all inside PEs"),
  };
  return keys;
}

std::unique_ptr<PeProcess> begin_ccm(LocalPe local, const Options& options, std::uint64_t seed) {
  return std::make_unique<Ccm>(std::move(local), options, seed);
}

}  // namespace skein::lb
