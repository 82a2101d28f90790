// SPDX-License-Identifier: Apache-2.0
// A native program each of whose jobs repeats one operation, to count its messages (growth.py):
//   growth FOLDER PES,PES,... WHAT:N[:STRATEGY]...
// runs each job on the first PES of its processes, which write their counts to FOLDER/<PES>/<WHAT:N...>. All
// jobs follow one MPI_Init(), which takes by far the most time where processes outnumber cores. WHAT:
//   broadcasts   N broadcasts, each followed by a reduction
//   insertions   every PE inserts N elements at once, on the next PE
//   quiescence   N times quiescence, one after the other
//   detections   N completion detectors, each with a producer on every PE
//   steps        N LB steps; every second PE has thrice the load of others
#include <mpi.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <skein/mpi.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/job/native/check.hpp"

namespace {

constexpr int elements_a_pe = 4;
// Of the job, on every PE:
std::string what;
int times = 0;

// On PE 0:
int rests = 0;
bool passed = false;
void pass() { passed = true; }

void rest() {
  if (rests++ == times) return pass();
  skein::Job().at_quiescence(skein::to_function<void>([] { rest(); }));
}

class Guest : public skein::Chare<Guest, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  void count() {
    contribute(1, skein::sum, skein::to_function<int>([](int all) { check(all); }));
  }

 private:
  static void check(int all) {
    EXPECT_EQUAL(all, times * skein::pe_count());
    pass();
  }
};

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& done_& guests_;
  }
  double load() const { return pe() % 2 == 0 ? 3 : 1; }

  void start(skein::Array<Guest> guests) {
    guests_ = guests;
    if (what == "broadcasts") hear();
    if (what == "insertions") insert();
    if (what == "detections" && index()[0] == 0) detect();
    if (what == "steps") at_sync();
  }

  void hear() { contribute(1, skein::sum, skein::to<&Cell::heard>(array()[0])); }
  void heard(int all) {
    EXPECT_EQUAL(all, elements_a_pe * skein::pe_count());
    if (++done_ == times) return pass();
    array().broadcast<&Cell::hear>();
  }

  void insert() {
    if (!is_first()) return;
    for (int i = 0; i < times; ++i) guests_[pe() * times + i].insert_on((pe() + 1) % skein::pe_count());
  }

  void detect() {
    if (done_++ == times) return pass();
    array().broadcast<&Cell::produce>(
        skein::CompletionDetector::begin("all", skein::pe_count(), skein::to<&Cell::detect>(self())));
  }
  void produce(skein::CompletionDetector detector) {
    if (!is_first()) return;
    detector.produce();
    array()[(index()[0] + elements_a_pe) % (elements_a_pe * skein::pe_count())].send<&Cell::consume>(
        detector);
    detector.done();
  }
  void consume(skein::CompletionDetector detector) { detector.consume(); }

  void resume_from_sync() {
    if (++done_ < times) return at_sync();
    contribute(1, skein::sum, skein::to_function<int>([](int) { pass(); }));
  }

 private:
  int pe() const { return index()[0] / elements_a_pe; }
  bool is_first() const { return index()[0] % elements_a_pe == 0; }

  int done_ = 0;
  skein::Array<Guest> guests_;
};

void begin(skein::Job& job) {
  const auto guests = job.sparse_array<Guest>();
  job.array<Cell>(elements_a_pe * skein::pe_count()).broadcast<&Cell::start>(guests);
  if (what == "quiescence") rest();
  if (what == "insertions") {
    static skein::Array<Guest> all;
    all = guests;
    job.at_quiescence(skein::to_function<void>([] { all.broadcast<&Guest::count>(); }));
  }
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

/// Runs the job WHAT:N[:STRATEGY]; the strategy's name may have colons of its own.
void run_job(MPI_Comm pes, const std::string& job, const std::string& counts) {
  const auto first = job.find(':'), second = job.find(':', first + 1);
  what = job.substr(0, first);
  times = std::atoi(job.c_str() + first + 1);
  rests = 0;
  passed = false;
  std::vector<std::string> words{"growth"};
  if (second != std::string::npos) {
    words.push_back("--skein.lb=" + job.substr(second + 1));
    words.push_back("--skein.lb-period=1");
  }
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  setenv("SKEIN_MESSAGE_COUNTS", counts.c_str(), 1);
  const int status = skein::run(pes, static_cast<int>(words.size()), pointers.data(), begin);
  int rank;
  MPI_Comm_rank(pes, &rank);
  if (status == 0 && (passed || rank > 0)) return;
  fprintf(stderr, "%s: status %d, and it did not come to its end\n", counts.c_str(), status);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// Leaves the core to the processes that have a job.
void wait_for_all() {
  constexpr unsigned pause_us = 20'000;
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done;) usleep(pause_us);
}

/// Sets the timer slack, by which the kernel may let sleeps last longer. While MPI_Init() waits for others
/// each process wakes every 0.1 ms to look, which is most of the work of many processes on few cores.
void set_timer_slack(unsigned long ns) { prctl(PR_SET_TIMERSLACK, ns); }

}  // namespace

int main(int argc, char** argv) {
  constexpr unsigned long usual_ns = 50'000;
  set_timer_slack(1000 * usual_ns);
  MPI_Init(&argc, &argv);
  set_timer_slack(usual_ns);
  if (argc < 4) return 2;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const std::string& pes : split(argv[2], ',')) {
    MPI_Comm first;
    MPI_Comm_split(MPI_COMM_WORLD, rank < std::atoi(pes.c_str()) ? 0 : MPI_UNDEFINED, rank, &first);
    for (int i = 3; i < argc && first != MPI_COMM_NULL; ++i)
      run_job(first, argv[i], std::string(argv[1]) + "/" + pes + "/" + argv[i]);
    if (first != MPI_COMM_NULL) MPI_Comm_free(&first);
    wait_for_all();
  }
  MPI_Finalize();
  if (rank == 0) native_test::passed();
}
