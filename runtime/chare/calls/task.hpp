// SPDX-License-Identifier: Apache-2.0
// What is in the queue and is no call of one element.
#pragma once

#include <memory>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Message::to is null.
struct Task : Message {
  Ticket ticket;  ///< where tickets are kept
  virtual ~Task() = default;
  virtual void run() = 0;
  /// The array whose elements it calls; null: it calls none.
  virtual const ArrayBase* array() const { return nullptr; }
  /// Whether it is put aside with all calls.
  virtual bool may_be_held() const { return true; }
};

/// For an element, whose memory it keeps.
struct ElementTask : Task {
  Element& element;
  explicit ElementTask(Element& who) : element(who) { ++element.queued; }
  ~ElementTask() override { taken_from_queue(element); }
  const ArrayBase* array() const override { return element.array; }
};

inline void enqueue(std::unique_ptr<Task> task) {
  if (settings.tickets_kept) [[unlikely]]
    give_ticket(*task);
  calls_here.queue.push(*task.release());
}
inline void enqueue(std::unique_ptr<Task> task, std::int64_t priority) {
  if (priority == 0)
    enqueue(std::move(task));
  else
    enqueue_prioritized(*task.release(), priority);
}

}  // namespace skein::chare
