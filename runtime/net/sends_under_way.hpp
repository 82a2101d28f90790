// SPDX-License-Identifier: Apache-2.0
// Active messages that were given to the MPI underneath, which still reads their buffers.
//
// Those to one PE leave in the order of their sending, so of each PE only the oldest is asked for: a look
// costs a request for each PE that is behind, however many messages wait for it, and a PE that takes nothing
// in keeps no buffer of another's.
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
  /// From here on `buffer` is the request's until it is complete.
  void add(int pe, MPI_Request request, std::unique_ptr<MessageBuffer> buffer);
  bool any() const { return !lanes_.empty(); }
  /// How many are under way to that PE.
  std::size_t to(int pe) const;
  /// Gives back the buffers of those that are complete, as far as they are the oldest.
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
  /// The oldest of a lane is complete, and perhaps others. Whether the lane is empty now.
  bool advance(std::size_t lane, MessageBuffers& buffers);

  std::vector<std::unique_ptr<Lane>> lanes_;  // of PEs that are behind
  std::vector<MPI_Request> oldest_;           // of each lane: the request of its first
  std::vector<int> complete_;                 // scratch of reap()
};

}  // namespace skein::net
