// SPDX-License-Identifier: Apache-2.0
// Large vectors whose storage is memory of the node, passed from sender to receiver: sent on and on, grown,
// freed on another thread, lent by an element that does not own them, packed twice, seen by a forked child,
// too many for the memory; memory without owner is given back. With --elsewhere no vector is in such memory.
#include <sys/wait.h>
#include <unistd.h>

#include <cinttypes>
#include <cstring>
#include <memory>
#include <numeric>
#include <thread>

#include "tests/job/native/check.hpp"
#include "tests/job/native/resident.hpp"

#ifdef SKEIN_TEST_OWN_OPERATORS
// Replaces the operators as most programs do: the sized version stays the library's, which calls this one.
#pragma GCC diagnostic ignored "-Wsized-deallocation"
void* operator new(std::size_t bytes) {
  if (void* const memory = malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { free(memory); }
#endif

namespace {

constexpr std::size_t length = 200'000;
constexpr int rounds = 24, most_rounds = 1000, burst = 100, changed = -1;
bool elsewhere = false, short_of_memory = false, keeps = false;
std::vector<int> kept_by_process;

void change_in_child(std::vector<int>& data) {
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    std::ranges::fill(data, changed);
    std::vector<int>().swap(data);
    _exit(7);
  }
  int status = 0;
  EXPECT_EQUAL(waitpid(child, &status, 0), child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

bool in_node_memory(const void* memory) {
  bool found = false;
  FILE* const maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps && fgets(line, sizeof line, maps)) {
    std::uintptr_t begin = 0, end = 0;
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) == 2 && at >= begin && at < end)
      found = strstr(line, "memfd:skein-node") != nullptr;
  }
  if (maps) fclose(maps);
  return found;
}

std::vector<int> numbers(std::size_t count, int first) {
  std::vector<int> made(count);
  std::iota(made.begin(), made.end(), first);
  return made;
}

void expect_numbers(const std::vector<int>& found, std::size_t count, int first) {
  EXPECT_EQUAL(found.size(), count);
  EXPECT(found == numbers(count, first));
}

/// Packs a vector that may belong to another object.
struct View {
  std::shared_ptr<std::vector<int>> own = std::make_shared<std::vector<int>>();
  std::vector<int>* seen = own.get();
  View() = default;
  explicit View(std::vector<int>& of) : seen(&of) {}
  View(const View& other) : own(other.own), seen(other.seen) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar&* seen;
  }
};

struct Twice {
  std::vector<int> data;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& data& data;
  }
};

class Member : public skein::Chare<Member, skein::Index1> {
 public:
  void begin() {
    if (short_of_memory) return fill();
    next().send<&Member::pass_on>(numbers(length, 0), 1);
  }

  // ---- around all PEs, several times
  void pass_on(std::vector<int> data, int hops) {
    const auto extra = static_cast<std::size_t>(std::min(hops - 1, rounds * skein::pe_count()) + 1) / 3;
    expect_numbers(data, length + extra, hops - 1);
    const bool placed = in_node_memory(data.data());
    for (int& each : data) ++each;
    if (hops % 3 == 2 && hops <= rounds * skein::pe_count()) data.push_back(data.back() + 1);
    if (hops < rounds * skein::pe_count() || skein::this_pe() != 0 || placed != is_to_be_placed()) {
      EXPECT(hops < most_rounds * skein::pe_count());
      return next().send<&Member::pass_on>(std::move(data), hops + 1);
    }
    change_in_child(data);
    expect_numbers(data, length + extra, hops);
    // The receiver owns its vector, whatever the sender does with a vector that it has only lent. Outside of
    // such memory the sender must keep the vector unchanged until it has been received.
    kept_ = std::move(data);
    next().send<&Member::look>(View(kept_), kept_.size(), kept_.front());
    if (in_node_memory(kept_.data())) std::ranges::fill(kept_, changed);
    if (keeps) kept_by_process = std::move(kept_);
  }
  void look(const View& view, std::size_t count, int first) {
    expect_numbers(*view.seen, count, first);
    next().send<&Member::take_twice>(Twice{numbers(length, 5)});
  }
  void take_twice(Twice twice) {
    expect_numbers(twice.data, length, 5);
    std::thread([freed = std::move(twice.data)]() mutable { std::vector<int>().swap(freed); }).join();
    fill();
  }

  // ---- many at a time
  void fill() {
    before_ = native_test::resident_bytes();
    for (int i = 0; i < burst; ++i) next().send<&Member::take>(numbers(length, i), i, index()[0]);
  }
  void take(std::vector<int> data, int number, int from) {
    expect_numbers(data, length, number);
    taken_.push_back(std::move(data));
    if (taken_.size() < burst) return;
    for (std::size_t i = 0; i < taken_.size(); ++i)
      EXPECT_EQUAL(taken_[i].back() - taken_[i].front() + 1, static_cast<int>(length));
    taken_.clear();
    array()[from].send<&Member::wait_for_less>();
  }
  void wait_for_less() {
    const long most = static_cast<long>(burst * length * sizeof(int) / 4);
    if (native_test::resident_bytes() - before_ < most) return next().send<&Member::end>();
    EXPECT(++looks_ < 1000);
    skein::after(0.01, skein::to<&Member::wait_for_less>(self()));
  }
  void end() { native_test::passed(), skein::exit(); }

 private:
  skein::ElementRef<Member> next() { return array()[(skein::this_pe() + 1) % skein::pe_count()]; }
  /// Returns true if vectors will lie in memory of the node, once enough of their length have been sent to be
  /// worth it.
  static bool is_to_be_placed() { return skein::pe_count() > 1 && !elsewhere; }

  std::vector<int> kept_;
  std::vector<std::vector<int>> taken_;
  long before_ = 0;
  int looks_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  static int runs = 0;
  for (int i = 1; i < argc; ++i) {
    elsewhere |= strcmp(argv[i], "--elsewhere") == 0;
    short_of_memory |= strcmp(argv[i], "--short") == 0;
    keeps |= strcmp(argv[i], "--keep") == 0;
  }
  elsewhere |= keeps && runs++ > 0;
  for (const int each : kept_by_process) EXPECT_EQUAL(each, changed);
  return skein::run(argc, argv, [](skein::Job& job) { job.group<Member>()[0].send<&Member::begin>(); });
}
