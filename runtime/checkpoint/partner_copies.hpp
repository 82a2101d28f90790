// SPDX-License-Identifier: Apache-2.0
// States in the memory of several machines (machines.hpp): how copies come to partners, and what is found of
// a state by those that are left. A copy lies beside the machine's own images, under the same name, from
// which nobody can tell whose it was.
#pragma once

#include <string>
#include <vector>

#include "runtime/checkpoint/machines.hpp"
#include "runtime/checkpoint/state.hpp"
#include "runtime/checkpoint/state_folder.hpp"

namespace skein::checkpoint {

/// Those of this job, told apart by their host names. Collective.
Machines learn_machines();

/// All PEs have written their images into `state`, the folder of this machine. Collective, where no bulk
/// transfer is under way; with one machine nothing happens. Throws one skein::Error on all PEs where a
/// machine has no room.
void copy_to_partners(const std::string& state, Form form, const Machines& machines);

/// A job goes on from a state in memory that PE 0 has found: `state` is from here on what this machine has of
/// it, in `folder`, and the ranks begin where their images are. Collective. Throws one skein::Error on all
/// PEs where an image is nowhere.
void begin_where_images_are(State& state, const std::string& folder, const Machines& machines,
                            std::vector<int>& pe_of_rank);

}  // namespace skein::checkpoint
