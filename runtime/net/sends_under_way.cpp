// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/sends_under_way.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "runtime/net/mpi_process.hpp"

namespace skein::net {

std::size_t SendsUnderWay::find(int pe) const {
  const auto lane = std::ranges::find(lanes_, pe, [](const std::unique_ptr<Lane>& each) { return each->pe; });
  return static_cast<std::size_t>(lane - lanes_.begin());
}

std::size_t SendsUnderWay::to(int pe) const {
  const std::size_t lane = find(pe);
  return lane < lanes_.size() ? lanes_[lane]->sent.size() : 0;
}

void SendsUnderWay::add(int pe, MPI_Request request, std::unique_ptr<MessageBuffer> buffer) {
  const std::size_t lane = find(pe);
  if (lane == lanes_.size()) {
    lanes_.push_back(std::make_unique<Lane>(Lane{pe, {}}));
    oldest_.push_back(request);
  }
  lanes_[lane]->sent.push_back({request, std::move(buffer)});
}

bool SendsUnderWay::advance(std::size_t lane, MessageBuffers& buffers) {
  std::deque<Sent>& sent = lanes_[lane]->sent;
  int complete = 1;
  while (complete) {
    buffers.give_back(std::move(sent.front().buffer));
    sent.pop_front();
    if (sent.empty()) return true;
    SKEIN_MPI_CALL(MPI_Test(&sent.front().request, &complete, MPI_STATUS_IGNORE));
  }
  oldest_[lane] = sent.front().request;
  return false;
}

/// Tests the oldest requests of all PEs in one call: one that completes nothing may offer the core to others.
void SendsUnderWay::reap(MessageBuffers& buffers) {
  int count = 0;
  complete_.resize(oldest_.size());
  SKEIN_MPI_CALL(MPI_Testsome(static_cast<int>(oldest_.size()), oldest_.data(), &count, complete_.data(),
                              MPI_STATUSES_IGNORE));
  if (count <= 0) return;
  // From the last lane on, because the last one takes the place of one that is empty.
  std::sort(complete_.begin(), complete_.begin() + count, std::greater<>());
  for (int k = 0; k < count; ++k) {
    const auto lane = static_cast<std::size_t>(complete_[static_cast<std::size_t>(k)]);
    if (!advance(lane, buffers)) continue;
    std::swap(lanes_[lane], lanes_.back());
    std::swap(oldest_[lane], oldest_.back());
    lanes_.pop_back();
    oldest_.pop_back();
  }
}

}  // namespace skein::net
