// SPDX-License-Identifier: Apache-2.0
// Locks that a rank holds while it moves. The C library notes a lock's owner by the number of its thread,
// which differs on every PE: a rank that came with a recursive mutex would wait for itself, and unlocking one
// that checks errors, or a lock of readers and writers, would fail or go wrong. A rank has one thread, so the
// calling rank owns each owned lock in its slot: the lock gets the present number of its thread.
#include <pthread.h>
#include <threads.h>
#include <unistd.h>

#include "runtime/arena/arena.hpp"
#include "runtime/libc/overrides.hpp"

namespace skein::libc {
namespace {

constexpr int kKindBits = 3;  // of __kind; the other bits say how it is implemented

/// Returns true if the mutex uses its owner. The names with underscores are those of glibc's public types
/// (bits/struct_mutex.h, bits/struct_rwlock.h).
bool looks_at_owner(const pthread_mutex_t& mutex) {
  const int kind = mutex.__data.__kind & kKindBits;
  return mutex.__data.__owner != 0 && (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK);
}
void own_again(pthread_mutex_t* mutex) {
  if (looks_at_owner(*mutex) && arena::in_arena(mutex)) mutex->__data.__owner = gettid();
}
void own_again(mtx_t* mutex) { own_again(reinterpret_cast<pthread_mutex_t*>(mutex)); }
void own_again(pthread_rwlock_t* lock) {
  if (lock->__data.__cur_writer != 0 && arena::in_arena(lock)) lock->__data.__cur_writer = gettid();
}

/// Makes an override for a lock that may have been taken on another PE.
template <auto Function, class Lock, class... More>
Override of_lock(const char* name, int (*)(Lock*, More...)) {
  return {name, address_of(+[](Lock* lock, More... more) {
            own_again(lock);
            return Function(lock, more...);
          })};
}

#define SKEIN_OF_LOCK(function) of_lock<&::function>(#function, &::function)

}  // namespace

const Overrides mutex_overrides({
    SKEIN_OF_LOCK(pthread_mutex_lock),
    SKEIN_OF_LOCK(pthread_mutex_trylock),
    SKEIN_OF_LOCK(pthread_mutex_timedlock),
    SKEIN_OF_LOCK(pthread_mutex_clocklock),
    SKEIN_OF_LOCK(pthread_mutex_unlock),
    SKEIN_OF_LOCK(mtx_lock),
    SKEIN_OF_LOCK(mtx_trylock),
    SKEIN_OF_LOCK(mtx_timedlock),
    SKEIN_OF_LOCK(mtx_unlock),
    SKEIN_OF_LOCK(pthread_rwlock_rdlock),
    SKEIN_OF_LOCK(pthread_rwlock_tryrdlock),
    SKEIN_OF_LOCK(pthread_rwlock_timedrdlock),
    SKEIN_OF_LOCK(pthread_rwlock_clockrdlock),
    SKEIN_OF_LOCK(pthread_rwlock_wrlock),
    SKEIN_OF_LOCK(pthread_rwlock_trywrlock),
    SKEIN_OF_LOCK(pthread_rwlock_timedwrlock),
    SKEIN_OF_LOCK(pthread_rwlock_clockwrlock),
    SKEIN_OF_LOCK(pthread_rwlock_unlock),
});

}  // namespace skein::libc
