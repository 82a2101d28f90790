// SPDX-License-Identifier: Apache-2.0
#include "balance.hpp"

#include <cstdio>
#include <stdexcept>

namespace dislocations {
namespace {

std::array<int, 3> dims_of(std::array<int, 3> wanted, int processes) {
  if (wanted[0] == 0) {
    MPI_Dims_create(processes, 3, wanted.data());
    return wanted;
  }
  if (std::int64_t{wanted[0]} * wanted[1] * wanted[2] != processes)
    throw std::runtime_error("--dims " + std::to_string(wanted[0]) + "x" + std::to_string(wanted[1]) + "x" +
                             std::to_string(wanted[2]) + " is not for " + std::to_string(processes) +
                             " processes: their product has to be that");
  return wanted;
}

}  // namespace

Balancer::Balancer(MPI_Comm comm, const MpiCommandLine& line)
    : comm_(comm), box_(line.parameters.box), partition_(line.partition), calipers_(line.calipers) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &processes_);
  sections_ = Sections(box_, dims_of(line.dims, processes_));
  if (partition_ == Partition::advisor) {
    adviser_ = std::make_unique<Adviser>(comm, box_, line.horizon);
    for (std::int32_t cell = 0; cell < box_.cell_count(); ++cell)
      cell_owners_.push_back(sections_.domain_of(box_.middle(cell)));
  }
  if (line.loads.empty()) return;
  int is_written = 1;
  if (rank_ == 0) {
    loads_.open(line.loads);
    loads_ << "step,process,evaluations,forces_s,work_s,collisions_s,remesh_s\n" << std::flush;
    is_written = static_cast<bool>(loads_);
  }
  MPI_Bcast(&is_written, 1, MPI_INT, 0, comm);
  if (!is_written) throw std::runtime_error("loads cannot be written to " + line.loads);
}

Process::OwnerOf Balancer::owner_of() const {
  if (!adviser_) return [sections = sections_](const Vec3& x) { return sections.domain_of(x); };
  return [box = box_, owners = cell_owners_](const Vec3& x) {
    return owners[static_cast<std::size_t>(box.cell_of(x))];
  };
}

double Balancer::weight(std::uint64_t evaluations, double forces_s) const {
  return calipers_ == Calipers::time ? forces_s : static_cast<double>(evaluations);
}

void Balancer::balance(Process& process, int step, int steps) {
  const Load mine = process.take_load();
  const std::map<std::int32_t, CellLoad> cell_loads = process.take_cell_loads();
  const std::vector<Load> all = apps::all_gather<Load>(comm_, {mine}).all;
  if (loads_.is_open())
    for (std::size_t k = 0; k < all.size(); ++k)
      loads_ << step << ',' << k << ',' << all[k].evaluations << ',' << all[k].forces_s << ','
             << all[k].work_s << ',' << all[k].collisions_s << ',' << all[k].remesh_s << '\n';
  if (partition_ == Partition::none) return;
  if (adviser_) {
    adviser_->add_work(mine.work_s);
    ask_adviser(process, cell_loads, steps);
  } else {
    std::vector<double> loads;
    for (const Load& load : all) loads.push_back(weight(load.evaluations, load.forces_s));
    sections_.shift(loads);
  }
  process.reassign(owner_of());
}

void Balancer::ask_adviser(const Process& process, const std::map<std::int32_t, CellLoad>& loads, int steps) {
  std::map<std::int32_t, std::size_t> segments;
  for (const auto& [id, node] : process.nodes()) ++segments[box_.cell_of(node.x)];
  std::vector<CellWork> cells;
  for (std::int32_t cell = 0; cell < box_.cell_count(); ++cell) {
    if (cell_owners_[static_cast<std::size_t>(cell)] != rank_) continue;
    const auto load = loads.find(cell);
    cells.push_back({cell, load == loads.end() ? 0 : weight(load->second.evaluations, load->second.forces_s),
                     segments[cell]});
  }
  std::string told;
  const std::vector<std::int32_t> owners = adviser_->advise(cells, steps, told);
  if (!told.empty()) std::printf("%s\n", told.c_str());
  const apps::Gathered<std::int32_t> all = apps::all_gather(comm_, owners);
  std::vector<std::size_t> next(all.counts.size());
  for (std::int32_t& owner : cell_owners_) {
    const auto old = static_cast<std::size_t>(owner);
    owner = all.part(owner)[next[old]++];
  }
}

}  // namespace dislocations
