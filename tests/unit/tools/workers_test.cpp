// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/workers.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <stdexcept>

using namespace skein::tools;

namespace {

const auto forever = [](std::size_t) { return true; };

}  // namespace

TEST_CASE("workers: what tasks return comes back in their order, however many run at once") {
  const auto task = [](std::size_t i) { return std::string(100'000 * (i % 3), 'x') + std::to_string(i * i); };
  for (const TasksEach each : {TasksEach::many, TasksEach::one})
    for (const std::size_t at_once : {1, 3, 20}) {
      const std::vector<WorkerResult> results = run_in_processes(10, at_once, each, task, forever);
      REQUIRE(results.size() == 10);
      for (std::size_t i = 0; i < results.size(); ++i) {
        CHECK(results[i].done);
        CHECK(results[i].error.empty());
        CHECK(results[i].text == task(i));
      }
    }
  CHECK(run_in_processes(0, 2, TasksEach::many, task, forever).empty());
}

TEST_CASE("workers: a process takes one task after the other, or one alone") {
  const auto task = [](std::size_t) { return std::to_string(getpid()); };
  const auto processes = [&](TasksEach each) {
    std::set<std::string> seen;
    for (const WorkerResult& result : run_in_processes(12, 2, each, task, forever)) seen.insert(result.text);
    return seen.size();
  };
  CHECK(processes(TasksEach::many) <= 2);
  CHECK(processes(TasksEach::one) == 12);
}

TEST_CASE("workers: a task that throws, crashes or leaves is told of, and the others go on") {
  const auto task = [](std::size_t i) -> std::string {
    if (i == 1) throw std::runtime_error("no graph");
    if (i == 2) raise(SIGKILL);
    if (i == 3) _exit(7);
    return "fine";
  };
  const std::vector<WorkerResult> results = run_in_processes(5, 2, TasksEach::many, task, forever);
  CHECK(results[0].text == "fine");
  CHECK(results[1].error == "no graph");
  CHECK(results[2].error.find("signal 9") != std::string::npos);
  CHECK(results[3].error.find("status 7") != std::string::npos);
  CHECK(results[4].text == "fine");
  for (const WorkerResult& result : results) CHECK(result.done);
}

TEST_CASE("workers: once told to stop, what runs is ended and nothing more begins") {
  const auto task = [](std::size_t i) -> std::string {
    if (i > 0) pause();
    return "done";
  };
  const std::vector<WorkerResult> results =
      run_in_processes(6, 2, TasksEach::many, task, [](std::size_t done) { return done == 0; });
  CHECK(results[0].done);
  for (std::size_t i = 1; i < results.size(); ++i) CHECK_FALSE(results[i].done);
}

TEST_CASE("workers: the first Ctrl-C is noted, and what was before is there again afterwards") {
  struct sigaction before = {};
  sigaction(SIGINT, nullptr, &before);
  {
    const StopOnSignal signals;
    CHECK_FALSE(signals.asked());
    raise(SIGINT);
    CHECK(signals.asked());
    struct sigaction then = {};
    sigaction(SIGINT, nullptr, &then);
    CHECK((then.sa_handler == before.sa_handler));  // a second signal is handled as ever
  }
  const StopOnSignal anew;
  CHECK_FALSE(anew.asked());
}
