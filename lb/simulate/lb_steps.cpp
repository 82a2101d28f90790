// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/lb_steps.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skein::simulate {
namespace {

/// Throws if the objects of a PE exceed its memory, which may happen even if no object moves.
void check_memory(const JobState& job, std::size_t pes) {
  const Platform& platform = job.platform;
  if (platform.memory_bytes == 0) return;
  std::vector<std::uint64_t> held(pes, 0);
  for (std::size_t i = 0; i < job.shares.size(); ++i) held[job.pe_of[i]] += job.shares[i].bytes;
  for (std::size_t pe = 0; pe < pes; ++pe)
    if (held[pe] > platform.memory_bytes)
      throw SimulationError(
          "at their last sync points the objects of PE " + std::to_string(pe) + " have " +
          std::to_string(held[pe]) + " bytes in use, and platform '" + platform.name + "' has " +
          std::to_string(platform.memory_bytes) +
          " a PE (memory_bytes, or --lb-memory): take more PEs, smaller objects, or a strategy that has "
          "room on others");
}

/// Returns the time at which each PE has received its new objects and sent off its leaving ones.
std::vector<Ns> play_transfers(const std::vector<StepOutcome::Transfer>& transfers, Network& network,
                               Ns begin, std::size_t pes) {
  std::vector<Ns> done(pes, begin);
  for (std::size_t i = 0; i < transfers.size(); ++i)
    network.send(i, transfers[i].from, transfers[i].to, transfers[i].bytes, begin);
  for (std::size_t left = transfers.size(); left > 0;) {
    const Delivery delivery = network.take();
    if (delivery.message == Delivery::none) continue;
    --left;
    const StepOutcome::Transfer& transfer = transfers[delivery.message];
    done[transfer.from] = std::max(done[transfer.from], delivery.at);
    done[transfer.to] = std::max(done[transfer.to], delivery.at);
  }
  return done;
}

}  // namespace

void LbSteps::note_made(const JobState& job, Timeline& timeline) {
  if (lazy_ || job.policy.steps_as_recorded) return;
  if (balancer_.placement() == job.pe_of) return;
  for (std::size_t i = 0; i < job.trace.object_count(); ++i) {
    if (balancer_.placement()[i] == job.pe_of[i]) continue;
    placed_[i] = job.pe_of[i];
    for (lb::Assignment& before : timeline.placement) before[i] = job.pe_of[i];
  }
  balancer_.set_placement(job.pe_of);
}

void LbSteps::end_interval(JobState& job, Timeline& timeline) {
  note_made(job, timeline);
  const std::size_t row = timeline.busy.size();
  timeline.busy.resize(row + timeline.pes, 0);
  timeline.unbalanced.resize(row + timeline.pes, 0);
  const lb::Assignment& was = timeline.placement.empty() ? job.pe_of : timeline.placement.back();
  std::vector<Ns> unmoved(timeline.pes, 0);
  for (std::size_t i = 0; i < job.shares.size(); ++i) {
    JobState::Share& share = job.shares[i];
    const PeIndex pe = job.pe_of[i], home = placed_[i];
    timeline.busy[row + pe] += share.busy;
    timeline.pe_busy[pe] += share.busy;
    const auto on = [&](PeIndex other) {
      return pe == other ? share.busy : job.speed.processor_ns(other, share.work_ns);
    };
    timeline.unbalanced[row + home] += on(home);
    const PeIndex before = was[i < was.size() ? i : job.whole_of(static_cast<ObjectIndex>(i))];
    unmoved[before] += on(before);
  }
  timeline.fullest_unmoved.push_back(*std::max_element(unmoved.begin(), unmoved.end()));
  timeline.placement.push_back(job.pe_of);
}

void LbSteps::close(JobState& job, Player& player, Timeline& timeline) {
  check_memory(job, timeline.pes);
  end_interval(job, timeline);
  // A lazy job does not wait for a decision that is still made when its objects have ended.
  timeline.makespan = lazy_ ? lazy_->last_end() : player.machine().latest();
  if (lazy_) timeline.decisions = lazy_->decisions();
  if (!passed_) {
    timeline.interval_end.push_back(timeline.makespan);
    return;
  }
  passed_->close(job, timeline.makespan, timeline);
  timeline.unbalanced = timeline.busy;
  timeline.fullest_unmoved.clear();
  for (auto row = timeline.busy.begin(); row != timeline.busy.end();
       row += static_cast<std::ptrdiff_t>(timeline.pes))
    timeline.fullest_unmoved.push_back(
        *std::max_element(row, row + static_cast<std::ptrdiff_t>(timeline.pes)));
}

StepOutcome LbSteps::recorded_step(const JobState& job) {
  StepOutcome outcome;
  outcome.placement = job.pe_of;
  outcome.record.points = job.policy.period;
  if (recorded_ >= job.trace.steps().size()) return outcome;
  const trace::RecordedStep& step = job.trace.steps()[recorded_++];
  outcome.record.strategy = step.strategy;
  outcome.record.moved = step.moves.size();
  for (const auto& [object, pe] : step.moves)
    if (object < outcome.placement.size() && pe < balancer_.computing_pes()) outcome.placement[object] = pe;
  return outcome;
}

StepOutcome LbSteps::decide(JobState& job, Ns at, std::span<const Ns> waited) {
  if (job.policy.steps_as_recorded) return recorded_step(job);
  if (lazy_) {
    StepOutcome outcome = balancer_.apply(at, lazy_->measure(job));
    outcome.record.late->asked_at = lazy_->asked_at();
    outcome.record.late->applied_at = lazy_->agreed_stop();
    outcome.record.points = lazy_->agreed_stop() - std::exchange(last_stop_, lazy_->agreed_stop());
    return outcome;
  }
  std::vector<ObjectMeasurement> measured;
  measured.reserve(job.shares.size());
  for (const JobState::Share& share : job.shares) measured.push_back({share.busy, share.bytes, share.ended});
  for (ObjectIndex i = 0; i < job.told.size(); ++i) {
    const JobState::Told& told = job.told[i];
    measured[i].declared = told.load;
    measured[i].level = told.level;
    measured[i].divisible = told.divisible;
    if (job.whole_of(i) != i) measured[i].whole = job.whole_of(i);
  }
  return balancer_.step(at, waited, measured, traffic_.take());
}

void LbSteps::step(JobState& job, Player& player, Network& network, Timeline& timeline) {
  const Ns at = player.machine().latest();
  end_interval(job, timeline);
  std::vector<Ns> waited;
  for (PeIndex pe = 0; pe < timeline.pes; ++pe) waited.push_back(at - player.machine().clock(pe));
  StepOutcome outcome = decide(job, at, waited);
  const Ns begin = at + outcome.decided;
  std::vector<Ns> done = play_transfers(outcome.transfers, network, begin, player.machine().pes());
  for (std::size_t pe = 0; pe < done.size() && pe < outcome.moving_of_pe.size(); ++pe)
    done[pe] += outcome.moving_of_pe[pe];
  // All PEs wait for the last one, since the figures of moves are summed over all PEs.
  const Ns resumed = std::max(begin, *std::max_element(done.begin(), done.end()));
  balancer_.moved_in(resumed - begin);
  if (!lazy_) next_step_ = balancer_.next_step(next_step_);

  outcome.record.at = at;
  outcome.record.behind = player.behind();
  outcome.record.move = resumed - begin;
  timeline.steps.push_back(std::move(outcome.record));
  timeline.interval_end.push_back(resumed);
  if (job.pe_of != outcome.placement) {
    job.pe_of = std::move(outcome.placement);
    ++job.generation;
  }
  if (!outcome.splits.empty() && job.policy.keep_bursts)
    throw SimulationError("LB step " + std::to_string(timeline.steps.size()) +
                          " splits elements, whose parts have no stream in the trace that bursts, critical "
                          "paths and traces are of: leave out --bursts, --critical-path and --trace");
  for (const lb::Split& split : outcome.splits) placed_.push_back(placed_[split.object]);
  if (!outcome.splits.empty() || !outcome.merges.empty()) player.divide(outcome.splits, outcome.merges);
  if (lazy_) lazy_->applied(job);
  for (JobState::Share& share : job.shares) share.busy = 0, share.work_ns = 0;
  for (PeIndex pe = 0; pe < player.machine().pes(); ++pe) player.machine().clock(pe) = resumed;
  player.resume();
}

}  // namespace skein::simulate
