// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <ctime>
#include <utility>

#include "apps/dislocations/scenario.hpp"

namespace dislocations {
namespace {

/// Returns the processor seconds of this thread: a process may hold several virtual ranks.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Adds the time of its life to some sums.
class Timed {
 public:
  template <class... Sums>
  explicit Timed(Sums&... sums) : sums_{&sums...}, began_(processor_seconds()) {}
  ~Timed() {
    const double took = processor_seconds() - began_;
    for (double* const sum : sums_) *sum += took;
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  std::vector<double*> sums_;
  double began_;
};

template <class T>
std::vector<std::vector<T>> by_process(const Outbox<T>& out, int processes) {
  std::vector<std::vector<T>> parts(static_cast<std::size_t>(processes));
  for (const auto& [to, part] : out) parts[static_cast<std::size_t>(to)] = part;
  return parts;
}

template <class T>
void append(Outbox<T>& to, const Outbox<T>& from) {
  for (const auto& [receiver, part] : from) to[receiver].insert(to[receiver].end(), part.begin(), part.end());
}

}  // namespace

Process::Process(MPI_Comm comm, const Parameters& parameters, OwnerOf owner_of)
    : comm_(comm), parameters_(parameters), owner_of_(std::move(owner_of)) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &processes_);
  domain_ = Domain(parameters, rank_);
  if (rank_ == 0) domain_.take(initial_nodes(parameters));
  settle();
  load_ = {};
}

void Process::step(int step) {
  const Surroundings near = exchange_segments();
  const std::vector<Multipole> far = multipoles();
  Outbox<Notice> notices;
  {
    const Timed timed(load_.work_s, load_.forces_s);
    for (const std::int32_t cell : domain_.cells()) {
      CellLoad& load = cell_loads_[cell];
      const Timed of_cell(load.forces_s);
      const FarField field(parameters_.material, parameters_.box, far, cell);
      append(notices, domain_.attract(near, field, cell));
      load.evaluations += field.evaluations();
      load_.evaluations += field.evaluations();
    }
  }
  for (const auto& [id, node] : domain_.nodes()) {
    if (node.next.id == 0) continue;
    load_.evaluations += node.evaluations;
    cell_loads_[parameters_.box.cell_of(node.x)].evaluations += node.evaluations;
  }
  {
    const Timed timed(load_.work_s, load_.collisions_s);
    append(notices, domain_.annihilate(near));
  }
  deliver(notices);
  {
    const Timed timed(load_.work_s, load_.remesh_s);
    notices = domain_.move();
  }
  deliver(notices);
  {
    const Timed timed(load_.work_s, load_.remesh_s);
    notices = domain_.remesh(step);
  }
  deliver(notices);
  settle();
}

// The owner of a segment near one of another process sends it there.
Surroundings Process::exchange_segments() {
  const apps::Gathered<std::int32_t> cells = apps::all_gather(comm_, domain_.cells());
  std::vector<std::vector<Segment>> out(static_cast<std::size_t>(processes_));
  {
    const Timed timed(load_.work_s);
    for (int process = 0; process < processes_; ++process)
      if (process != rank_)
        out[static_cast<std::size_t>(process)] = domain_.segments_near(cells.part(process));
  }
  const std::vector<Segment> others = apps::all_to_all(comm_, out).all;
  const Timed timed(load_.work_s);
  return domain_.surroundings(others);
}

std::vector<Multipole> Process::multipoles() {
  std::vector<Moments> moments(static_cast<std::size_t>(parameters_.box.cell_count()));
  {
    const Timed timed(load_.work_s);
    domain_.add_to(moments);
  }
  apps::sum_over_all(comm_, moments);
  const Timed timed(load_.work_s);
  return {moments.begin(), moments.end()};
}

void Process::deliver(const Outbox<Notice>& notices) {
  const std::vector<Notice> read = apps::all_to_all(comm_, by_process(notices, processes_)).all;
  const Timed timed(load_.work_s);
  domain_.read(read);
}

void Process::settle() {
  Outbox<Node> leavers;
  {
    const Timed timed(load_.work_s);
    leavers = domain_.settle(owner_of_);
  }
  const std::vector<Node> come = apps::all_to_all(comm_, by_process(leavers, processes_)).all;
  const Timed timed(load_.work_s);
  domain_.take(come);
}

void Process::reassign(OwnerOf owner_of) {
  owner_of_ = std::move(owner_of);
  settle();
}

Load Process::take_load() {
  evaluations_ += load_.evaluations;
  return std::exchange(load_, {});
}

std::map<std::int32_t, CellLoad> Process::take_cell_loads() { return std::exchange(cell_loads_, {}); }

}  // namespace dislocations
