// SPDX-License-Identifier: Apache-2.0
// A team of deciders (skein/lb/parallel.hpp) with threads in place of processes.
#pragma once
#include <algorithm>
#include <barrier>
#include <cstddef>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "skein/lb/parallel.hpp"

namespace skein::lb {

// The state that the threads of a team share.
struct Meeting {
  explicit Meeting(std::size_t size)
      : all_there(static_cast<std::ptrdiff_t>(size)), out(size), values(size) {}
  std::barrier<> all_there;
  std::vector<const Team::Blocks*> out;
  std::vector<std::span<double>> values;
};

class ThreadTeam final : public Team {
 public:
  ThreadTeam(std::size_t rank, Meeting& meeting) : rank_(rank), meeting_(meeting) {}
  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return meeting_.out.size(); }
  const void* communicator() const override { return nullptr; }

  Blocks exchange(const Blocks& out) override {
    meeting_.out[rank_] = &out;
    meeting_.all_there.arrive_and_wait();
    Blocks in;
    for (const Blocks* blocks : meeting_.out) in.push_back((*blocks)[rank_]);
    meeting_.all_there.arrive_and_wait();
    return in;
  }

  void sum(std::span<double> values) override {
    meeting_.values[rank_] = values;
    meeting_.all_there.arrive_and_wait();
    std::vector<double> sums(values.size(), 0);
    for (const std::span<double> others : meeting_.values)
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += others[k];
    meeting_.all_there.arrive_and_wait();
    std::ranges::copy(sums, values.begin());
  }

 private:
  std::size_t rank_;
  Meeting& meeting_;
};

// Calls `f` on each process of a team of `processes`.
inline void on_thread_team(std::size_t processes, const std::function<void(Team&)>& f) {
  Meeting meeting(processes);
  std::vector<std::jthread> threads;
  for (std::size_t rank = 0; rank < processes; ++rank)
    threads.emplace_back([&, rank] {
      ThreadTeam team(rank, meeting);
      f(team);
    });
}

}  // namespace skein::lb
