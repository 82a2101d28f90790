// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include <string>
#include <system_error>
#include <thread>

#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

TEST_CASE("thread keys: values belong to a rank, deleted keys are used again") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& first = make_rank(0);
    Rank& second = make_rank(1);
    static int a, b;
    pthread_key_t one, two, other;
    {
      const AsRank program(first);
      CHILD_CHECK(RANK(pthread_key_create)(&one, nullptr) == 0);
      CHILD_CHECK(RANK(pthread_key_create)(&two, nullptr) == 0 && one != two);
      CHILD_CHECK(RANK(pthread_getspecific)(one) == nullptr);
      CHILD_CHECK(RANK(pthread_setspecific)(one, &a) == 0);
      CHILD_CHECK(RANK(pthread_setspecific)(two, &b) == 0);
    }
    {
      const AsRank program(second);
      CHILD_CHECK(RANK(pthread_key_create)(&other, nullptr) == 0);
      CHILD_CHECK(RANK(pthread_getspecific)(other) == nullptr);
    }
    const AsRank program(first);
    CHILD_CHECK(RANK(pthread_getspecific)(one) == &a && RANK(pthread_getspecific)(two) == &b);
    CHILD_CHECK(RANK(pthread_key_delete)(one) == 0 && RANK(pthread_key_delete)(one) == EINVAL);
    CHILD_CHECK(RANK(pthread_setspecific)(one, &a) == EINVAL);
    CHILD_CHECK(RANK(pthread_getspecific)(one) == nullptr);
    pthread_key_t again;
    CHILD_CHECK(RANK(pthread_key_create)(&again, nullptr) == 0 && again == one);
    CHILD_CHECK(RANK(pthread_getspecific)(again) == nullptr);
  }));
}

TEST_CASE("thread keys: as many as POSIX promises, then EAGAIN") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const AsRank program(make_rank(0));
    pthread_key_t key;
    for (int i = 0; i < PTHREAD_KEYS_MAX; ++i) CHILD_CHECK(RANK(pthread_key_create)(&key, nullptr) == 0);
    CHILD_CHECK(RANK(pthread_key_create)(&key, nullptr) == EAGAIN);
  }));
}

TEST_CASE("conditions: waiting for one in a slot, which nobody can signal, ends the job") {
  const auto end = run_in_child([] {
    Rank& rank = make_rank(2);
    run_program(rank, [] {
      auto* const condition = static_cast<pthread_cond_t*>(RANK(malloc)(sizeof(pthread_cond_t)));
      auto* const mutex = static_cast<pthread_mutex_t*>(RANK(malloc)(sizeof(pthread_mutex_t)));
      *condition = PTHREAD_COND_INITIALIZER;
      *mutex = PTHREAD_MUTEX_INITIALIZER;
      RANK(pthread_mutex_lock)(mutex);
      RANK(pthread_cond_wait)(condition, mutex);
    });
  });
  CHECK(end.exit_status == 1);
  CHECK(end.errors.find("rank 2 on PE") != std::string::npos);
  CHECK(end.errors.find("waits for another thread") != std::string::npos);
}

TEST_CASE("pthread_exit: runs the destructors of values until none is left, and ends the rank with 0") {
  CHECK_CHILD_PASSED(run_in_child([] {
    static pthread_key_t key;
    static int calls = 0;
    Rank& rank = make_rank(0);
    run_program(rank, [] {
      RANK(pthread_key_create)
      (&key, [](void* value) {
        if (++calls < 3) RANK(pthread_setspecific)(key, value);
      });
      RANK(pthread_setspecific)(key, &calls);
      RANK(pthread_exit)(nullptr);
    });
    CHILD_CHECK(calls == 3 && rank.done && rank.process->exit_status == 0);
  }));
}

TEST_CASE("threads: a rank starts none, by pthread_create() or std::thread; the process can") {
  const auto end = run_in_child([] {
    Rank& rank = make_rank(2);
    {
      const AsRank program(rank);
      pthread_t thread;
      CHILD_CHECK(RANK(pthread_create)(
                      &thread, nullptr, [](void* p) { return p; }, nullptr) == EAGAIN);
      bool refused = false;
      try {
        std::thread([] {}).join();
      } catch (const std::system_error& error) {
        refused = error.code() == std::errc::resource_unavailable_try_again;
      }
      CHILD_CHECK(refused);
    }
    int ran = 0;
    std::thread([&] { ran = 1; }).join();
    CHILD_CHECK(ran == 1);
  });
  CHECK_CHILD_PASSED(end);
  const std::string line = "rank 2 tried to start a thread";
  const auto at = end.errors.find(line);
  CHECK(at != std::string::npos);
  CHECK(end.errors.find(line, at + 1) == std::string::npos);
}
