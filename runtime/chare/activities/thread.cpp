// SPDX-License-Identifier: Apache-2.0
// Threaded entry methods: activities on fibers. A thread is entered from any stack that continues it, and
// returns there when it blocks or ends.
#include "skein/thread.hpp"

#include "runtime/chare/activities/activities_state.hpp"
#include "runtime/fiber/context.hpp"
#include "runtime/fiber/guarded_stack.hpp"
#include "runtime/fiber/thread_state.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

class Thread final : public Activity, public Listener {
 public:
  Thread(Element& element, const EntryInfo& entry, std::unique_ptr<ThreadBody> body)
      : Activity(element, entry), body_(std::move(body)) {
    context_ = fiber::make_context(stack_.top(), run_body);
  }

  void start() override { enter(); }
  void proceed() override {
    if (told_) enter();
  }
  bool finished() const override { return finished_; }
  std::exception_ptr failure() const override { return failure_; }
  const char* end_here() override { return "sync() ends a flow, but this one is a part of a thread"; }
  bool is_thread() const override { return true; }

  std::coroutine_handle<> complete() noexcept override {
    told_ = true;
    return std::noop_coroutine();
  }

  void block() {
    told_ = false;
    leave();
  }
  bool overflowed(const void* address) const { return stack_.guards(address); }

 private:
  void enter() {
    Thread* const outer = std::exchange(activities->running_thread, this);
    fiber::save(outside_);
    fiber::restore(inside_);
    fiber::switch_context(entered_from_, context_);
    fiber::restore(outside_);
    activities->running_thread = outer;
  }

  void leave() {
    fiber::save(inside_);
    fiber::switch_context(context_, entered_from_);
  }

  static void run_body() {
    Thread& self = *activities->running_thread;
    try {
      self.body_->run();
    } catch (...) {
      self.failure_ = std::current_exception();
    }
    self.body_.reset();
    self.finished_ = true;
    self.leave();
  }

  fiber::GuardedStack stack_;
  fiber::Context context_ = nullptr;       // where the thread continues
  fiber::Context entered_from_ = nullptr;  // the stack that entered it
  ThreadState inside_, outside_;
  std::unique_ptr<ThreadBody> body_;
  std::exception_ptr failure_;
  bool told_ = false;
  bool finished_ = false;
};

bool in_guard_of_thread(const void* address) {
  return activities->running_thread && activities->running_thread->overflowed(address);
}

void start_thread(Element& element, const EntryInfo& entry, std::unique_ptr<ThreadBody> body) {
  fiber::find_thread_state();
  control_of(element).start(std::make_unique<Thread>(element, entry, std::move(body)));
}

Activity& thread_that_waits() {
  if (!activities->running_thread)
    fail("only a threaded entry method can wait: list it, using Threaded = skein::Methods<&Class::method>");
  if (calls_here.running.element != &activities->running_thread->element())
    fail("this method was called by " + name_of(activities->running_thread->element()) + " in " +
         activities->running_thread->entry().name +
         ", whose thread cannot wait in another element: use send() or ask()");
  return *activities->running_thread;
}

Listener& thread_listener() { return *activities->running_thread; }
void block_thread() { activities->running_thread->block(); }

}  // namespace skein::chare
