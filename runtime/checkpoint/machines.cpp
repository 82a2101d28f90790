// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/machines.hpp"

#include <algorithm>
#include <optional>

#include "runtime/base/error.hpp"

namespace skein::checkpoint {

int Machines::copier_of(int pe) const {
  const std::vector<int>& own = pes_of(machine_of(pe));
  const std::vector<int>& others = pes_of(partner_of(machine_of(pe)));
  return others[static_cast<std::size_t>(std::ranges::find(own, pe) - own.begin()) % others.size()];
}

Machines machines_of(const std::vector<std::string>& hosts) {
  Machines machines;
  for (const std::string& host : hosts) {
    const auto known = std::ranges::find(machines.names, host);
    const auto machine = static_cast<std::size_t>(known - machines.names.begin());
    if (known == machines.names.end()) {
      machines.names.push_back(host);
      machines.pes.emplace_back();
    }
    machines.pes[machine].push_back(static_cast<int>(machines.of_pe.size()));
    machines.of_pe.push_back(static_cast<int>(machine));
  }
  return machines;
}

Machines one_folder(int pes) { return machines_of(std::vector<std::string>(static_cast<std::size_t>(pes))); }

bool have_all(const Machines& machines, int pes) {
  std::vector<bool> stays(static_cast<std::size_t>(machines.count()));
  for (int pe = 0; pe < std::min(pes, static_cast<int>(machines.of_pe.size())); ++pe)
    stays[static_cast<std::size_t>(machines.machine_of(pe))] = true;
  for (int machine = 0; machine < machines.count(); ++machine)
    if (!stays[static_cast<std::size_t>(machine)] &&
        !stays[static_cast<std::size_t>(machines.partner_of(machine))])
      return false;
  return true;
}

void place_by_images(const Manifest& manifest, const Machines& machines,
                     const std::vector<std::vector<bool>>& has, std::vector<int>& pe_of_rank) {
  std::vector<int> ranks_on(machines.of_pe.size());
  const auto can_have = [&](int pe, const SavedRank& saved) {
    return has[static_cast<std::size_t>(machines.machine_of(pe))][static_cast<std::size_t>(saved.file)];
  };
  std::vector<const SavedRank*> elsewhere;
  for (const SavedRank& saved : manifest.images) {
    const int pe = pe_of_rank[static_cast<std::size_t>(saved.rank)];
    if (can_have(pe, saved))
      ++ranks_on[static_cast<std::size_t>(pe)];
    else
      elsewhere.push_back(&saved);
  }
  for (const SavedRank* const saved : elsewhere) {
    std::optional<std::size_t> best;
    for (std::size_t pe = 0; pe < ranks_on.size(); ++pe)
      if (can_have(static_cast<int>(pe), *saved) && (!best || ranks_on[pe] < ranks_on[*best])) best = pe;
    if (!best)
      throw Error(
          format("the image of %s %d is on none of the machines that are left, and no copy of it: the job "
                 "outlives the loss of one machine, or of several that are no partners",
                 manifest.native ? "the former PE" : "rank", saved->rank));
    ++ranks_on[*best];
    pe_of_rank[static_cast<std::size_t>(saved->rank)] = static_cast<int>(*best);
  }
}

}  // namespace skein::checkpoint
