// SPDX-License-Identifier: Apache-2.0
// States in the memory of several machines (machines.hpp): brings copies to partners, and finds what the
// remaining machines have of a state. A copy lies beside the machine's own images, under the name of the
// original, so that it looks like an image of the machine's own.
#pragma once

#include <string>
#include <vector>

#include "runtime/checkpoint/machines.hpp"
#include "runtime/checkpoint/state.hpp"
#include "runtime/checkpoint/state_folder.hpp"

namespace skein::checkpoint {

/// Returns the machines of this job, distinguished by their host names. Collective.
Machines learn_machines();

/// Copies the images, which all PEs have written into `state`, the folder of this machine, to the partners.
/// Collective; no bulk transfer may be under way. With one machine nothing happens. Throws one skein::Error
/// on all PEs if a machine has no room.
void copy_to_partners(const std::string& state, Form form, const Machines& machines);

/// Prepares a restart from a state in memory that PE 0 has found: makes `state` this machine's part of it, in
/// `folder`, and lets ranks begin on PEs that have their images. Collective. Throws one skein::Error on all
/// PEs if an image is missing on all machines.
void begin_where_images_are(State& state, const std::string& folder, const Machines& machines,
                            std::vector<int>& pe_of_rank);

}  // namespace skein::checkpoint
