// SPDX-License-Identifier: Apache-2.0
#include "skein/advisor.hpp"

#include <utility>

#include "runtime/advisor/gather.hpp"
#include "runtime/advisor/judge.hpp"
#include "runtime/advisor/remote.hpp"
#include "runtime/advisor/virtual_world.hpp"
#include "skein/lb/strategy.hpp"

namespace skein {
namespace {

double now() { return MPI_Wtime(); }

/// Returns the world with deciding processes; null if each process decides for itself. Deciders among the
/// application cannot serve an advisor of a part of it, whose collective calls they may never make.
const advisor::VirtualWorld* world_for(MPI_Comm comm) {
  const advisor::VirtualWorld* const world = advisor::virtual_world();
  if (!world || !world->serve) return world;
  int members = 0, all = 0;
  PMPI_Comm_size(comm, &members);
  PMPI_Comm_size(world->job, &all);
  return members == all ? world : nullptr;
}

}  // namespace

struct Advisor::State {
  MPI_Comm comm = MPI_COMM_NULL;
  int here = 0;
  double work_started = 0, worked = 0;
  std::vector<AdvisorInteraction> interactions;
  /// The one of these two that decides:
  std::unique_ptr<advisor::Judge> judge;
  std::unique_ptr<advisor::RemoteJudge> remote;

  Advice decide(const advisor::ProcessInput& given);
};

Advice Advisor::State::decide(const advisor::ProcessInput& given) {
  const double started = now();
  const advisor::Gathered gathered = advisor::gather(comm, given);
  return judge
      ->judge(gathered, given.steps, started,
              [this](std::span<double> times) { advisor::reduce_max(comm, times); })
      .for_process(static_cast<std::size_t>(here), gathered);
}

Advisor::Advisor(MPI_Comm comm, const AdvisorOptions& options) : state_(std::make_unique<State>()) {
  if (!options.strategy.empty()) (void)lb::parse_strategy(options.strategy);
  const advisor::VirtualWorld* const world = world_for(comm);
  MPI_Comm_dup(comm, &state_->comm);
  MPI_Comm_rank(state_->comm, &state_->here);
  const lb::CostModel cost = advisor::measure_messages(state_->comm);
  if (world)
    state_->remote = std::make_unique<advisor::RemoteJudge>(state_->comm, *world, options, cost);
  else
    state_->judge = std::make_unique<advisor::Judge>(options, cost, now);
}

Advisor::~Advisor() {
  if (!state_) return;
  state_->remote.reset();
  MPI_Comm_free(&state_->comm);
}
Advisor::Advisor(Advisor&&) noexcept = default;
Advisor& Advisor::operator=(Advisor&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

void Advisor::begin_work() { state_->work_started = now(); }
void Advisor::end_work() { add_work(now() - state_->work_started); }
void Advisor::add_work(double seconds) { state_->worked += seconds; }

void Advisor::tell_interactions(std::span<const AdvisorInteraction> interactions) {
  state_->interactions.assign(interactions.begin(), interactions.end());
}

Advice Advisor::advise(std::span<const AdvisorElement> elements, std::span<const AdvisorEdge> edges,
                       std::span<const std::array<float, 3>> positions, std::uint64_t steps) {
  const std::vector<AdvisorInteraction> interactions = std::exchange(state_->interactions, {});
  const advisor::ProcessInput given{elements, edges,       positions, std::exchange(state_->worked, 0.0),
                                    steps,    interactions};
  return state_->remote ? state_->remote->advise(given) : state_->decide(given);
}

void Advisor::moved(double seconds) {
  if (state_->remote) return state_->remote->moved(seconds);
  advisor::reduce_max(state_->comm, std::span(&seconds, 1));
  state_->judge->moved(seconds);
}

}  // namespace skein
