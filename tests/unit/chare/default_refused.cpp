// SPDX-License-Identifier: Apache-2.0
// For must_fail.sh: methods with default arguments. A pointer to a method does not know of them, so a call
// that relied on them would pass zeros.
#include <skein/skein.hpp>

enum class Steps {};  // with a type of its own, each case fails by itself where all are compiled at once
struct Cell : skein::Chare<Cell, skein::Index1> {
  void wait(Steps steps = Steps(7));
  void scale(int steps, Steps more = Steps(5));
  void calls(skein::Array<Cell> cells, skein::Job& job);
};

// FAILS CASE_RESUME: without parameters, also without such as have default arguments
// FAILS CASE_RESUME_FLOW: without parameters, also without such as have default arguments
// FAILS CASE_AT_SYNC: Default arguments are not known
// FAILS CASE_SYNC: Default arguments are not known
// FAILS CASE_SEND: Default arguments are not known
// FAILS CASE_SECOND: Default arguments are not known
// FAILS CASE_CALL: Default arguments are not known
// FAILS CASE_ASK: Default arguments are not known
// FAILS CASE_PRIORITY: Default arguments are not known
// FAILS CASE_ASK_PRIORITY: Default arguments are not known
// FAILS CASE_BROADCAST: Default arguments are not known
// FAILS CASE_BROADCAST_PRIORITY: Default arguments are not known
// FAILS CASE_SECTION: Default arguments are not known
// FAILS CASE_AGGREGATE: Default arguments are not known
// FAILS CASE_CHANNEL: Default arguments are not known
// FAILS CASE_BARRIER: what calls back here gives no value, and what is called takes one
// FAILS CASE_SECTION_BARRIER: what calls back here gives no value, and what is called takes one
// FAILS CASE_TIMER: what calls back here gives no value, and what is called takes one
// FAILS CASE_TIMER_AGAIN: what calls back here gives no value, and what is called takes one
// FAILS CASE_IDLE: what calls back here gives no value, and what is called takes one
// FAILS CASE_QUIESCENCE: what calls back here gives no value, and what is called takes one
// FAILS CASE_COMPLETION: what calls back here gives no value, and what is called takes one
// FAILS CASE_FUTURE: what calls back here gives no value, and what is called takes one
// FAILS CASE_KEPT: what calls back here gives no value, and what is called takes one
// FAILS CASE_FUNCTION: what calls back here gives no value, and what is called takes one
// FAILS CASE_RESULT: with default arguments count
// FAILS CASE_RESULT_OF_ELEMENT: with default arguments count
// FAILS CASE_RESULT_OF_SECTION: with default arguments count
struct Resumed : skein::Chare<Resumed, skein::Index1> {
#if defined(CASE_RESUME)
  void resume_from_sync(int = 7);
#elif defined(CASE_RESUME_FLOW)
  skein::Flow resume_from_sync(int = 7, double = 0.5) noexcept;
#else
  void resume_from_sync() const noexcept;
#endif
  void go() { at_sync(); }
};

void Cell::calls(skein::Array<Cell> cells, skein::Job& job) {
#if !defined(MUST_FAIL)
  cells[1].send<&Cell::wait>(Steps(7));
#endif
#if !defined(MUST_FAIL) || defined(CASE_RESUME) || defined(CASE_RESUME_FLOW)
  job.array<Resumed>({1});
#endif
#if defined(CASE_AT_SYNC)
  at_sync<&Cell::wait>();
#elif defined(CASE_SYNC)
  (void)sync<&Cell::wait>();
#elif defined(CASE_BARRIER)
  contribute(skein::to<&Cell::wait>(cells));
#elif defined(CASE_SEND)
  cells[1].send<&Cell::wait>();
#elif defined(CASE_SECOND)
  cells[1].send<&Cell::scale>(2);
#elif defined(CASE_CALL)
  cells[1].call<&Cell::wait>();
#elif defined(CASE_ASK)
  cells[1].ask<&Cell::wait>();
#elif defined(CASE_PRIORITY)
  cells[1].prioritized(1).send<&Cell::wait>();
#elif defined(CASE_ASK_PRIORITY)
  cells[1].prioritized(1).ask<&Cell::wait>();
#elif defined(CASE_BROADCAST)
  cells.broadcast<&Cell::wait>();
#elif defined(CASE_BROADCAST_PRIORITY)
  cells.prioritized(1).broadcast<&Cell::wait>();
#elif defined(CASE_SECTION)
  skein::Section<Cell>().broadcast<&Cell::wait>();
#elif defined(CASE_AGGREGATE)
  skein::aggregate<&Cell::wait>(cells[1]);
#elif defined(CASE_CHANNEL)
  skein::Ordered<Cell>(cells[1]).send<&Cell::wait>();
#elif defined(CASE_TIMER)
  skein::after(0.5, skein::to<&Cell::wait>(cells));
#elif defined(CASE_QUIESCENCE)
  job.at_quiescence(skein::to<&Cell::wait>(cells));
#elif defined(CASE_SECTION_BARRIER)
  contribute(skein::Section<Cell>(), skein::to<&Cell::wait>(cells[1]));
#elif defined(CASE_TIMER_AGAIN)
  skein::every(0.5, skein::to<&Cell::wait>(cells[1]));
#elif defined(CASE_IDLE)
  skein::when_idle(skein::to<&Cell::wait>(cells[1]));
#elif defined(CASE_COMPLETION)
  skein::CompletionDetector::begin("all", 1, skein::to<&Cell::wait>(cells));
#elif defined(CASE_FUTURE)
  skein::Future<void>().then(skein::to<&Cell::wait>(cells));
#elif defined(CASE_KEPT)
  const skein::Callback<void> kept = skein::to<&Cell::wait>(skein::Section<Cell>());
#elif defined(CASE_FUNCTION)
  job.at_quiescence(skein::to_function<int>([](int = 7) {}));
#elif defined(CASE_RESULT)
  contribute(2, skein::sum, skein::to<&Cell::scale>(cells));
#elif defined(CASE_RESULT_OF_ELEMENT)
  contribute(2, skein::sum, skein::to<&Cell::scale>(cells[1]));
#elif defined(CASE_RESULT_OF_SECTION)
  contribute(2, skein::sum, skein::to<&Cell::scale>(skein::Section<Cell>()));
#endif
}
