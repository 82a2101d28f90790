// SPDX-License-Identifier: Apache-2.0
// A rank sees one thread: itself. All ranks of a PE share one thread of the system, so thread-specific values
// are kept per rank, and a rank cannot start threads: they would not move with it.
#include <limits.h>
#include <pthread.h>
#include <threads.h>

#include <algorithm>
#include <cerrno>

#include "runtime/arena/arena.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/end_job.hpp"

namespace skein::libc {
namespace {

int refuse_thread(const Rank& rank) {
  warn_once(
      "rank %d tried to start a thread: threads inside ranks are not supported; run more ranks instead, and "
      "one thread each (OMP_NUM_THREADS=1; in Fortran no files with asynchronous='yes')",
      rank.id);
  return EAGAIN;
}

int rank_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  auto& keys = library_state("pthread_key_create").thread_keys;
  const auto unused = std::find_if(keys.begin(), keys.end(), [](const ThreadKey& k) { return !k.used; });
  const auto index = static_cast<std::size_t>(unused - keys.begin());
  if (index >= PTHREAD_KEYS_MAX) return EAGAIN;
  if (unused == keys.end()) keys.emplace_back();
  keys[index] = {true, destructor, nullptr};
  *key = static_cast<pthread_key_t>(index);
  return 0;
}

ThreadKey* find_key(pthread_key_t key, const char* function) {
  auto& keys = library_state(function).thread_keys;
  return key < keys.size() && keys[key].used ? &keys[key] : nullptr;
}

int rank_key_delete(pthread_key_t key) {
  ThreadKey* found = find_key(key, "pthread_key_delete");
  if (!found) return EINVAL;
  *found = {};
  return 0;
}
void* rank_getspecific(pthread_key_t key) {
  const ThreadKey* found = find_key(key, "pthread_getspecific");
  return found ? const_cast<void*>(found->value) : nullptr;
}
int rank_setspecific(pthread_key_t key, const void* value) {
  ThreadKey* found = find_key(key, "pthread_setspecific");
  if (!found) return EINVAL;
  found->value = value;
  return 0;
}

int rank_tss_create(tss_t* key, tss_dtor_t destructor) {
  return rank_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}
void rank_tss_delete(tss_t key) { rank_key_delete(key); }
int rank_tss_set(tss_t key, void* value) {
  return rank_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}
int rank_thrd_create(thrd_t*, thrd_start_t, void*) {
  refuse_thread(calling_rank("thrd_create"));
  return thrd_error;
}

/// Ends the job at waits that nobody could end: there is no other thread, and a condition in a slot is no
/// other rank's. Programs come here that start a thread without checking the result, such as Fortran's
/// asynchronous files.
template <auto Wait, class Condition, class Mutex>
Override waiting(const char* name, int (*)(Condition*, Mutex*)) {
  return {name, address_of(+[](Condition* condition, Mutex* mutex) {
            if (arena::in_arena(condition))
              end_job(
                  calling_rank("a function that waits for a condition"), 1,
                  "it waits for another thread, and threads inside ranks are not supported (in Fortran: open "
                  "files without asynchronous='yes')");
            return Wait(condition, mutex);
          })};
}
#define SKEIN_WAITING(function) waiting<&::function>(#function, &::function)

/// Runs destructors as at the end of a thread (POSIX pthread_key_create): until all values are null, or
/// PTHREAD_DESTRUCTOR_ITERATIONS times.
void run_key_destructors() {
  auto& keys = library_state("pthread_exit").thread_keys;
  bool any = true;
  for (int round = 0; any && round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    any = false;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const ThreadKey key = keys[i];
      if (!key.used || !key.value || !key.destructor) continue;
      keys[i].value = nullptr;
      key.destructor(const_cast<void*>(key.value));
      any = true;
    }
  }
}

/// Ends the rank with its last thread, with status 0 (POSIX pthread_exit).
[[noreturn]] void rank_pthread_exit(void*) {
  run_key_destructors();
  exit_rank(0);
}

/// Describes the stack that the caller runs on, which has its guard below it.
int rank_getattr_np(pthread_t thread, pthread_attr_t* attributes) {
  const Fiber* const fiber = current_fiber();
  if (!fiber || !pthread_equal(thread, pthread_self())) return pthread_getattr_np(thread, attributes);
  if (const int error = pthread_attr_init(attributes)) return error;
  const auto bytes = static_cast<std::size_t>(fiber->stack_end - fiber->stack_begin);
  return pthread_attr_setstack(attributes, fiber->stack_begin, bytes);
}

}  // namespace

const Overrides thread_overrides({
    {"pthread_key_create", address_of(rank_key_create)},
    {"__pthread_key_create", address_of(rank_key_create)},
    {"pthread_key_delete", address_of(rank_key_delete)},
    {"pthread_getspecific", address_of(rank_getspecific)},
    {"pthread_setspecific", address_of(rank_setspecific)},
    {"pthread_create", address_of(pthread_create)},
    {"pthread_exit", address_of(rank_pthread_exit)},
    {"pthread_getattr_np", address_of(rank_getattr_np)},
    SKEIN_WAITING(pthread_cond_wait),
    SKEIN_WAITING(cnd_wait),
    {"tss_create", address_of(rank_tss_create)},
    {"tss_delete", address_of(rank_tss_delete)},
    {"tss_get", address_of(rank_getspecific)},
    {"tss_set", address_of(rank_tss_set)},
    {"thrd_create", address_of(rank_thrd_create)},
    {"thrd_exit", address_of(rank_pthread_exit)},
});

}  // namespace skein::libc

/// std::thread and OpenMP start threads from shared libraries, on behalf of a rank.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) noexcept {
  using namespace skein::libc;
  if (const skein::Rank* rank = program_rank()) return refuse_thread(*rank);
  static const auto real =
      next_function<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return real(thread, attributes, start, argument);
}
