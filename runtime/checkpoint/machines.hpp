// SPDX-License-Identifier: Apache-2.0
// The machines that the PEs of a job are on, as far as states are concerned: the PEs of one share a folder.
// What each machine has of a state in its memory, the next one has, too, its partner: so the loss of a
// machine takes none of it away.
#pragma once

#include <string>
#include <vector>

#include "runtime/checkpoint/manifest.hpp"

namespace skein::checkpoint {

/// Numbered in the order of their lowest PEs.
struct Machines {
  std::vector<int> of_pe;             ///< of every PE
  std::vector<std::vector<int>> pes;  ///< of every machine, ascending
  std::vector<std::string> names;     ///< of every machine

  int count() const { return static_cast<int>(pes.size()); }
  int partner_of(int machine) const { return (machine + 1) % count(); }
  int machine_of(int pe) const { return of_pe[static_cast<std::size_t>(pe)]; }
  const std::vector<int>& pes_of(int machine) const { return pes[static_cast<std::size_t>(machine)]; }
  /// Whether this PE is the one that looks after the folder of its machine.
  bool is_keeper(int pe) const { return pes_of(machine_of(pe)).front() == pe; }
  /// Which PE of the partner writes the copy of what this PE has.
  int copier_of(int pe) const;
};

/// `hosts`: the name of the machine of every PE.
Machines machines_of(const std::vector<std::string>& hosts);
/// All these PEs have the same folder, whatever machines they are on.
Machines one_folder(int pes);

/// Whether the machines of the first `pes` PEs have, with their copies, all that the job has.
bool have_all(const Machines& machines, int pes);

/// A job goes on from a state: gives each rank a PE whose machine has its image. It is the one in
/// `pe_of_rank`, if that can be, or the one with the fewest ranks. `has`: of every machine, whether it has
/// the file of that number. Of a native program: gives the image of each former PE a PE that reads it. Throws
/// skein::Error where none has.
void place_by_images(const Manifest& manifest, const Machines& machines,
                     const std::vector<std::vector<bool>>& has, std::vector<int>& pe_of_rank);

}  // namespace skein::checkpoint
