// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/recurring.hpp"

#include "runtime/vmpi/p2p/tying.hpp"

namespace skein::vmpi {

void leave_comm(RankState& state, Comm& comm) {
  state.requests.for_each_place([&](Request& request) {
    if (request.comm != &comm || request.kept == Kept::no) return;
    untie(request);
    if (request.active) {
      request.kept = Kept::no;
      ++comm.references;
    } else {
      request.comm = nullptr;
    }
  });
}

}  // namespace skein::vmpi
