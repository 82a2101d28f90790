// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/calls/queue.hpp"

#include <memory>

#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/calls/task.hpp"

namespace skein::chare {

MessageBlocks message_blocks;
CallsHere calls_here;
PerRuntime<Queued> queued;

namespace {

const BegunAnew<calls_here> with_runtime;
using Mode = Queued::Mode;

struct FunctionCall final : Task {
  const FunctionInfo& function;
  std::vector<std::byte> argument;
  const ArrayBase* called;
  FunctionCall(const FunctionInfo& what, Bytes bytes, const ArrayBase* array)
      : function(what), argument(bytes.begin(), bytes.end()), called(array) {}
  ~FunctionCall() override { message_blocks.freed_bytes += argument.size(); }
  void run() override { function.call(argument); }
  const ArrayBase* array() const override { return called; }
};

struct Begin final : Task {
  void (*begin)();
  explicit Begin(void (*what)()) : begin(what) {}
  void run() override { begin(); }
};

}  // namespace

void enqueue_prioritized(Message& message, std::int64_t priority) {
  if (settings.tickets_kept) [[unlikely]]
    give_ticket(message);
  if (message.to) ++message.to->queued;
  (priority < 0 ? queued->urgent : queued->patient).push(message, priority);
}

void enqueue_function(const FunctionInfo& function, Bytes argument, const ArrayBase* called,
                      std::int64_t priority) {
  if (settings.running_again) return;
  enqueue(std::make_unique<FunctionCall>(function, argument, called), priority);
}
void enqueue_begin(void (*begin)()) { enqueue(std::make_unique<Begin>(begin)); }

void hold_calls() {
  if (queued->mode == Mode::run) queued->mode = Mode::hold;
}
void hold_all_calls() {
  if (queued->mode != Mode::drop) queued->mode = Mode::hold_all;
}
void release_calls() {
  if (queued->mode != Mode::hold && queued->mode != Mode::hold_all) return;
  queued->mode = Mode::run;
  queued->held.release(calls_here.queue, queued->urgent, queued->patient);
  for (const std::unique_ptr<ArrayBase>& array : all_arrays())
    if (array) array->held = false;
}
void drop_calls() {
  release_calls();
  queued->mode = Mode::drop;
}

}  // namespace skein::chare
