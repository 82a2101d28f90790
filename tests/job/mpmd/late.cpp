// SPDX-License-Identifier: Apache-2.0
// late CASE [FOLDER], or late CASE STRATEGY PROCESSES, where PROCESSES decide together by STRATEGY; on three
// processes of the application: decisions that come later than the call that asked for them.
//
// Process 0 has twelve elements of 1 s on a line, which send to the next one, so that the decision must give
// each process four. After the asking call element 0 is gone, and element 100 has come beside element 5.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "skein/advisor.hpp"

namespace {

int here = 0;
skein::AdvisorOptions options{1000, 1, ""};
int together = 0;  // how many processes decide together

#define CHECK(condition)                                                                     \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "process %d, line %d: not so: %s\n", here, __LINE__, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
    }                                                                                        \
  } while (0)

constexpr std::uint64_t kCount = 12, kNew = 100, kBeside = 5;

struct Elements {
  std::vector<skein::AdvisorElement> all;
  std::vector<skein::AdvisorEdge> edges;
  std::vector<std::array<float, 3>> positions;

  explicit Elements(bool is_later) {
    if (here != 0) return;
    for (std::uint64_t id = is_later; id < kCount; ++id) add(id, static_cast<float>(id));
    for (std::uint64_t id = is_later; id + 1 < kCount; ++id) edges.push_back({id, id + 1, 100});
    if (is_later) add(kNew, kBeside + 0.1f);
  }
  void add(std::uint64_t id, float x) {
    all.push_back({id, 1, 1000});
    positions.push_back({x, 0, 0});
  }
  std::size_t index(std::uint64_t id) const {
    return static_cast<std::size_t>(std::ranges::find(all, id, &skein::AdvisorElement::id) - all.begin());
  }
};

skein::Advice ask(skein::Advisor& advisor, bool is_later) {
  const Elements elements(is_later);
  advisor.add_work(static_cast<double>(elements.all.size()));
  return advisor.advise(elements.all, elements.edges, elements.positions, 1);
}

bool is_alike_everywhere(int value) {
  int extremes[2] = {value, -value};
  MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return extremes[0] == -extremes[1];
}

// Calls until there is an answer; the calls differ in time from process to process.
skein::Advice ask_until_answered(skein::Advisor& advisor) {
  skein::Advice advice = ask(advisor, false);
  while (advice.awaited) {
    CHECK(!advice.balance && advice.process.size() == Elements(true).all.size());
    for (const int place : advice.process) CHECK(place == here);
    usleep(static_cast<useconds_t>(1000 * here));
    advice = ask(advisor, true);
  }
  return advice;
}

void check_places(const skein::Advice& advice, bool is_later) {
  const Elements elements(is_later);
  CHECK(advice.balance && advice.strategy != "none" && !advice.dropped);
  CHECK(advice.process.size() == elements.all.size());
  const std::string told = std::to_string(together) + " processes decided together, about " +
                           std::to_string(kCount) + " and 0 elements";
  if (together == 2) CHECK(advice.table.find(told) != std::string::npos);
  if (here != 0) return;
  std::array<int, 3> dealt{};
  for (std::size_t k = 0; k < elements.all.size(); ++k)
    if (elements.all[k].id != kNew) ++dealt.at(static_cast<std::size_t>(advice.process[k]));
  std::ranges::sort(dealt);
  CHECK((dealt == (is_later ? std::array{3, 4, 4} : std::array{4, 4, 4})));
  if (is_later) CHECK(advice.process[elements.index(kNew)] == advice.process[elements.index(kBeside)]);
}

// Checks a late answer that is `least` to `most` calls late.
void check_late(std::uint64_t least, std::uint64_t most) {
  skein::Advisor advisor(MPI_COMM_WORLD, options);
  const skein::Advice advice = ask_until_answered(advisor);
  CHECK(is_alike_everywhere(static_cast<int>(advice.calls_late)));
  CHECK(advice.calls_late >= least && advice.calls_late <= most);
  const bool is_later = advice.calls_late > 0;
  check_places(advice, is_later);
  CHECK(advice.drift.gone == is_later && advice.drift.come == is_later);
  // There are as many elements with as much work, so none of it has drifted: of 12 s each process is to have
  // 4 s, and by then some have 3 or 5 s.
  CHECK(std::abs(advice.drift.work_percent) < 1e-9 && advice.drift.changed_percent == 0);
  CHECK(std::abs(advice.imbalance_percent - 200) < 1e-9);
  CHECK(advice.imbalance_after_percent <= 25 + 1e-9);
  advisor.moved(1e-3);
  // Ask again; the question is never answered before the end.
  ask(advisor, false);
}

// A mistake in a report is thrown on all processes at the call that has the answer.
void check_wrong() {
  skein::Advisor advisor(MPI_COMM_WORLD, options);
  const std::vector<skein::AdvisorElement> wrong{{7, 1, 1}};
  std::string text;
  for (int call = 0; text.empty() && call < 100000; ++call) try {
      advisor.advise(wrong);
    } catch (const std::invalid_argument& error) {
      text = error.what();
    }
  CHECK(text.find("element 7 was given twice") != std::string::npos);
  check_places(ask_until_answered(advisor), true);
}

// The program ends with a question that is not answered, and with an advisor that it does not free. The
// answer is longer than MPI sends without a receiver.
void leave_unanswered() {
  std::vector<skein::AdvisorElement> many;
  for (std::uint64_t k = 0; k < 100'000; ++k)
    many.push_back({3 * k + static_cast<std::uint64_t>(here), 1, 8});
  auto* const forgotten = new skein::Advisor(MPI_COMM_WORLD, options);
  forgotten->add_work(here);
  CHECK(forgotten->advise(many).awaited);
}

void wait_for(const std::string& file) {
  while (access(file.c_str(), F_OK) != 0) usleep(10000);
}

// The test stops the deciding process until the application has reported its silence.
void check_silence(const std::string& folder) {
  std::ofstream(folder + "/application." + std::to_string(getpid())).flush();
  skein::Advisor advisor(MPI_COMM_WORLD, options);
  wait_for(folder + "/stopped");
  CHECK(ask(advisor, false).awaited);
  if (here == 0) std::ofstream(folder + "/went_on").flush();
  wait_for(folder + "/resumed");
  skein::Advice advice;
  do advice = ask(advisor, true);
  while (advice.awaited);
  CHECK(advice.calls_late > 0);
  check_places(advice, true);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &here);
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  CHECK(processes == 3 && argc > 1);
  const std::string what = argv[1];
  if (argc == 4) options.strategy = argv[2], together = std::atoi(argv[3]);
  if (what == "never") check_late(2, 1'000'000'000);
  if (what == "wait_2") check_late(2, 2);
  if (what == "always") check_late(0, 0);
  if (what == "wrong") check_wrong();
  if (what == "forgotten") leave_unanswered();
  if (what == "silence") check_silence(argv[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (here == 0) std::printf("late: %s passed\n", what.c_str());
  MPI_Finalize();
  return 0;
}
