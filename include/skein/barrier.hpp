// SPDX-License-Identifier: Apache-2.0
// Waiting for all elements of an array: co_await barrier(). contribute(callback) is a barrier that calls
// back.
#pragma once

#include "skein/reduction.hpp"

namespace skein::chare {

/// Returns the destination of the message that ends a barrier: all elements of the array.
Destination end_of_barrier(const Element& element);

class Barrier final : public Wait {
 public:
  bool begin(Activity& activity, Listener& listener) {
    contribute(activity.element(), end_of_barrier(activity.element()));
    return Wait::begin(activity, listener);
  }
  void result() {}
  bool take() override { return control_of(element()).take_barrier(); }
  std::string describe() const override { return "a barrier"; }
};

}  // namespace skein::chare
