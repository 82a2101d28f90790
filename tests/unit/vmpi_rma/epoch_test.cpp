// SPDX-License-Identifier: Apache-2.0
// The calls that each epoch permits, from MPI 4.1, sections 12.5 and 12.5.1 to 12.5.4.
#include <doctest/doctest.h>

#include "runtime/vmpi/rma/epoch.hpp"

using skein::vmpi::Epoch;
using skein::vmpi::Held;

namespace {

std::pmr::memory_resource* memory() { return std::pmr::new_delete_resource(); }
std::pmr::vector<int> ranks(std::initializer_list<int> list) { return {list, memory()}; }

}  // namespace

TEST_CASE("epoch: without any nothing can be accessed or ended") {
  const Epoch epoch(memory());
  CHECK(epoch.cannot_access(0, false));
  CHECK(epoch.cannot_complete());
  CHECK(epoch.cannot_wait());
  CHECK(epoch.cannot_unlock(0));
  CHECK(epoch.cannot_unlock_all());
  CHECK(epoch.cannot_flush(0));
  CHECK(epoch.cannot_flush_all());
  CHECK(!epoch.cannot_fence());
  CHECK(!epoch.cannot_free());
}

TEST_CASE("epoch: a fence opens one for all targets that the next fence ends, or a lock if it was not used") {
  Epoch epoch(memory());
  epoch.fence(true);
  CHECK(!epoch.cannot_access(5, false));
  CHECK(epoch.cannot_access(5, true));  // requests are for passive targets
  CHECK(!epoch.cannot_lock(1));
  CHECK(!epoch.cannot_free());
  epoch.access();
  CHECK(epoch.cannot_lock(1));
  CHECK(epoch.cannot_lock_all());
  CHECK(epoch.cannot_start());
  CHECK(!epoch.cannot_fence());
  epoch.fence(false);  // MPI_MODE_NOSUCCEED
  CHECK(epoch.cannot_access(5, false));
  CHECK(!epoch.cannot_lock(1));
  epoch.fence(true);
  epoch.lock(1, Held::shared, 4);
  epoch.unlock(1);
  CHECK(epoch.cannot_access(1, false));
}

TEST_CASE("epoch: start opens one for its group") {
  Epoch epoch(memory());
  epoch.start(ranks({1, 3}));
  CHECK(!epoch.cannot_access(3, false));
  CHECK(epoch.cannot_access(2, false));
  CHECK(epoch.cannot_access(3, true));
  CHECK(epoch.cannot_start());
  CHECK(epoch.cannot_lock(1));
  CHECK(epoch.cannot_fence());
  CHECK(epoch.cannot_free());
  epoch.complete();
  CHECK(epoch.cannot_complete());
  CHECK(epoch.cannot_access(3, false));
  CHECK(!epoch.cannot_free());
}

TEST_CASE("epoch: an exposure goes beside accesses, but for fences") {
  Epoch epoch(memory());
  epoch.post(ranks({0}));
  CHECK(epoch.cannot_post());
  CHECK(!epoch.cannot_wait());
  CHECK(!epoch.cannot_start());
  CHECK(epoch.cannot_fence());
  CHECK(epoch.cannot_free());
  epoch.end_exposure();
  CHECK(epoch.cannot_wait());
  CHECK(!epoch.cannot_free());
}

TEST_CASE("epoch: locks of several targets") {
  Epoch epoch(memory());
  epoch.lock(2, Held::exclusive, 4);
  CHECK(epoch.held(2) == Held::exclusive);
  CHECK(epoch.cannot_lock(2));
  CHECK(!epoch.cannot_lock(3));
  CHECK(epoch.cannot_access(3, true));
  CHECK(!epoch.cannot_access(2, true));
  epoch.lock(3, Held::unchecked, 4);
  CHECK(!epoch.cannot_access(3, true));
  CHECK(!epoch.cannot_flush(3));
  CHECK(!epoch.cannot_flush_all());
  CHECK(epoch.cannot_flush(1));
  CHECK(epoch.cannot_lock_all());
  CHECK(epoch.cannot_unlock_all());
  epoch.unlock(2);
  CHECK(epoch.cannot_unlock(2));
  CHECK(epoch.cannot_free());
  epoch.unlock(3);
  CHECK(!epoch.cannot_free());
}

TEST_CASE("epoch: lock_all takes each lock at the first access, unless it does not check") {
  Epoch epoch(memory());
  epoch.lock_all(true);
  CHECK(epoch.wants_lock(3));
  epoch.hold(3, Held::shared, 4);
  CHECK(!epoch.wants_lock(3));
  CHECK(epoch.wants_lock(2));
  CHECK(!epoch.cannot_access(2, true));
  CHECK(!epoch.cannot_flush(2));
  CHECK(epoch.cannot_unlock(3));
  CHECK(epoch.cannot_lock(1));
  epoch.unlock_all();
  CHECK(epoch.held(3) == Held::nothing);
  epoch.lock_all(false);
  CHECK(!epoch.wants_lock(3));
  CHECK(!epoch.cannot_access(3, false));
}
