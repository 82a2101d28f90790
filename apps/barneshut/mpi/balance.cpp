// SPDX-License-Identifier: Apache-2.0
#include "balance.hpp"

#include <cstdio>

namespace barneshut {

Balancer::Balancer(MPI_Comm comm, Partition partition, const Asking& asking)
    : comm_(comm), partition_(partition) {
  if (partition == Partition::advisor) adviser_ = std::make_unique<Adviser>(comm, asking);
}

void Balancer::add_work(double seconds) {
  if (adviser_) adviser_->add_work(seconds);
}

void Balancer::balance(Domain& domain, int steps) {
  if (partition_ == Partition::none) return;
  domain.cut_anew();
  if (adviser_) {
    std::string told;
    domain.reassign(adviser_->advise(domain, steps, told));
    if (!told.empty()) std::printf("%s\n", told.c_str());
    return;
  }
  std::vector<std::uint64_t> work;
  std::vector<Vec3> places;
  for (const PieceWork& piece : domain.pieces()) {
    work.push_back(piece.work);
    places.push_back(piece.place);
  }
  int processes = 0;
  MPI_Comm_size(comm_, &processes);
  domain.reassign(partition_ == Partition::orb ? orb(places, work, processes) : costzones(work, processes));
}

}  // namespace barneshut
