// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "runtime/libc/file_table.hpp"
#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

TEST_CASE("timer_create, sem_open: pin until the last is given back") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    sigevent none = {};
    none.sigev_notify = SIGEV_NONE;
    timer_t timer;
    CHILD_CHECK(RANK(timer_create)(CLOCK_MONOTONIC, &none, &timer) == 0 && pinned_for(rank, "timer"));
    const std::string name = "/skein-unit." + std::to_string(getpid());
    sem_t* const one = RANK(sem_open)(name.c_str(), O_CREAT | O_EXCL, 0600, 1);
    CHILD_CHECK(one != SEM_FAILED && !arena::in_arena(one));
    CHILD_CHECK(RANK(timer_delete)(timer) == 0 && pinned_for(rank, "semaphore"));
    CHILD_CHECK(RANK(sem_open)(name.c_str(), 0) == one && RANK(sem_close)(one) == 0);
    CHILD_CHECK(rank.pinned_because != nullptr && RANK(sem_close)(one) == 0 &&
                rank.pinned_because == nullptr);
    CHILD_CHECK(RANK(sem_open)(name.c_str(), O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
    CHILD_CHECK(rank.pinned_because == nullptr && sem_unlink(name.c_str()) == 0);
  }));
}

TEST_CASE("mq_notify: pins until the notice is called off") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    libc::set_descriptor_windows(libc::raise_descriptor_limit(), rank_count);
    const AsRank program(rank);
    const std::string name = "/skein-unit." + std::to_string(getpid());
    const mqd_t queue = RANK(mq_open)(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600, nullptr);
    if (queue < 0 && errno == ENOSYS) return;
    CHILD_CHECK(queue >= 0 && mq_unlink(name.c_str()) == 0 && rank.pinned_because == nullptr);
    sigevent none = {};
    none.sigev_notify = SIGEV_NONE;
    CHILD_CHECK(RANK(mq_notify)(queue, &none) == 0 && pinned_for(rank, "notice"));
    CHILD_CHECK(RANK(mq_notify)(queue, nullptr) == 0 && rank.pinned_because == nullptr);
    CHILD_CHECK(RANK(mq_notify)(queue, &none) == 0 && RANK(mq_close)(queue) == 0);
    CHILD_CHECK(rank.pinned_because == nullptr);
  }));
}

TEST_CASE("getaddrinfo: the list lies in the rank's memory, and freeaddrinfo() frees it") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    const std::size_t before = rank.heap.bytes_in_use();
    addrinfo hints = {};
    hints.ai_flags = AI_NUMERICHOST | AI_CANONNAME;
    addrinfo* list;
    CHILD_CHECK(RANK(getaddrinfo)("::1", "80", &hints, &list) == 0 && list->ai_next);
    for (const addrinfo* each = list; each; each = each->ai_next)
      CHILD_CHECK(arena::in_arena(each) && arena::in_arena(each->ai_addr) &&
                  (each == list) == arena::in_arena(each->ai_canonname));
    freeaddrinfo(list);
    CHILD_CHECK(rank.heap.bytes_in_use() == before);
    CHILD_CHECK(RANK(getaddrinfo)("no.number", nullptr, &hints, &list) == EAI_NONAME);
  }));
}

TEST_CASE("recvmsg: descriptors that came with a message are the rank's") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    libc::set_descriptor_windows(libc::raise_descriptor_limit(), rank_count);
    const AsRank program(rank);
    int ends[2];
    CHILD_CHECK(RANK(socketpair)(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    const int file = RANK(open)("/dev/null", O_RDONLY);
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    char byte = 'x';
    iovec data = {&byte, 1};
    msghdr message = {};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(part), &file, sizeof file);
    CHILD_CHECK(sendmsg(ends[0], &message, 0) == 1);
    CHILD_CHECK(RANK(recvmsg)(ends[1], &message, 0) == 1);
    int received;
    memcpy(&received, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof received);
    CHILD_CHECK(received != file && libc::window_of(received) == rank.id && read(received, &byte, 1) == 0);
    RANK(close)(ends[0]);
    RANK(close)(ends[1]);
    CHILD_CHECK(rank.pinned_because == nullptr && RANK(close)(received) == 0 && RANK(close)(file) == 0);
  }));
}

TEST_CASE("daemon, login_tty, forkpty: refused, since the PE would go along") {
  const auto end = run_in_child([] {
    const AsRank program(make_rank(0));
    CHILD_CHECK(RANK(daemon)(0, 0) == -1 && errno == ENOTSUP);
    CHILD_CHECK(rank_function("login_tty", static_cast<int (*)(int)>(nullptr))(0) == -1 && errno == ENOTSUP);
  });
  CHECK_CHILD_PASSED(end);
  CHECK(end.errors.find("rank 0 called daemon(), which would act on its PE with all ranks there") !=
        std::string::npos);
}
