// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/state.hpp"

#include "runtime/base/error.hpp"
#include "runtime/checkpoint/state_folder.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::checkpoint {

State open_state(const std::string& path, const std::function<std::string(const Manifest&)>& difference) {
  State state;
  std::string text;
  net::together([&] {
    if (net::world.pe != 0) return;
    state.path = find_state(path);
    text = as_json(read_manifest(state.path));
  });
  state.path = net::broadcast_text(state.path, 0);
  text = net::broadcast_text(text, 0);
  net::together([&] {
    state.manifest = from_json(text, state.path);
    if (const std::string other = difference(state.manifest); !other.empty())
      throw Error(format("%s: cannot go on here: %s", state.path.c_str(), other.c_str()));
  });
  return state;
}

}  // namespace skein::checkpoint
