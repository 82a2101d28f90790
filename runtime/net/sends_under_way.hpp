// SPDX-License-Identifier: Apache-2.0
// Active messages that were given to the MPI underneath, which still reads their buffers.
//
// Messages to one PE leave in the order of their sending, so only the oldest for each PE is tested: a look
// costs a request for each PE that is behind, however many messages wait for it, and a PE that takes nothing
// in delays no buffer of another's.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "runtime/net/message_buffers.hpp"

namespace skein::net {

class SendsUnderWay {
 public:
  /// Adds a request, which keeps `buffer` until it is complete.
  void add(int pe, MPI_Request request, std::unique_ptr<MessageBuffer> buffer);
  bool any() const { return !lanes_.empty(); }
  /// Returns the number of messages under way to that PE.
  std::size_t to(int pe) const;
  /// Gives back the buffers of complete messages, up to the first incomplete one of each PE.
  void reap(MessageBuffers& buffers);

 private:
  struct Sent {
    MPI_Request request;
    std::unique_ptr<MessageBuffer> buffer;
  };
  struct Lane {
    int pe;
    std::deque<Sent> sent;  // never empty; oldest first
  };
  std::size_t find(int pe) const;
  /// Removes the oldest message of a lane, which is complete, and those complete behind it. Returns true if
  /// the lane is empty now.
  bool advance(std::size_t lane, MessageBuffers& buffers);

  std::vector<std::unique_ptr<Lane>> lanes_;  // of PEs that are behind
  std::vector<MPI_Request> oldest_;           // the oldest request of each lane
  std::vector<int> complete_;                 // scratch of reap()
};

}  // namespace skein::net
