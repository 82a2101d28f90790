// SPDX-License-Identifier: Apache-2.0
// Native programs that continue from states: native_states KIND STEPS [WHAT]. Each prints a line a step,
// whose values native.py knows by formula. `obstacle` is a stencil beside something that no state can hold.
// `wave` is for tests of --survive: its elements wait in the middle of the steps, at one sync point after the
// other, for a file WHAT. If meanwhile a file `die` appears, element 0 removes it and dies by the fault whose
// letter it begins with: (s)egmentation fault, (a)bort or (d)ivision.
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <skein/skein.hpp>
#include <string>

namespace {

constexpr int blocks = 16, chains = 12, cells = 12;
skein::ReadOnly<int> steps;
skein::ReadOnly<std::vector<double>> factors;

/// Takes time, so that states are written meanwhile.
void pause_step() {
  const timespec nap{.tv_sec = 0, .tv_nsec = 3'000'000};
  nanosleep(&nap, nullptr);
}

template <class... A>
void say(const char* form, A... a) {
  printf(form, a...);
  fflush(stdout);
}

// ---- a stencil; calls over an ordered channel keep their order, and calls that came early are kept

struct Log : skein::Chare<Log, skein::Index1> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& next_;
  }
  void line(int number) {
    if (number != next_++) say("line %d is not the next, %d\n", number, next_ - 1);
  }

 private:
  int next_ = 0;
};

class Block : public skein::Chare<Block, skein::Index1> {
 public:
  explicit Block(skein::Array<Log> log = {}) : log_(log[0]) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& value_& from_left_& log_;
  }
  void begin_step() {
    if (index()[0] == 0) {
      pause_step();
      log_.send<&Log::line>(step_);
    }
    contribute(std::tuple(step_, value_), skein::each(skein::greatest, skein::sum),
               skein::to_function<std::tuple<int, long>>([](std::tuple<int, long> of) {
                 say("step %d: %ld\n", std::get<0>(of), std::get<1>(of));
               }));
    if (step_ == *steps) return;
    array()[(index()[0] + 1) % blocks].send<&Block::take>(step_, value_);
    running_ = true;
    go_on();
  }
  void take(int step, long value) {
    from_left_[step] = value;
    go_on();
  }
  void resume_from_sync() { begin_step(); }

 private:
  void go_on() {
    const auto found = from_left_.find(step_);
    if (!running_ || found == from_left_.end()) return;
    value_ = (value_ + found->second) % 1'000'003;
    from_left_.erase(found);
    ++step_;
    running_ = false;
    at_sync();
  }

  int step_ = 0;
  long value_ = 1;
  std::map<int, long> from_left_;
  bool running_ = false;
  skein::Ordered<Log> log_;
};

// ---- a flow, whose awaited calls arrive before it waits for them

class Stream : public skein::Chare<Stream, skein::Index2> {
 public:
  skein::Awaited<void(int step, long value)> from_left;
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& value_;
  }
  skein::Flow run() {
    for (; step_ < *steps;) {
      if (index()[0] == 0) pause_step();
      array()[{(index()[0] + 1) % blocks, 0}].send<&Stream::from_left>(step_, value_);
      const auto [step, value] = co_await when<&Stream::from_left>().matching(step_);
      value_ = (value_ + value) % 1'000'003;
      contribute(std::tuple(++step_, value_), skein::each(skein::greatest, skein::sum),
                 skein::to_function<std::tuple<int, long>>([](std::tuple<int, long> of) {
                   say("step %d: %ld\n", std::get<0>(of), std::get<1>(of));
                 }));
      // This call waits until after the next sync point.
      array()[{(index()[0] + 1) % blocks, 0}].send<&Stream::from_left>(-step_, value_);
      if (step_ > 1) co_await when<&Stream::from_left>().matching(1 - step_);
      co_await sync<&Stream::run>();
    }
    co_await when<&Stream::from_left>().matching(-step_);
  }

 private:
  int step_ = 0;
  long value_ = 1;
};

// ---- chains of elements; each element ends when it has inserted the next

class Link;
skein::Array<Link> all_links;

class Link : public skein::Chare<Link, skein::Index2> {
 public:
  using Told = std::tuple<int, long, int, long>;
  explicit Link(int step = 0, long value = 0) : step_(step), value_(value) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& value_& weight_;
  }
  void go_on() {
    contribute(Told(step_, value_, 1, weight_[1234]),
               skein::each(skein::greatest, skein::sum, skein::sum, skein::sum),
               skein::to_function<Told>([](Told of) {
                 const auto [step, sum, count, weight] = of;
                 say("step %d: %ld of %d, %ld\n", step, sum, count, weight);
                 if (step < *steps) all_links.broadcast<&Link::meet>();
               }));
  }
  void meet() { at_sync(); }
  void resume_from_sync() {
    if (index()[0] == 0) pause_step();
    ++step_;
    if (index()[0] % 3 == step_ % 3) {
      const auto next = array()[{index()[0], step_}];
      next.insert(step_, value_ + 1);
      next.send<&Link::go_on>();
      return destroy();
    }
    ++value_;
    go_on();
  }

 private:
  int step_;
  long value_;
  std::vector<long> weight_ = std::vector<long>(5000, 3);  // travels as a block when an element moves
};

// ---- arrays of all kinds that do not synchronize, beside one that does

template <class I>
struct Follower : skein::Chare<Follower<I>, I> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& sum_;
  }
  void follow(int step, double value) {
    sum_ += value;
    this->contribute(std::tuple(step, sum_), skein::each(skein::greatest, skein::sum),
                     skein::to_function<std::tuple<int, double>>([](std::tuple<int, double> of) {
                       say("step %d: followers in %d dimensions %.17g\n", std::get<0>(of), I::dimensions,
                           std::get<1>(of));
                     }));
  }

 private:
  double sum_ = 0;
};
struct Followers {
  skein::Array<Follower<skein::Index4>> in_4;
  skein::Array<Follower<skein::Index5>> in_5;
  skein::Array<Follower<skein::Index6>> in_6;
};
Followers all_followers;

struct Counter : skein::Chare<Counter, skein::Index1> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& count_;
  }
  void count() { ++count_; }
  void tell() {
    contribute(count_, skein::sum, skein::to_function<int>([](int sum) { say("counted %d\n", sum); }));
  }

 private:
  int count_ = 0;
};
skein::Array<Counter> all_counters;

struct Beside;
struct Cell : skein::Chare<Cell, skein::Index3> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& value_& counters_& beside_;
  }
  void begin(skein::Array<Counter> counters, skein::Array<Beside> beside) {
    counters_ = counters;
    beside_ = beside;
    go_on();
  }
  void go_on();
  void resume_from_sync() { go_on(); }

 private:
  int step_ = 0;
  double value_ = 1;
  skein::Array<Counter> counters_;
  skein::Array<Beside> beside_;
};
/// An element bound to a Cell.
struct Beside : skein::Chare<Beside, skein::Index3> {
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& seen_;
  }
  int see() { return ++seen_; }

 private:
  int seen_ = 0;
};

void Cell::go_on() {
  if (index() == skein::Index3{0, 0, 0}) pause_step();
  ++step_;
  const int place = index()[0] * 6 + index()[1] * 2 + index()[2];
  value_ = value_ * (*factors)[static_cast<std::size_t>(place)] + place;
  counters_[skein::this_pe()].call<&Counter::count>();
  if (beside_[index()].call<&Beside::see>() != step_) say("beside is not\n");
  contribute(std::tuple(step_, value_), skein::each(skein::greatest, skein::sum),
             skein::to_function<std::tuple<int, double>>([](std::tuple<int, double> of) {
               const auto [step, sum] = of;
               say("step %d: %.17g\n", step, sum);
               all_followers.in_4.broadcast<&Follower<skein::Index4>::follow>(step, sum);
               all_followers.in_5.broadcast<&Follower<skein::Index5>::follow>(step, sum);
               all_followers.in_6.broadcast<&Follower<skein::Index6>::follow>(step, sum);
               if (step == *steps) all_counters.broadcast<&Counter::tell>();
             }));
  if (step_ < *steps) at_sync();
}

// ---- floating-point numbers that are bitwise the same with --deterministic

skein::ReadOnly<std::string> awaited;
volatile int zero;

__attribute__((noinline)) void die_if_asked() {
  FILE* const file = fopen("die", "r");
  if (!file) return;
  const int how = fgetc(file);
  fclose(file);
  unlink("die");
  if (how == 's') *reinterpret_cast<volatile int*>(static_cast<std::intptr_t>(zero)) = 1;
  if (how == 'd') zero = (7 + zero) / zero;
  abort();
}

class Wave : public skein::Chare<Wave, skein::Index1> {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& step_& values_& from_left_& running_;
  }
  void begin_step() {
    if (index()[0] == 0) pause_step();
    if (values_.empty())
      for (int i = 0; i < 20000; ++i) values_.push_back(index()[0] + i * 1e-3);
    double sum = 0;
    for (const double value : values_) sum += value;
    contribute(std::tuple(step_, sum), skein::each(skein::greatest, skein::sum),
               skein::to_function<std::tuple<int, double>>([](std::tuple<int, double> of) {
                 say("step %d: %a\n", std::get<0>(of), std::get<1>(of));
               }));
    if (step_ == *steps) return;
    array()[(index()[0] + 1) % blocks].send<&Wave::take>(step_, values_);
    running_ = true;
    go_on();
  }
  void take(int step, std::vector<double> values) {
    from_left_[step] = std::move(values);
    go_on();
  }
  void resume_from_sync() {
    if (step_ == *steps / 2 + 1 && !awaited->empty()) return look();
    begin_step();
  }
  void hear(int there) {
    if (there) return begin_step();
    at_sync();
  }

 private:
  void go_on() {
    const auto found = from_left_.find(step_);
    if (!running_ || found == from_left_.end()) return;
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = values_[i] * 0.75 + found->second[i] * 0.25 + 1.0 / (3 + step_ + index()[0]);
    from_left_.erase(found);
    ++step_;
    running_ = false;
    at_sync();
  }
  void look() {
    if (index()[0] == 0) {
      pause_step();
      die_if_asked();
    }
    contribute(index()[0] == 0 && access(awaited->c_str(), F_OK) == 0 ? 1 : 0, skein::sum,
               skein::to<&Wave::hear>(array()));
  }

  int step_ = 0;
  std::vector<double> values_;
  std::map<int, std::vector<double>> from_left_;
  bool running_ = false;
};

// ---- elements and values that no state can hold

struct Waiting : skein::Chare<Waiting, skein::Index1> {
  skein::Awaited<void()> go;
  template <class Ar>
  void serialize(Ar&, unsigned) {}
  skein::Flow wait() { co_await when<&Waiting::go>(); }
};
struct Fixed : skein::Chare<Fixed, skein::Index1> {
  void nothing() {}
};
struct Alone : skein::Chare<Alone> {
  void nothing() {}
};

void add_obstacle(skein::Job& job, const std::string& what, const skein::Array<Block>& stencil) {
  if (what == "flow") job.array<Waiting>(2).broadcast<&Waiting::wait>();
  if (what == "class") job.array<Fixed>(2);
  if (what == "single") skein::create<Alone>();
  if (what == "timer") skein::every(1000, skein::to_function<void>([] {}));
  if (what == "quiescence") job.at_quiescence(skein::to_function<void>([] {}));
  if (what == "section") (void)skein::section(stencil, {{1}, {2}});
}

}  // namespace

int main(int argc, char** argv) {
  return skein::run(argc, argv, [&](skein::Job& job) {
    const std::string kind = job.arguments().at(0);
    steps.set(atoi(job.arguments().at(1).c_str()));
    if (kind == "stencil" || kind == "obstacle") {
      const auto stencil = job.array<Block>(blocks, job.array<Log>(1));
      if (kind == "obstacle") add_obstacle(job, job.arguments().at(2), stencil);
      stencil.broadcast<&Block::begin_step>();
    } else if (kind == "wave") {
      if (job.arguments().size() > 2) awaited.set(job.arguments()[2]);
      say("begins\n");
      job.array<Wave>(blocks).broadcast<&Wave::begin_step>();
    } else if (kind == "flow") {
      job.array<Stream>({blocks, 1}).broadcast<&Stream::run>();
    } else if (kind == "sparse") {
      all_links = job.sparse_array<Link>();
      for (int chain = 0; chain < chains; ++chain) {
        all_links[{chain, 0}].insert();
        all_links[{chain, 0}].send<&Link::go_on>();
      }
    } else {
      std::vector<double> of_cells;
      for (int cell = 0; cell < cells; ++cell) of_cells.push_back(1 + 1.0 / (3 + cell));
      factors.set(of_cells);
      all_counters = job.group<Counter>();
      all_followers = {job.array<Follower<skein::Index4>>({2, 1, 3, 1}),
                       job.array<Follower<skein::Index5>>({1, 2, 1, 2, 1}),
                       job.array<Follower<skein::Index6>>({1, 1, 3, 1, 1, 2})};
      const auto array = job.array<Cell>({2, 3, 2});
      const auto beside = job.array<Beside>(skein::bound_to(array));
      array.broadcast<&Cell::begin>(all_counters, beside);
    }
  });
}
