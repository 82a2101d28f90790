// SPDX-License-Identifier: Apache-2.0
// graph_cases PLATFORM STEPS < CASES: prints the time of the program apps/graph in each case without
// balancing, with a global strategy at the first step, and with a diffusive one at every step; and the one
// that the model of --lb auto chooses. A line of CASES has, separated by spaces
//    VERTICES MESH PES WEIGHTS CONTRAST DECOMPOSITION SKEW SEED STEP_MS
// as the program's options; each result is a line of JSON. Runs are simulated: the program's messages, work
// and moves are made into a trace by their formula, one object a PE; decisions take the processor time that
// they take here, in one process, at the platform's speed. The model knows the machine, and how long
// decisions took on a graph that is none of the cases.
//
// Only some of the steps in which nothing changes are simulated, because all take equally long. Of the steps
// in which load flows those with numbers 1, 2, 3, 5, 8, 13 and so on are simulated, and their times beyond
// their largest load are interpolated. By SimGrid up to `most_messages` messages, else by the fast engine:
// "engine".
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/graph/scenario.hpp"
#include "lb/simulate/step_costs.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/trace.hpp"

namespace {

using namespace skein;

constexpr double element_bytes = 1024, message_bytes = 64;
// The times of packing and unpacking an element, and of finding the cut anew, for each element; seconds on a
// PE of speed 1.
constexpr double pack_s = 2e-7, cut_s = 2e-7;
// The bytes of messages for an advised element and for its edge.
constexpr double told_element = 40, told_edge = 24;
constexpr std::uint64_t tail = 3;  // simulated steps that stand for all equal ones
constexpr std::uint64_t most_messages = 60'000;

constexpr const char* global = "zoltan";
constexpr const char* diffusive = "koradi:every_step";

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Case {
  std::size_t vertices = 8000;
  std::string mesh = "mesh3d";
  int pes = 8;
  std::string weights = "hotspot";
  double contrast = 4;
  std::string decomposition = "boxes";
  double skew = 0.5;
  std::uint64_t seed = 1;
  double step_ms = 20;
};

std::istream& operator>>(std::istream& in, Case& c) {
  return in >> c.vertices >> c.mesh >> c.pes >> c.weights >> c.contrast >> c.decomposition >> c.skew >>
         c.seed >> c.step_ms;
}

// Loads are seconds on the platform.
lb::Snapshot snapshot_of(const Case& c, const graph::Graph& graph) {
  const std::vector<double> weights = graph::make_weights(c.weights, graph, c.contrast, c.seed);
  const std::vector<int> owner = graph::decompose(c.decomposition, graph, c.pes, c.skew, c.seed);
  lb::Snapshot snapshot;
  snapshot.pes = lb::uniform_pes(static_cast<std::size_t>(c.pes));
  const double unit_s = 1e-3 * c.step_ms * c.pes / static_cast<double>(graph.size());
  std::vector<lb::CommEdge> edges;
  for (graph::Vertex v = 0; v < graph.size(); ++v) {
    snapshot.add_object({.id = v,
                         .pe = static_cast<lb::PeIndex>(owner[v]),
                         .load = weights[v] * unit_s,
                         .bytes = static_cast<std::uint64_t>(element_bytes)});
    for (const graph::Vertex u : graph.neighbours(v)) edges.push_back({v, u, message_bytes, 1});
  }
  snapshot.objects.position = graph.position;
  snapshot.graph = lb::make_comm_graph(graph.size(), edges);
  return snapshot;
}

// Makes the program's steps into a trace.
class Trace {
 public:
  Trace(const lb::Snapshot& snapshot, double speed)
      : snapshot_(snapshot),
        pes_(static_cast<std::uint32_t>(snapshot.pe_count())),
        speed_(speed),
        builder_(header(), pes_) {}

  // Adds `count` times the messages for cut edges, work, and the wait for the messages.
  void add_steps(const lb::Assignment& pe_of, std::uint64_t count) {
    std::vector<std::map<lb::PeIndex, std::uint64_t>> cut(pes_);
    const lb::CommGraph& graph = snapshot_.graph;
    for (std::size_t i = 0; i < pe_of.size(); ++i)
      for (std::uint64_t e = graph.first[i]; e < graph.first[i + 1]; ++e)
        if (pe_of[i] != pe_of[graph.to[e]]) ++cut[pe_of[i]][pe_of[graph.to[e]]];
    const std::vector<double> work = lb::finish_times(snapshot_, pe_of);
    for (std::uint64_t k = 0; k < count; ++k)
      for (lb::PeIndex pe = 0; pe < pes_; ++pe) {
        std::uint64_t started = 0;
        for (const trace::EventKind kind : {trace::EventKind::receive, trace::EventKind::send})
          for (const auto& [other, edges] : cut[pe])
            for (std::uint64_t e = 0; e < edges; ++e, ++started) start(pe, kind, other, 0, message_bytes);
        messages_ += started / 2;
        wait(pe, started, work[pe]);
      }
  }

  // Adds the exchange of all PEs' data, and a decision that each PE makes.
  void add_advice(double decision_s) {
    const double bytes = (told_element * static_cast<double>(snapshot_.object_count()) +
                          told_edge * static_cast<double>(snapshot_.graph.edge_count())) /
                         pes_;
    for (lb::PeIndex pe = 0; pe < pes_; ++pe) {
      trace::Event gather;
      gather.kind = trace::EventKind::collective;
      gather.what = static_cast<std::uint8_t>(trace::Collective::allgather);
      gather.bytes = static_cast<std::uint64_t>(bytes);
      builder_.add(pe, gather);
      owed_s_[pe] += decision_s;
    }
  }

  void add_moves(const lb::Assignment& from, const lb::Assignment& to) {
    std::map<std::pair<lb::PeIndex, lb::PeIndex>, double> bytes;
    std::vector<double> handled(pes_, 0);
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] == to[i]) continue;
      bytes[{from[i], to[i]}] += element_bytes;
      handled[from[i]] += pack_s, handled[to[i]] += pack_s;
    }
    if (bytes.empty()) return;
    for (lb::PeIndex pe = 0; pe < pes_; ++pe) {
      owed_s_[pe] += handled[pe] / speed_;
      std::uint64_t started = 0;
      for (const auto& [way, size] : bytes)
        if (way.second == pe) start(pe, trace::EventKind::receive, way.first, 1, size), ++started;
      for (const auto& [way, size] : bytes)
        if (way.first == pe) start(pe, trace::EventKind::send, way.second, 1, size), ++started;
      wait(pe, started, 0);
      owed_s_[pe] += cut_s * static_cast<double>(from.size()) / pes_ / speed_;
    }
  }

  void end_section() {
    for (lb::PeIndex pe = 0; pe < pes_; ++pe) {
      trace::Event sync;
      sync.kind = trace::EventKind::sync;
      sync.burst_ns = owed(pe);
      builder_.add(pe, sync);
    }
  }

  std::uint64_t messages() const { return messages_; }

  // Returns the time of each section, s.
  std::vector<double> play(const simulate::Platform& platform, simulate::NetworkEngine engine) && {
    for (lb::PeIndex pe = 0; pe < pes_; ++pe) {
      trace::Event end;
      end.burst_ns = owed(pe);
      builder_.add(pe, end);
    }
    simulate::Policy policy;
    policy.engine = engine;
    const simulate::Timeline timeline = simulate::simulate(std::move(builder_).finish(), platform, policy);
    std::vector<double> took;
    simulate::Ns before = 0;
    for (const simulate::Ns end : timeline.interval_end) {
      took.push_back(1e-9 * static_cast<double>(end - before));
      before = end;
    }
    return took;
  }

 private:
  trace::Header header() const {
    trace::Header header;
    header.program = "graph, by its formula";
    header.pes = pes_;
    return header;
  }

  std::uint64_t owed(lb::PeIndex pe) {
    const double s = owed_s_[pe];
    owed_s_[pe] = 0;
    return static_cast<std::uint64_t>(s * speed_ * 1e9);
  }

  void start(lb::PeIndex pe, trace::EventKind kind, lb::PeIndex other, int tag, double bytes) {
    trace::Event event;
    event.kind = kind;
    event.starts_request = true;
    event.partner = static_cast<std::int32_t>(other);
    event.tag = tag;
    event.bytes = static_cast<std::uint64_t>(bytes);
    event.burst_ns = owed(pe);
    builder_.add(pe, event);
  }

  // Waits for the last `started` requests, after `work_s` seconds of work.
  void wait(lb::PeIndex pe, std::uint64_t started, double work_s) {
    owed_s_[pe] += work_s;
    if (started == 0) return;
    std::vector<std::uint64_t> all;
    for (std::uint64_t back = started; back-- > 0;) all.push_back(back);
    trace::Event event;
    event.kind = trace::EventKind::wait;
    event.list = all;
    event.burst_ns = owed(pe);
    builder_.add(pe, event);
  }

  const lb::Snapshot& snapshot_;
  std::uint32_t pes_;
  double speed_;
  trace::TraceBuilder builder_;
  std::map<lb::PeIndex, double> owed_s_;
  std::uint64_t messages_ = 0;
};

double largest(const lb::Snapshot& snapshot, const lb::Assignment& pe_of) {
  return std::ranges::max(lb::finish_times(snapshot, pe_of));
}

class Judge {
 public:
  Judge(const std::string& platform, std::uint64_t steps)
      : platform_(simulate::load_platform(platform)), steps_(steps) {
    for (const char* name : {global, diffusive}) candidates_.push_back(lb::parse_strategy(name));
    learn();
  }

  void judge(const Case& c) {
    const graph::Graph graph = graph::make_mesh(c.mesh, c.vertices, c.seed);
    const lb::Snapshot snapshot = snapshot_of(c, graph);
    engines_.clear();
    const double none = play_none(snapshot);
    const double by_global = play_global(snapshot);
    const double by_diffusive = play_diffusive(snapshot);
    const lb::Choice choice = choose(snapshot, candidates_, learned_, 0);
    double in_vain = 0;  // seconds of decisions that the model tried and did not choose
    for (const lb::Trial& trial : choice.trials)
      if (trial.strategy != choice.row().strategy)
        in_vain += trial.strategy == global ? global_decision_s_ : trial.decision_s;
    std::printf(
        "{\"vertices\":%zu,\"edges\":%zu,\"pes\":%d,\"imbalance\":%.4g,\"none\":%.6g,\"global\":%.6g,"
        "\"diffusive\":%.6g,\"chosen\":\"%s\",\"in_vain\":%.4g,\"decision\":%.4g,\"changes\":%zu,"
        "\"left_global\":%.4g,\"left_diffusive\":%.4g,\"simgrid\":%zu,\"simulations\":%zu",
        graph.size(), graph.to.size() / 2, c.pes, lb::percent_imbalance(snapshot, snapshot.objects.pe), none,
        by_global, by_diffusive, choice.row().strategy.c_str(), in_vain, global_decision_s_, changes_,
        left_global_, left_diffusive_,
        static_cast<std::size_t>(std::ranges::count(engines_, simulate::NetworkEngine::simgrid)),
        engines_.size());
    for (const lb::Prediction& row : choice.rows)
      std::printf(",\"predicted %s\":%.6g", row.strategy.c_str(), row.total_s);
    std::printf("}\n");
    std::fflush(stdout);
  }

 private:
  // Decides, and returns the seconds that this would take on the platform.
  double timed(const lb::Selection& strategy, const lb::Snapshot& snapshot, lb::Decision& decision) const {
    const double start = processor_seconds();
    decision = strategy.decide(snapshot, 1);
    return (processor_seconds() - start) / platform_.speed;
  }

  lb::CostModel costs(const lb::Snapshot& snapshot) const {
    lb::CostModel cost = simulate::measured_costs(platform_);
    const double pes = static_cast<double>(snapshot.pe_count()),
                 objects = static_cast<double>(snapshot.object_count());
    cost.object_s = pack_s / platform_.speed;
    cost.rebuild_s = cut_s * objects / pes / platform_.speed;
    cost.meeting_s = std::ceil(std::log2(pes)) * cost.remote_message_s +
                     (told_element * objects + told_edge * static_cast<double>(snapshot.graph.edge_count())) *
                         cost.remote_byte_s;
    // If all PEs fit into one node, messages cost what they cost inside it.
    if (snapshot.pe_count() <= platform_.pes_per_node) {
      cost.remote_message_s = cost.in_node->message_s;
      cost.remote_byte_s = cost.in_node->byte_s;
    }
    return cost;
  }

  static double platform_clock() { return processor_seconds() / speed_of_clock_; }

  lb::Choice choose(const lb::Snapshot& snapshot, const std::vector<lb::Selection>& candidates,
                    const lb::Learned& learned, double to_spend_s) const {
    return lb::choose(snapshot, learned,
                      {.candidates = candidates,
                       .cost = costs(snapshot),
                       .horizon = {.intervals = static_cast<double>(steps_)},
                       .clock = platform_clock,
                       .to_spend_s = to_spend_s});
  }

  // Learns the times of decisions on a graph that is none of the cases. The first decision, which starts the
  // library, does not count.
  void learn() {
    speed_of_clock_ = platform_.speed;
    const Case c{.seed = 4711, .step_ms = 1000};
    const graph::Graph graph = graph::make_mesh(c.mesh, c.vertices, c.seed);
    const lb::Snapshot snapshot = snapshot_of(c, graph);
    (void)candidates_[0].assign(snapshot, 1);
    for (const lb::Selection& candidate : candidates_)
      for (const lb::Trial& trial : choose(snapshot, {candidate}, {}, 1e9).trials)
        learned_.learn(snapshot, trial);
  }

  std::vector<double> play(Trace trace) {
    const auto engine =
        trace.messages() > most_messages ? simulate::NetworkEngine::fast : simulate::NetworkEngine::simgrid;
    engines_.push_back(engine);
    return std::move(trace).play(platform_, engine);
  }

  double play_none(const lb::Snapshot& snapshot) {
    Trace trace(snapshot, platform_.speed);
    trace.add_steps(snapshot.objects.pe, tail);
    trace.end_section();
    return play(std::move(trace)).at(0) / tail * static_cast<double>(steps_);
  }

  double play_global(const lb::Snapshot& snapshot) {
    lb::Decision decision;
    global_decision_s_ = timed(candidates_[0], snapshot, decision);
    left_global_ = lb::percent_imbalance(snapshot, decision.pe_of);
    Trace trace(snapshot, platform_.speed);
    trace.add_steps(snapshot.objects.pe, 1);
    trace.add_advice(global_decision_s_);
    trace.add_moves(snapshot.objects.pe, decision.pe_of);
    trace.end_section();
    trace.add_steps(decision.pe_of, tail);
    trace.end_section();
    const std::vector<double> took = play(std::move(trace));
    return took.at(0) + took.at(1) / tail * static_cast<double>(steps_ - 1);
  }

  double play_diffusive(const lb::Snapshot& snapshot) {
    lb::Snapshot now = snapshot;
    Trace trace(snapshot, platform_.speed);
    std::vector<double> load;            // largest, by step
    std::vector<std::uint64_t> sampled;  // steps that are simulated
    std::uint64_t next = 1, before = 1;
    changes_ = 0;
    for (std::uint64_t step = 1; step <= steps_; ++step) {
      lb::Decision decision;
      const double decision_s = timed(candidates_[1], now, decision);
      load.push_back(largest(snapshot, now.objects.pe));
      changes_ += decision.pe_of != now.objects.pe;
      if (step == next || step == steps_) {
        sampled.push_back(step);
        trace.add_steps(now.objects.pe, 1);
        trace.add_advice(decision_s);
        trace.add_moves(now.objects.pe, decision.pe_of);
        trace.end_section();
        const std::uint64_t sum = before + next;
        before = std::exchange(next, step == 1 ? 2 : sum);
      }
      now.objects.pe = std::move(decision.pe_of);
      now.pes.cells = std::move(decision.cells);
    }
    left_diffusive_ = lb::percent_imbalance(now, now.objects.pe);
    const std::vector<double> took = play(std::move(trace));
    double total = 0;
    for (std::size_t k = 0; k < sampled.size(); ++k) {
      const double beside = took.at(k) - load[sampled[k] - 1];
      total += took.at(k);
      if (k == 0) continue;
      const double beside_before = took.at(k - 1) - load[sampled[k - 1] - 1];
      for (std::uint64_t step = sampled[k - 1] + 1; step < sampled[k]; ++step) {
        const double part =
            static_cast<double>(step - sampled[k - 1]) / static_cast<double>(sampled[k] - sampled[k - 1]);
        total += load[step - 1] + beside_before + part * (beside - beside_before);
      }
    }
    return total;
  }

  static inline double speed_of_clock_ = 1;
  simulate::Platform platform_;
  std::uint64_t steps_;
  std::vector<lb::Selection> candidates_;
  lb::Learned learned_;
  std::vector<simulate::NetworkEngine> engines_;
  double global_decision_s_ = 0, left_global_ = 0, left_diffusive_ = 0;
  std::size_t changes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || std::atoi(argv[2]) < 2) {
    std::fprintf(stderr, "usage: graph_cases PLATFORM STEPS < CASES\n");
    return 2;
  }
  try {
    Judge judge(argv[1], static_cast<std::uint64_t>(std::atoi(argv[2])));
    std::string line;
    for (int number = 1; std::getline(std::cin, line); ++number) {
      std::istringstream words(line);
      Case c;
      if (!(words >> c)) {
        std::fprintf(stderr, "graph_cases: line %d is no case: '%s'\n", number, line.c_str());
        return 2;
      }
      judge.judge(c);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graph_cases: %s\n", error.what());
    return 1;
  }
  return 0;
}
