// SPDX-License-Identifier: Apache-2.0
// All interleavings of small jobs: every order in which objects come to sync points and end, messages arrive
// (those of a pair of PEs in order), decisions get ready, the coordinator falls silent, its PE stops and
// perhaps goes on, and the witness gives it up. Invariants are checked in every state that can be reached,
// and that every job ends.
#include <doctest/doctest.h>

#include <algorithm>
#include <compare>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "skein/lb/lazy.hpp"
#include "skein/lb/witness.hpp"

using namespace skein::lb;
using namespace skein::lb::lazy;

namespace {

struct Job {
  std::vector<int> pe_of;    // of each object at the start
  std::vector<Point> lasts;  // each ends when it has passed so many points
  Point period = 1;
  Wait wait = {};
  bool tight = false;  // nobody is ahead of another by more than a point
  bool silences = false;
  int losses = 0;      // so many times the witness may find that the coordinator's PE does not answer
  bool stops = false;  // that PE may stop, and never goes on
  std::size_t pes = 2;
  Point from = 0;                     // all objects have passed this point when it begins
  std::vector<Point> new_waits = {};  // each answer and agreement brings any of these, if there are any
};

struct Message {
  enum class Kind {
    share,
    dry,
    promise,
    answered,
    decided,
    agreed,
    silent,
    stand,
    call,
    here,
    meet,
    lost,
    found
  } kind;
  Point point = 0;  // or the number of the call, or the round
  std::optional<Point> wait = {};
  Point about = 0;         // of a promise
  std::uint64_t drop = 0;  // of a decision
  Stand stand = {};
  auto operator<=>(const Message&) const = default;
};

struct Object {
  int pe = 0;
  Point passed = 0;
  Point asked = 0;   // the last point for which it left its share
  int asked_in = 0;  // and in which epoch
  bool ended = false;
  Member::At now = Member::At::pass;
  auto operator<=>(const Object&) const = default;
};

struct Pe {
  Member member;
  Point sent = 0;  // newest share
  bool said_dry = false;
  std::uint64_t round = 0;
  std::optional<Stand> said = {};
  bool meets = false;
  auto operator<=>(const Pe&) const = default;
};

struct State {
  std::vector<Object> objects;
  std::vector<Pe> pes;
  Coordinator coordinator;
  std::vector<std::vector<Message>> to_coordinator, from_coordinator;  // by PE
  std::vector<Point> shared;  // by PE: newest share that has come, as the coordinator's store has it
  int epoch = 0;
  bool was_silent = false;
  Witness witness;
  std::vector<std::vector<Message>> to_witness, from_witness;  // by PE
  int losses = 0;
  std::uint64_t lost_in = 0;  // the round that began so
  bool is_lost = false, meets = false, stopped = false;
  auto operator<=>(const State&) const = default;
};

class Explorer {
 public:
  explicit Explorer(const Job& job) : job_(job) {
    State first;
    for (std::size_t i = 0; i < job.pe_of.size(); ++i)
      first.objects.push_back({.pe = job.pe_of[i], .passed = job.from, .asked = job.from});
    for (std::size_t p = 0; p < job.pes; ++p)
      first.pes.push_back({.member = Member(job.period, job.wait, job.from), .sent = job.from});
    first.coordinator = Coordinator(job.pes, job.from);
    first.to_coordinator.resize(job.pes);
    first.from_coordinator.resize(job.pes);
    first.shared.resize(job.pes, job.from);
    first.witness = Witness(job.pes, 1);
    first.to_witness.resize(job.pes);
    first.from_witness.resize(job.pes);
    for (std::size_t p = 0; p < job.pes; ++p) {
      tell_if_dry(first, p);
      tell_if_standing(first, p);
    }
    add(std::move(first));
    while (!open_.empty()) {
      const State state = std::move(open_.front());
      open_.pop_front();
      expand(state);
    }
  }

  std::size_t states() const { return seen_.size(); }
  int most_applications() const { return most_applications_; }

 private:
  void add(State state) {
    auto [place, is_new] = seen_.insert(std::move(state));
    if (is_new) open_.push_back(*place);
  }

  bool alive(const State& state, std::size_t pe) const {
    return std::ranges::any_of(state.objects,
                               [&](const Object& o) { return o.pe == static_cast<int>(pe) && !o.ended; });
  }

  void tell_if_dry(State& state, std::size_t pe) {
    if (state.pes[pe].said_dry || alive(state, pe)) return;
    state.pes[pe].said_dry = true;
    state.to_coordinator[pe].push_back({Message::Kind::dry, static_cast<Point>(state.epoch)});
  }

  // A share is sent when all objects of the PE that run have left theirs.
  void send_shares(State& state, std::size_t pe) {
    Point oldest = kNever, newest = 0;
    for (const Object& o : state.objects) {
      if (o.pe != static_cast<int>(pe)) continue;
      const Point left = o.asked_in == state.epoch || o.asked == 0 ? o.asked : 0;
      if (!o.ended) oldest = std::min(oldest, left);
      newest = std::max(newest, left);
    }
    const Point whole = std::min(oldest, newest);
    for (Point ask = state.pes[pe].sent + 1; ask <= whole; ++ask)
      if (ask % job_.period == 0) {
        state.to_coordinator[pe].push_back({Message::Kind::share, ask});
        state.pes[pe].sent = ask;
      }
  }

  // Object i goes on until it has passed a point, or waits.
  void run(State& state, std::size_t i) {
    Object& o = state.objects[i];
    Pe& pe = state.pes[static_cast<std::size_t>(o.pe)];
    const Point n = o.passed + 1;
    if (n > job_.lasts[i]) {
      o.ended = true;
      send_shares(state, static_cast<std::size_t>(o.pe));
      tell_if_dry(state, static_cast<std::size_t>(o.pe));
      return;
    }
    for (;;) {
      o.now = pe.member.at(n, o.asked == n);
      if (o.now != Member::At::ask) break;
      pe.member.asks(n);
      o.asked = n;
      o.asked_in = state.epoch;
      send_shares(state, static_cast<std::size_t>(o.pe));
    }
    CHECK_MESSAGE((o.now == Member::At::pass) >= pe.member.may_pass(n),
                  "the short way is not the long one's");
    if (o.now == Member::At::stop) CHECK(n == pe.member.agreed_stop());
    if (o.now != Member::At::pass) return;
    pe.member.passes(n);
    o.passed = n;
  }

  void tell_if_standing(State& state, std::size_t p) {
    Pe& pe = state.pes[p];
    Stand stand{.round = pe.round, .about = pe.member.agreed_about()};
    for (const Object& o : state.objects) {
      if (o.pe != static_cast<int>(p) || o.ended) continue;
      if (o.now != Member::At::stop) return;
      ++stand.objects;
    }
    if (pe.said == stand || pe.meets) return;
    pe.said = stand;
    if (p > 0) return state.to_witness[p].push_back({.kind = Message::Kind::stand, .stand = stand});
    state.witness.stands(0, stand);
    witness_goes_on(state);
  }

  // Objects that wait, or stopped for what is dropped, look again.
  void run_all(State& state, std::size_t pe) {
    for (std::size_t i = 0; i < state.objects.size(); ++i)
      if (state.objects[i].pe == static_cast<int>(pe) && state.objects[i].now == Member::At::stop)
        run(state, i);
    run_held(state, pe);
  }

  // The witness is PE 0.
  void tell_from_witness(State& state, Message::Kind kind) {
    const Message message{kind, state.witness.round()};
    for (std::size_t p = 1; p < job_.pes; ++p) state.from_witness[p].push_back(message);
    take_from_witness(state, 0, message);
  }

  void witness_goes_on(State& state) {
    if (state.witness.is_to_call())
      state.to_coordinator[0].push_back({Message::Kind::call, state.witness.calls()});
    if (!state.witness.may_meet()) return;
    state.witness.next_round();
    state.meets = true;
    tell_from_witness(state, Message::Kind::meet);
  }

  void witness_gets(State& state, std::size_t pe) {
    const Message message = state.to_witness[pe].front();
    state.to_witness[pe].erase(state.to_witness[pe].begin());
    state.witness.stands(pe, message.stand);
    witness_goes_on(state);
  }

  void hears_witness(State& state, std::size_t p) {
    const Message message = state.from_witness[p].front();
    state.from_witness[p].erase(state.from_witness[p].begin());
    take_from_witness(state, p, message);
  }

  void take_from_witness(State& state, std::size_t p, const Message& message) {
    Pe& pe = state.pes[p];
    switch (message.kind) {
      case Message::Kind::meet:
        CHECK(pe.said);
        CHECK(pe.said->about == pe.member.agreed_about());
        pe.round = message.point;
        pe.meets = true;
        return;
      case Message::Kind::lost:
        CHECK_FALSE(pe.meets);
        pe.round = message.point;
        pe.member.dropped(message.point);
        run_all(state, p);
        return;
      default:
        pe.member.found();
    }
  }

  void loses(State& state) {
    ++state.losses;
    state.is_lost = true;
    state.lost_in = state.witness.next_round();
    state.to_coordinator[0].push_back({Message::Kind::lost, state.lost_in});
    tell_from_witness(state, Message::Kind::lost);
  }

  void finds(State& state) {
    state.is_lost = false;
    tell_from_witness(state, Message::Kind::found);
  }

  void run_held(State& state, std::size_t pe) {
    for (std::size_t i = 0; i < state.objects.size(); ++i)
      if (state.objects[i].pe == static_cast<int>(pe) && state.objects[i].now == Member::At::hold)
        run(state, i);
  }

  void tell_all(State& state, Message message) {
    for (auto& channel : state.from_coordinator) channel.push_back(message);
  }

  void coordinator_gets(State& state, std::size_t pe) {
    const Message message = state.to_coordinator[pe].front();
    state.to_coordinator[pe].erase(state.to_coordinator[pe].begin());
    switch (message.kind) {
      case Message::Kind::share:
        state.coordinator.share(pe, message.point);
        state.shared[pe] = message.point;
        break;
      case Message::Kind::dry:
        state.coordinator.dry(pe, message.point);
        break;
      case Message::Kind::call:
        state.from_coordinator[pe].push_back({Message::Kind::here, message.point});
        break;
      case Message::Kind::lost:
        state.coordinator.dropped(message.point);
        break;
      default:
        if (const auto stop = state.coordinator.promised(message.about, message.point))
          tell_all(state, {Message::Kind::agreed, *stop, message.wait});
    }
  }

  void member_gets(State& state, std::size_t pe) {
    const Message message = state.from_coordinator[pe].front();
    state.from_coordinator[pe].erase(state.from_coordinator[pe].begin());
    Member& member = state.pes[pe].member;
    if (message.wait && message.kind != Message::Kind::decided) member.wait_for(*message.wait);
    switch (message.kind) {
      case Message::Kind::answered:
        member.answered(message.point);
        break;
      case Message::Kind::decided:
        if (const auto promise = member.decided(message.point, !alive(state, pe), message.drop))
          state.to_coordinator[pe].push_back({.kind = Message::Kind::promise,
                                              .point = *promise,
                                              .wait = message.wait,
                                              .about = message.point});
        break;
      case Message::Kind::silent:
        member.silent();
        break;
      case Message::Kind::here:
        state.witness.answered(message.point);
        return witness_goes_on(state);
      default:
        member.agreed(message.point);
        if (member.agreed_stop() == kNever) break;
        for (const Object& o : state.objects)
          if (o.pe == static_cast<int>(pe) && !o.ended) CHECK(o.passed < message.point);
    }
    run_held(state, pe);
  }

  // All objects that run stand at the agreed point, and nothing is under way: they change places, and go on.
  void apply(State& state) {
    const Point stop = state.pes[0].member.agreed_stop();
    const Point about = state.coordinator.about();
    CHECK(about <= stop);
    state.meets = false;
    for (const Pe& pe : state.pes) CHECK(pe.member.agreed_stop() == stop);
    CHECK(state.coordinator.state() == Coordinator::State::agreed);
    // Shares for this point: all of those that run have left theirs, or nobody has.
    std::size_t left = 0, running = 0;
    for (const Object& o : state.objects) {
      if (o.ended) continue;
      ++running;
      left += o.asked == stop;
    }
    CHECK((left == 0 || (left == running && about == stop)));
    for (Pe& pe : state.pes) {
      pe.member.applied();
      pe.meets = pe.said_dry = false;
      pe.sent = std::max(pe.sent, about == stop ? stop : stop - 1);
      CHECK_FALSE(pe.member.is_instructed());
    }
    state.coordinator.applied();
    ++state.epoch;
    for (Object& o : state.objects) {
      if (!o.ended) o.pe = static_cast<int>((static_cast<std::size_t>(o.pe) + 1) % job_.pes);
      o.now = Member::At::pass;
    }
    for (std::size_t p = 0; p < job_.pes; ++p) tell_if_dry(state, p);
    // They stand where they stood, and look again.
    for (std::size_t i = 0; i < state.objects.size(); ++i)
      if (!state.objects[i].ended) run(state, i);
    most_applications_ = std::max(most_applications_, state.epoch);
  }

  void expand(const State& state) {
    bool any = false;
    const auto next = [&](auto change) {
      State other = state;
      change(other);
      for (std::size_t p = 0; p < other.pes.size(); ++p) tell_if_standing(other, p);
      add(std::move(other));
      any = true;
    };
    Point least = kNever;
    for (const Object& o : state.objects)
      if (!o.ended) least = std::min(least, o.passed);
    bool running = false, all_stopped = true;
    for (std::size_t i = 0; i < state.objects.size(); ++i) {
      const Object& o = state.objects[i];
      if (o.ended) continue;
      running = true;
      all_stopped = all_stopped && o.now == Member::At::stop;
      if (o.now != Member::At::pass || (job_.tight && o.passed > least)) continue;
      next([&](State& s) { run(s, i); });
    }
    for (std::size_t p = 0; p < state.pes.size(); ++p) {
      if (!state.stopped && !state.to_coordinator[p].empty()) next([&](State& s) { coordinator_gets(s, p); });
      if (!state.from_coordinator[p].empty()) next([&](State& s) { member_gets(s, p); });
      if (!state.to_witness[p].empty()) next([&](State& s) { witness_gets(s, p); });
      if (!state.from_witness[p].empty()) next([&](State& s) { hears_witness(s, p); });
    }
    if (job_.stops && !state.stopped) next([](State& s) { s.stopped = true; });
    if ((state.losses < job_.losses || state.stopped) && !state.is_lost && !state.meets)
      next([&](State& s) { loses(s); });
    if (state.is_lost && (!state.stopped || state.coordinator.drop() == state.lost_in) && !state.meets)
      next([&](State& s) { finds(s); });
    State taken = state;
    if (const auto about = taken.coordinator.take(); about && !state.stopped) {
      for (std::size_t p = 0; p < state.pes.size(); ++p)
        if (state.shared[p] < *about) CHECK_MESSAGE(!alive(state, p), "a share is missing");
      add(std::move(taken));
      any = true;
    }
    if (state.coordinator.state() == Coordinator::State::deciding && !state.stopped) {
      std::vector<std::optional<Point>> waits(job_.new_waits.begin(), job_.new_waits.end());
      if (waits.empty()) waits.emplace_back();
      for (const std::optional<Point>& wait : waits) {
        next([&](State& s) {
          s.coordinator.nothing_to_do();
          tell_all(s, {Message::Kind::answered, s.coordinator.about(), wait});
        });
        next([&](State& s) {
          s.coordinator.decides();
          tell_all(s, {.kind = Message::Kind::decided,
                       .point = s.coordinator.about(),
                       .wait = wait,
                       .drop = s.coordinator.drop()});
        });
      }
      if (job_.silences && !state.was_silent)
        next([&](State& s) {
          s.was_silent = true;
          tell_all(s, {Message::Kind::silent});
        });
    }
    const auto is_empty = [](const auto& channel) { return channel.empty(); };
    const bool under_way = !std::ranges::all_of(state.to_coordinator, is_empty) ||
                           !std::ranges::all_of(state.from_coordinator, is_empty);
    const bool all_meet = std::ranges::all_of(state.pes, &Pe::meets);
    CHECK((!all_meet || all_stopped));
    if (running && all_meet && !under_way && !state.stopped) next([&](State& s) { apply(s); });
    // Whoever stops in the midst of a step keeps the others in it.
    if (state.stopped && state.meets) return;
    if (!any) CHECK_MESSAGE(!running, "nothing can happen any more, and objects have not ended");
  }

  const Job job_;
  std::set<State> seen_;
  std::deque<State> open_;
  int most_applications_ = 0;
};

std::vector<Wait> all_waits() {
  return {{Wait::Kind::never, 0}, {Wait::Kind::points, 0}, {Wait::Kind::points, 1}, {Wait::Kind::points, 2}};
}

}  // namespace

TEST_CASE("lazy protocol: two objects on two PEs, whatever happens when") {
  for (const Wait& wait : all_waits())
    for (const Point period : {Point{1}, Point{2}}) {
      const Explorer explorer({.pe_of = {0, 1}, .lasts = {3, 3}, .period = period, .wait = wait});
      CHECK(explorer.states() > 50);
      CHECK(explorer.most_applications() >= 1);
    }
}

TEST_CASE("lazy protocol: objects that end at different points, and PEs without any") {
  for (const Wait& wait : all_waits()) {
    CHECK(Explorer({.pe_of = {0, 1}, .lasts = {1, 3}, .wait = wait}).most_applications() >= 1);
    CHECK(Explorer({.pe_of = {0, 0, 1}, .lasts = {2, 1, 2}, .wait = wait}).most_applications() >= 1);
    CHECK(Explorer({.pe_of = {1}, .lasts = {3}, .wait = wait}).most_applications() >= 2);
  }
}

TEST_CASE("lazy protocol: objects that follow each other closely, on three PEs") {
  for (const Wait& wait : all_waits())
    CHECK(Explorer({.pe_of = {0, 1, 2}, .lasts = {2, 2, 2}, .wait = wait, .tight = true, .pes = 3})
              .most_applications() >= 1);
}

TEST_CASE("lazy protocol: a job that becomes lazy between two points, its last PE empty or not") {
  for (const Wait& wait : all_waits())
    for (const Point from : {Point{3}, Point{4}}) {
      const std::vector<Point> lasts = {from + 3, from + 2};
      const Job job{.pe_of = {0, 1}, .lasts = lasts, .period = 2, .wait = wait, .from = from};
      CHECK(Explorer(job).most_applications() >= 1);
      Job emptied = job;
      emptied.pe_of = {0, 0};
      CHECK(Explorer(emptied).most_applications() >= 1);
    }
}

TEST_CASE("lazy protocol: nobody waits for a coordinator that has fallen silent") {
  for (const Wait& wait : all_waits())
    CHECK(Explorer({.pe_of = {0, 1}, .lasts = {3, 3}, .wait = wait, .silences = true}).states() > 100);
}

TEST_CASE("lazy protocol: a job goes on without a PE that does not answer, and with it when it does again") {
  for (const Wait& wait : all_waits()) {
    CHECK(Explorer({.pe_of = {1}, .lasts = {2}, .wait = wait, .losses = 1}).most_applications() >= 1);
    CHECK(Explorer({.pe_of = {0, 1}, .lasts = {1, 1}, .wait = wait, .tight = true, .losses = 1}).states() >
          500);
  }
}

// Once it has stopped it is lost whatever was before.
TEST_CASE("lazy protocol: a job ends though the PE that decides has stopped for good") {
  for (const Wait& wait : all_waits())
    CHECK(Explorer({.pe_of = {1}, .lasts = {2}, .wait = wait, .losses = 1, .stops = true}).states() > 500);
}

TEST_CASE("lazy protocol: how long objects wait may change with every answer") {
  const Explorer explorer(
      {.pe_of = {0, 1}, .lasts = {3, 3}, .wait = {Wait::Kind::automatic, 0}, .new_waits = {kNever, 0, 1}});
  CHECK(explorer.states() > 1000);
  CHECK(explorer.most_applications() >= 1);
}
