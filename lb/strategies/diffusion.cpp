// SPDX-License-Identifier: Apache-2.0
// diffusion: every PE gives to its less loaded neighbours, as heat spreads. First the loads alone are spread,
// as if they could be divided at will, and what has flowed over each link is summed up. Then objects are sent
// to match these sums, in rounds, since a PE may have to pass on what it has first to receive.
//
// Distributed: a PE needs nothing but its own objects, its neighbours' finish times, and the largest of all
// (a reduction a step) to know when to stop.
//
// With every_step, one step of spreading is made at each sync point of the program, instead of all at an LB
// step: the third choice of O. Pearce et al., "Quantifying the effectiveness of load balance algorithms", ICS
// 2012. Load then flows while it is computed with, and imbalance that returns is met at once.
//
// Looks at loads, speeds, background, placement; whom objects send to where graph=comm or known. Wins on many
// PEs, where gathering all objects is too dear, and keeps objects near where they were. Loses where load has
// to travel far: a ring of P PEs takes about P^2 steps. Returns the present placement when the result would
// finish later. A PE: O(steps links + n log n), n its objects. G. Cybenko, "Dynamic load balancing for
// distributed memory multiprocessors", Journal of Parallel and Distributed Computing 7 (1989); the weights of
// links are those of Metropolis chains, which converge on any graph, times gamma, the coefficient of Pearce
// et al. (Algorithm 2).
#include <algorithm>
#include <cmath>

#include "lb/kernel/heaviest_first.hpp"
#include "lb/kernel/pe_graph.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/distributed.hpp"

namespace skein::lb {
namespace {

struct Link {
  PeIndex pe;
  double weight = 0;  // the part of a difference in finish times that flows in a step, as load
  double flow = 0;    // load to go there; negative when it comes from there
};

class Diffusion : public PeProcess {
 public:
  Diffusion(LocalPe local, const Options& options)
      : local_(std::move(local)),
        steps_(options.choice(kEveryStepKey) == "yes" ? 1 : options.integer("steps")),
        gamma_(options.real("gamma")),
        tolerance_(options.real("tolerance")),
        held_(local_.objects),
        finish_(finish_of(local_, held_)) {
    const std::string& shape = options.choice("graph");
    if (shape == "comm" && !local_.knows_partners) {
      throw MissingData("graph=comm needs the communication graph, which was not recorded");
    }
    const bool by_messages = shape == "comm" || (shape == "known" && !local_.partners.empty());
    for (PeIndex pe : by_messages ? local_.partners : shape_neighbours(shape, local_.pe, local_.pe_count))
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
    if (totals.max >= before_) held_ = local_.objects;
    return {.done = true};
  }

  const std::vector<LocalObject>& objects() const override { return held_; }

 private:
  enum class Stage { greet, meet, weigh, spread, send, judge };

  PeRound tell(std::array<double, 3> numbers, const Totals& contribution) const {
    PeRound round{.contribution = contribution};
    for (const Link& link : links_) round.messages.push_back({.pe = link.pe, .numbers = numbers});
    return round;
  }

  /// Who was greeted by others is their neighbour too: partners know only whom they sent to.
  PeRound meet(std::span<const PeMessage> inbox, const Totals& totals) {
    for (const PeMessage& message : inbox) {
      if (!link_to(message.pe)) links_.push_back({message.pe});
    }
    std::ranges::sort(links_, {}, &Link::pe);
    before_ = totals.max;
    limit_ = tolerance_ * (totals.sums[0] / totals.sums[1]);
    return tell({finish_, local_.speed, static_cast<double>(links_.size())}, {{}, finish_});
  }

  /// From here on every neighbour sends one message a round: inbox[k] is that of links_[k].
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
    double next = finish_;
    for (std::size_t k = 0; k < links_.size(); ++k) {
      const double load = links_[k].weight * (finish_ - inbox[k].numbers[0]);
      links_[k].flow += load;
      next -= load / local_.speed;
    }
    finish_ = next;
    return tell({finish_}, {{}, finish_});
  }

  /// Every object sent leaves less unmatched, so rounds end by themselves; load has at most PEs - 1 links to
  /// go. totals.sums[0]: how many were sent in the last round.
  PeRound send(std::span<const PeMessage> inbox, const Totals& totals) {
    for (const PeMessage& message : inbox) {
      for (const LocalObject& object : message.objects) {
        held_.push_back(object);
        link_to(message.pe)->flow += object.load;
      }
    }
    if (totals.sums[0] == 0 || rounds_++ == local_.pe_count) {
      stage_ = Stage::judge;
      return {.contribution = {{}, finish_of(local_, held_)}};
    }
    PeRound round;
    for (const Link& link : links_) round.messages.push_back({.pe = link.pe});
    round.contribution.sums[0] = send_objects(round.messages);
    std::erase_if(round.messages, [](const PeMessage& message) { return message.objects.empty(); });
    return round;
  }

  /// Heaviest first, each goes over the link with the most left to send if that takes it whole; then,
  /// lightest first, over that link if it takes half of it. Returns how many went.
  double send_objects(std::vector<PeMessage>& messages) {
    if (links_.empty()) return 0;
    const std::size_t before = held_.size();
    const auto goes = [&](const LocalObject& object, double room) {
      const auto most = std::ranges::max_element(links_, {}, &Link::flow);
      if (most->flow <= room) return false;
      most->flow -= object.load;
      messages[static_cast<std::size_t>(most - links_.begin())].objects.push_back(object);
      return true;
    };
    std::ranges::sort(held_, kHeavier);
    std::erase_if(held_, [&](const LocalObject& object) { return goes(object, object.load); });
    while (!held_.empty() && goes(held_.back(), held_.back().load / 2)) held_.pop_back();
    return static_cast<double>(before - held_.size());
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
  std::vector<LocalObject> held_;
  double finish_;  // of the loads as they spread
  double before_ = 0, limit_ = 0;
  Stage stage_ = Stage::greet;
  std::int64_t step_ = 0;
  PeIndex rounds_ = 0;
};

}  // namespace

std::span<const Key> diffusion_keys() {
  static constexpr Key keys[] = {
      choice_key(
          "graph", "known", kPeGraphShapes,
          "which PEs are neighbours: known as those whose objects send each other messages, or so far"),
      real_key("gamma", "1", 0.001, 1,
               "how much of what evens two neighbours out in the long run goes in a step, for programs that "
               "can move only so much at once"),
      integer_key("steps", "1000", 1, 1e6, "steps of spreading at most"),
      real_key("tolerance", "1.01", 1, 10, "spreading stops at this multiple of the perfect finish time"),
      switch_key(kEveryStepKey, "one step of spreading at each sync point, whatever the period is"),
  };
  return keys;
}

std::unique_ptr<PeProcess> begin_diffusion(LocalPe local, const Options& options, std::uint64_t) {
  return std::make_unique<Diffusion>(std::move(local), options);
}

Assignment assign_diffusion(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  return decide_in_one_process(snapshot, options, seed, begin_diffusion);
}

}  // namespace skein::lb
