// SPDX-License-Identifier: Apache-2.0
// Entries of the queue that are not calls of one element.
#pragma once

#include <memory>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// An entry of the queue with Message::to null.
struct Task : Message {
  Ticket ticket;  ///< in recorded jobs
  virtual ~Task() = default;
  virtual void run() = 0;
  /// Returns the array whose elements the task calls, or null.
  virtual const ArrayBase* array() const { return nullptr; }
  /// Returns true if the task is put aside with all calls.
  virtual bool may_be_held() const { return true; }
};

/// A task for an element, whose memory it keeps.
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
