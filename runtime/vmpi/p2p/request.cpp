// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/request.hpp"

#include <cstdlib>
#include <new>

#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

Request* RequestPool::take() {
  void* memory = free_;
  if (free_)
    free_ = free_->next;
  else
    memory = memory_->allocate(sizeof(Request), alignof(Request));
  return new (memory) Request;
}

void RequestPool::give_back(Request* request) {
  request->next = free_;
  free_ = request;
}

void complete(Request& request) {
  request.complete = true;
  if (request.freed) {
    release_request(request);
    return;
  }
  if (Waiter* waiter = request.waiter) {
    request.waiter = nullptr;
    if (--waiter->left == 0) make_ready(*waiter->fiber);
  }
}

}  // namespace skein::vmpi
