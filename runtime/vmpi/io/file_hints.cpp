// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/file.hpp"

#include <algorithm>
#include <string>

#include "runtime/vmpi/comm/hints.hpp"
#include "runtime/vmpi/io/collective.hpp"

namespace skein::vmpi {
namespace {

using Values = Hint::Values;

/// The hints that the standard reserves (14.2.8), and those of ROMIO, which most MPIs contain.
constexpr Hint kKnown[] = {
    {"access_style"},
    {"collective_buffering", Values::truth},
    {"cb_block_size", Values::number},
    {"cb_buffer_size", Values::number},
    {"cb_nodes", Values::number},
    {"chunked"},
    {"chunked_item"},
    {"chunked_size"},
    {"filename"},
    {"file_perm"},
    {"io_node_list"},
    {"nb_proc", Values::number},
    {"num_io_nodes", Values::number},
    {"striping_factor", Values::number},
    {"striping_unit", Values::number},
    {"cb_config_list"},
    {"direct_read", Values::truth},
    {"direct_write", Values::truth},
    {"ind_rd_buffer_size", Values::number},
    {"ind_wr_buffer_size", Values::number},
    {"start_iodevice"},
    {"romio_cb_read"},
    {"romio_cb_write"},
    {"romio_ds_read"},
    {"romio_ds_write"},
    {"romio_cb_alltoall"},
    {"romio_cb_ds_threshold"},
    {"romio_cb_fr_alignment"},
    {"romio_cb_fr_types"},
    {"romio_cb_pfr"},
    {"romio_no_indep_rw"},
    kMemoryKinds,
    kAssertMemoryKinds,
};

const char* name_of(CollectiveHints::Use use) {
  switch (use) {
    case CollectiveHints::Use::always:
      return "enable";
    case CollectiveHints::Use::never:
      return "disable";
    case CollectiveHints::Use::automatic:
      break;
  }
  return "automatic";
}

}  // namespace

void take_hints(File& file, MPI_Info info) {
  RankState& state = file.state;
  const Info* const given = info == MPI_INFO_NULL ? nullptr : state.infos.find(info);
  if (!given) return;
  if (!file.info) file.info = make_info(state);
  for (int i = 0; i < given->size(); ++i) {
    const std::string_view key = given->key(i), value = *given->find(key);
    const auto* const hint = std::ranges::find(kKnown, key, &Hint::key);
    if (hint == std::end(kKnown) || means_something(*hint, value)) file.info->set(key, value);
  }
}

Info& hints_in_force(const File& file) {
  Info& info = hints_in_force(file.state, file.info, kKnown);
  const CollectiveHints hints = collective_hints(file);
  info.set("cb_buffer_size", std::to_string(hints.window_bytes));
  info.set("romio_cb_read", name_of(hints.for_reading));
  info.set("romio_cb_write", name_of(hints.for_writing));
  return info;
}

}  // namespace skein::vmpi
