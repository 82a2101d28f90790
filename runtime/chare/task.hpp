// SPDX-License-Identifier: Apache-2.0
// What is in the queue and is no call of one element.
#pragma once

#include <memory>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Message::to is null.
struct Task : Message {
  virtual ~Task() = default;
  virtual void run() = 0;
};

/// For an element, whose memory it keeps.
struct ElementTask : Task {
  Element& element;
  explicit ElementTask(Element& who) : element(who) { ++element.queued; }
  ~ElementTask() override {
    if (--element.queued == 0 && element.gone) element.array->bury(element);
  }
};

inline void enqueue(std::unique_ptr<Task> task) { queue.push(*task.release()); }

}  // namespace skein::chare
