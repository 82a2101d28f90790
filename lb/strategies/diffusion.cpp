// SPDX-License-Identifier: Apache-2.0
// diffusion: each PE gives load to its less loaded neighbours, as heat spreads. First the loads alone are
// spread, as if they could be divided at will, and the flow over each link is summed up. Then objects are
// sent to match these sums, in rounds, since a PE may have to pass on objects that it must first receive:
// preferably objects that communicate more with the neighbour, and less with objects that stay.
//
// Each link repeats part of its flow of the step before: so load gets as far in n steps as in n^2 steps
// without that (second-order diffusion). The part rises step by step, as in Nesterov's method, and starts
// again from zero when the largest finish time rises: so no eigenvalues of the graph are needed.
//
// Distributed: a PE needs only its own objects, its neighbours' finish times, and, to know when to stop, the
// largest finish time (a reduction a step).
//
// With every_step, each sync point of the program makes one step of spreading, instead of an LB step making
// all: the third choice of O. Pearce et al., "Quantifying the effectiveness of load balance algorithms", ICS
// 2012. Load then flows while the program computes, and recurring imbalance is met at once.
//
// Looks at loads, speeds, background, placement; whom objects send to where graph=comm or known. Wins on many
// PEs, where gathering all objects is too dear, and keeps objects near where they were. Loses where load has
// to travel far: a ring of P PEs takes some P steps. Returns the present placement when the result would
// finish later. A PE: O(steps links + n log n), n its objects. G. Cybenko, "Dynamic load balancing for
// distributed memory multiprocessors", Journal of Parallel and Distributed Computing 7 (1989); the weights of
// links are those of Metropolis chains, which converge on any graph, times gamma, the coefficient of Pearce
// et al. (Algorithm 2). Second order: S. Muthukrishnan, B. Ghosh, M. H. Schultz, Theory of Computing Systems
// 31 (1998); beginning anew: B. O'Donoghue, E. Candes, Foundations of Computational Mathematics 15 (2015).
#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <utility>

#include "lb/kernel/pe_graph.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/distributed.hpp"

namespace skein::lb {
namespace {

struct Link {
  PeIndex pe;
  double weight = 0;  // the fraction of a difference in finish times that flows in a step, as load
  double flow = 0;    // load to send there; negative: to receive from there
  double pace = 0;    // the flow of the last step
};

struct Held {
  LocalObject object;
  std::vector<LocalEdge> edges;
};

/// An object that may go over a link. `gain`: bytes exchanged with the PE there less those with objects here,
/// for each unit of load, because load is what must flow.
struct Offer {
  double gain, load;
  std::size_t place;  // index in held_
};

class Diffusion : public PeProcess {
 public:
  Diffusion(LocalPe local, const Options& options)
      : local_(std::move(local)),
        steps_(options.choice(kEveryStepKey) == "yes" ? 1 : options.integer("steps")),
        gamma_(options.real("gamma")),
        tolerance_(options.real("tolerance")),
        final_(local_.objects),
        finish_(finish_of(local_, final_)) {
    for (const LocalObject& object : local_.objects) held_.push_back({object, {}});
    for (const LocalEdge& edge : local_.edges)
      if (Held* const held = held_object(edge.from)) held->edges.push_back(edge);
    const std::string& shape = options.choice("graph");
    if (shape == "comm" && !local_.knows_edges) {
      throw MissingData("graph=comm needs the communication graph, which was not recorded");
    }
    const std::vector<PeIndex> partners = local_.partners();
    const bool by_messages = shape == "comm" || (shape == "known" && !partners.empty());
    for (PeIndex pe : by_messages ? partners : shape_neighbours(shape, local_.pe, local_.pe_count))
      links_.push_back({pe});
  }

  PeRound step(std::span<const PeMessage> inbox, const Totals& totals) override {
    switch (stage_) {
      case Stage::greet:
        stage_ = Stage::meet;
        return tell({}, {{finish_ * local_.speed, local_.speed}, finish_});
      case Stage::meet:
        stage_ = Stage::weigh;
        return meet(inbox, totals);
      case Stage::weigh:
        stage_ = Stage::spread;
        set_weights(inbox);
        return spread(inbox, totals);
      case Stage::spread:
        return spread(inbox, totals);
      case Stage::send:
        return send(inbox, totals);
      case Stage::judge:
        break;
    }
    if (totals.max >= before_) final_ = local_.objects;
    return {.done = true};
  }

  const std::vector<LocalObject>& objects() const override { return final_; }

 private:
  enum class Stage { greet, meet, weigh, spread, send, judge };

  PeRound tell(std::array<double, 3> numbers, const Totals& contribution) const {
    PeRound round{.contribution = contribution};
    for (const Link& link : links_) round.messages.push_back({.pe = link.pe, .numbers = numbers});
    return round;
  }

  /// Makes PEs that greeted this one its neighbours too: a PE only knows the partners that it sent to.
  PeRound meet(std::span<const PeMessage> inbox, const Totals& totals) {
    for (const PeMessage& message : inbox) {
      if (!link_to(message.pe)) links_.push_back({message.pe});
    }
    std::ranges::sort(links_, {}, &Link::pe);
    before_ = totals.max;
    limit_ = tolerance_ * (totals.sums[0] / totals.sums[1]);
    return tell({finish_, local_.speed, static_cast<double>(links_.size())}, {{}, finish_});
  }

  /// From here on each neighbour sends one message a round: inbox[k] belongs to links_[k].
  void set_weights(std::span<const PeMessage> inbox) {
    for (std::size_t k = 0; k < links_.size(); ++k) {
      const auto degree = static_cast<std::size_t>(inbox[k].numbers[2]);
      links_[k].weight = gamma_ * link_weight(local_.speed, inbox[k].numbers[1], links_.size(), degree);
    }
  }

  PeRound spread(std::span<const PeMessage> inbox, const Totals& totals) {
    if (totals.max <= limit_ || step_++ == steps_) {
      stage_ = Stage::send;
      return send({}, {{1, 0}, 0});
    }
    momentum_steps_ = totals.max > largest_ ? 0 : momentum_steps_ + 1;
    largest_ = totals.max;
    const double kept = std::max(0.0, momentum_steps_ - 1) / (momentum_steps_ + 2);
    double next = finish_;
    for (std::size_t k = 0; k < links_.size(); ++k) {
      Link& link = links_[k];
      link.pace = kept * link.pace + (1 + kept) * link.weight * (finish_ - inbox[k].numbers[0]);
      link.flow += link.pace;
      next -= link.pace / local_.speed;
    }
    finish_ = next;
    return tell({finish_}, {{}, finish_});
  }

  /// Sends objects. Every object sent reduces the unmatched flow, so rounds end by themselves; load has at
  /// most PEs - 1 links to cross. totals.sums[0]: the number of objects sent in the last round.
  PeRound send(std::span<const PeMessage> inbox, const Totals& totals) {
    for (const PeMessage& message : inbox) take(message);
    if (totals.sums[0] == 0 || rounds_++ == local_.pe_count) {
      stage_ = Stage::judge;
      final_.clear();
      for (const Held& held : held_) final_.push_back(held.object);
      return {.contribution = {{}, finish_of(local_, final_)}};
    }
    PeRound round;
    for (const Link& link : links_) round.messages.push_back({.pe = link.pe});
    // Whole objects first, then objects half of whose load the link must still carry.
    const std::size_t sent = send_objects(round.messages, 1) + send_objects(round.messages, 0.5);
    round.contribution.sums[0] = static_cast<double>(sent);
    std::erase_if(round.messages, [](const PeMessage& message) { return message.objects.empty(); });
    return round;
  }

  void take(const PeMessage& message) {
    if (message.objects.empty()) return;
    for (const LocalObject& object : message.objects) {
      held_.push_back({object, {}});
      link_to(message.pe)->flow += object.load;
    }
    std::ranges::sort(held_, {}, number_of);
    for (const LocalEdge& edge : message.edges) held_object(edge.from)->edges.push_back(edge);
    for (const LocalObject& object : message.objects) note_place(*held_object(object.object), local_.pe);
  }

  /// Notes the new PE of a moved object in the edges of its partners here.
  void note_place(Held& moved, PeIndex pe) {
    for (LocalEdge& edge : moved.edges) {
      Held* const other = held_object(edge.to);
      if (!other) continue;
      if (pe == local_.pe) edge.pe = pe;
      for (LocalEdge& back : other->edges)
        if (back.to == moved.object.object) back.pe = pe;
    }
  }

  double gain(const Held& held, PeIndex pe) const {
    double bytes = 0;
    for (const LocalEdge& edge : held.edges)
      bytes += edge.pe == pe ? edge.bytes : edge.pe == local_.pe ? -edge.bytes : 0;
    return bytes / held.object.load;
  }

  /// Repeatedly takes the link with the most flow left, and sends over it the object with the largest gain
  /// among those of which the flow is at least the fraction `part`; of equals the heaviest if `part` is 1,
  /// else the lightest. Returns the number of objects sent.
  std::size_t send_objects(std::vector<PeMessage>& messages, double part) {
    if (links_.empty()) return 0;
    const auto less = [part](const Offer& a, const Offer& b) {
      if (a.gain != b.gain) return a.gain < b.gain;
      if (a.load != b.load) return (a.load < b.load) == (part == 1);
      return a.place > b.place;
    };
    // The offers for each link that objects went over or are sought for.
    std::map<std::size_t, std::priority_queue<Offer, std::vector<Offer>, decltype(less)>> offers;
    std::vector<bool> gone(held_.size(), false);
    const auto offer = [&](std::size_t link, std::size_t place) {
      offers.at(link).push({gain(held_[place], links_[link].pe), held_[place].object.load, place});
    };
    std::size_t count = 0;
    for (;;) {
      const auto most = std::ranges::max_element(links_, {}, &Link::flow);
      const auto link = static_cast<std::size_t>(most - links_.begin());
      if (offers.try_emplace(link, less).second)
        for (std::size_t place = 0; place < held_.size(); ++place)
          if (!gone[place]) offer(link, place);
      auto& queue = offers.at(link);
      // An object too large for the link with the most flow left is too large for all, from now on.
      while (!queue.empty() && (gone[queue.top().place] || most->flow <= part * queue.top().load))
        queue.pop();
      if (queue.empty()) break;
      const std::size_t place = queue.top().place;
      Held& held = held_[place];
      gone[place] = true;
      ++count;
      most->flow -= held.object.load;
      note_place(held, most->pe);
      // Its partners gain by following it: they are offered anew.
      for (const LocalEdge& edge : held.edges)
        if (const Held* const other = held_object(edge.to); other && !gone[place_of(*other)])
          for (const auto& [known, rest] : offers) offer(known, place_of(*other));
      PeMessage& message = messages[link];
      message.objects.push_back(held.object);
      message.edges.insert(message.edges.end(), held.edges.begin(), held.edges.end());
    }
    std::size_t place = 0;
    std::erase_if(held_, [&](const Held&) { return gone[place++]; });
    return count;
  }

  static ObjectIndex number_of(const Held& held) { return held.object.object; }
  std::size_t place_of(const Held& held) const { return static_cast<std::size_t>(&held - held_.data()); }
  Held* held_object(ObjectIndex object) {
    const auto found = std::ranges::lower_bound(held_, object, {}, number_of);
    return found == held_.end() || found->object.object != object ? nullptr : &*found;
  }

  Link* link_to(PeIndex pe) {
    const auto found = std::ranges::find(links_, pe, &Link::pe);
    return found == links_.end() ? nullptr : &*found;
  }

  const LocalPe local_;
  const std::int64_t steps_;
  const double gamma_;
  const double tolerance_;
  std::vector<Link> links_;
  std::vector<LocalObject> final_;
  std::vector<Held> held_;  // rising by number
  double finish_;           // of the loads while they spread
  double before_ = 0, limit_ = 0, largest_ = 0;
  double momentum_steps_ = 0;  // steps of spreading since momentum was reset
  Stage stage_ = Stage::greet;
  std::int64_t step_ = 0;
  PeIndex rounds_ = 0;
};

}  // namespace

std::span<const Key> diffusion_keys() {
  static constexpr Key keys[] = {
      choice_key(
          "graph", "known", kPeGraphShapes,
          "PEs that are neighbours. comm: those whose objects exchange messages; known: the same where "
          "messages are known, else those of hypercube"),
      real_key("gamma", "1", 0.001, 1,
               "part of the load that evens two neighbours out which moves in one step, for programs that "
               "can move only so much at once"),
      integer_key("steps", "1000", 1, 1e6, "most steps of spreading"),
      real_key("tolerance", "1.01", 1, 10, "spreading stops at this multiple of the perfect finish time"),
      switch_key(kEveryStepKey, "makes one step of spreading at each sync point, whatever the period is"),
  };
  return keys;
}

std::unique_ptr<PeProcess> begin_diffusion(LocalPe local, const Options& options, std::uint64_t) {
  return std::make_unique<Diffusion>(std::move(local), options);
}

}  // namespace skein::lb
