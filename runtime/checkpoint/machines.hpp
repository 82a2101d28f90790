// SPDX-License-Identifier: Apache-2.0
// The machines of a job's PEs, as far as states are concerned: PEs of one machine share a folder. The next
// machine, its partner, holds a copy of each machine's part of a state, so that the loss of one machine loses
// nothing.
#pragma once

#include <string>
#include <vector>

#include "runtime/checkpoint/manifest.hpp"

namespace skein::checkpoint {

/// The machines of a job, numbered in the order of their lowest PEs.
struct Machines {
  std::vector<int> of_pe;             ///< of every PE
  std::vector<std::vector<int>> pes;  ///< of every machine, ascending
  std::vector<std::string> names;     ///< of every machine

  int count() const { return static_cast<int>(pes.size()); }
  int partner_of(int machine) const { return (machine + 1) % count(); }
  int machine_of(int pe) const { return of_pe[static_cast<std::size_t>(pe)]; }
  const std::vector<int>& pes_of(int machine) const { return pes[static_cast<std::size_t>(machine)]; }
  /// Returns true if this PE looks after the folder of its machine.
  bool is_keeper(int pe) const { return pes_of(machine_of(pe)).front() == pe; }
  /// Returns the PE of the partner that writes the copy of this PE's images.
  int copier_of(int pe) const;
};

/// Returns the machines of a job. `hosts`: the name of the machine of every PE.
Machines machines_of(const std::vector<std::string>& hosts);
/// Returns one machine for all these PEs: they have the same folder, wherever they run.
Machines one_folder(int pes);

/// Returns true if the machines of the first `pes` PEs have all images of the job, counting copies.
bool have_all(const Machines& machines, int pes);

/// Gives each rank of a job that continues from a state a PE whose machine has its image: the PE in
/// `pe_of_rank` if possible, else the PE with the fewest ranks. In a native program, gives each former PE's
/// image a PE that reads it. `has`: for every machine, whether it has the file of that number. Throws
/// skein::Error if no machine has an image.
void place_by_images(const Manifest& manifest, const Machines& machines,
                     const std::vector<std::vector<bool>>& has, std::vector<int>& pe_of_rank);

}  // namespace skein::checkpoint
