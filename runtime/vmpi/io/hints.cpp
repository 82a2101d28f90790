// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/hints.hpp"

#include <algorithm>
#include <string>

#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/io/collective.hpp"

namespace skein::vmpi {
namespace {

/// Keys whose values are whole numbers above zero.
bool is_number_key(std::string_view key) {
  static constexpr std::string_view keys[] = {"cb_buffer_size", "cb_nodes", "cb_block_size",
                                              "striping_factor", "striping_unit"};
  return std::ranges::find(keys, key) != std::end(keys);
}

bool means_something(std::string_view key, std::string_view value) {
  if (!is_number_key(key)) return true;
  return !value.empty() && value.size() < 19 &&
         std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; }) &&
         value.find_first_not_of('0') != value.npos;
}

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
    if (means_something(key, value)) file.info->set(key, value);
  }
}

Info& hints_in_force(const File& file) {
  Info& info = *make_info(file.state);
  if (file.info) info.copy_from(*file.info);
  const CollectiveHints hints = collective_hints(file);
  info.set("cb_buffer_size", std::to_string(hints.window_bytes));
  info.set("romio_cb_read", name_of(hints.for_reading));
  info.set("romio_cb_write", name_of(hints.for_writing));
  return info;
}

}  // namespace skein::vmpi
