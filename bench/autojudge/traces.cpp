// SPDX-License-Identifier: Apache-2.0
// --lb auto --lb-period auto against every strategy that a user can name, at periods from 1 to 50 sync
// points, on traces of real runs and on several machines, by full simulation: messages, meetings, moves.
//
// usage: autojudge_traces [--pes P,...] [--platforms NAME|FILE,...] [--strategies NAME,...]
//                         [--periods K,...] [--engine fast|simgrid] TRACE...
//
// With simgrid all are played by the fast network first, and none, the best three and auto again by flows.
// A line for each case: trace, PEs, machine; seconds of none, the best of all, and auto; what that loses. A
// third of the cases is held out: nothing in lb/ is to be chosen by what comes of them. They are those whose
// name has a digest that is divisible by three.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "skein/lb/metrics.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/strategy.hpp"
#include "skein/lb/trace.hpp"

namespace {

using namespace skein;
using simulate::Platform;
using simulate::Policy;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) words.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// All of the table that a trace has enough for, without baselines.
std::vector<std::string> nameable() {
  std::vector<std::string> names;
  for (const lb::StrategyInfo& info : lb::strategies()) {
    const lb::Selection selection = lb::with_defaults(info);
    if ((info.traits & lb::needs_positions) || !selection.missing_key().empty() ||
        !lb::why_unavailable(info).empty() || info.name == "none" || info.name == "rotate" ||
        info.name == "random")
      continue;
    names.emplace_back(info.name);
  }
  return names;
}

struct Request {
  std::vector<std::string> traces, platforms{"paraplui"},
      strategies = nameable(), periods{"1", "2", "5", "10", "20", "50"}, pes{"2", "4", "8", "16"};
  bool flows = false;
};

Request parse(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--")) {
      request.traces.push_back(word);
      continue;
    }
    if (++i == argc) throw std::invalid_argument(word + " needs a value");
    if (word == "--pes") {
      request.pes = split(argv[i]);
    } else if (word == "--platforms") {
      request.platforms = split(argv[i]);
    } else if (word == "--strategies") {
      request.strategies = split(argv[i]);
    } else if (word == "--periods") {
      request.periods = split(argv[i]);
    } else if (word == "--engine") {
      request.flows = std::string(argv[i]) == "simgrid";
    } else {
      throw std::invalid_argument("no such option: " + word);
    }
  }
  return request;
}

// FNV-1a.
bool is_held_out(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return (hash ^ hash >> 32) % 3 == 0;
}

struct Choice {
  std::string strategy;
  std::uint64_t period;
  double seconds;

  std::string name() const {
    std::string text = strategy;
    if (strategy != "none") text.append(" every ").append(std::to_string(period));
    return text;
  }
};

class Set {
 public:
  void add(double regret) {
    ++cases_;
    sum_ += regret;
    worst_ = std::max(worst_, regret);
    right_ += regret <= 1;
  }
  void print(const char* name) const {
    if (cases_ == 0) return;
    const double cases = static_cast<double>(cases_);
    std::printf(
        "%s: %zu cases: regret %.2f %% on average (1), %.2f %% at worst (5), at most 1 %% in %.1f %% (95)\n",
        name, cases_, sum_ / cases, worst_, 100.0 * static_cast<double>(right_) / cases);
  }

 private:
  std::size_t cases_ = 0, right_ = 0;
  double sum_ = 0, worst_ = 0;
};

double play(const trace::Trace& trace, const Platform& platform, const std::string& strategy,
            std::uint64_t period, bool flows) {
  Policy policy;
  policy.strategy = strategy;
  policy.period = period;
  policy.engine = flows ? simulate::NetworkEngine::simgrid : simulate::NetworkEngine::fast;
  return static_cast<double>(simulate::simulate(trace, platform, policy).makespan) * 1e-9;
}

void judge(const Request& request) {
  Set known, held_out;
  for (const std::string& file : request.traces) {
    const trace::Trace trace = trace::read_trace(file);
    for (const std::string& machine : request.platforms)
      for (const std::string& pes : request.pes) {
        if (2 * std::stoul(pes) > trace.object_count()) continue;
        const Platform platform =
            simulate::with_pes(simulate::load_platform(machine), static_cast<std::uint32_t>(std::stoul(pes)));
        std::vector<Choice> choices{{"none", 1, play(trace, platform, "none", 1, false)}};
        for (const std::string& strategy : request.strategies)
          for (const std::string& period : request.periods) {
            const std::uint64_t points = std::stoul(period);
            choices.push_back({strategy, points, play(trace, platform, strategy, points, false)});
          }
        const double none = choices[0].seconds;
        std::ranges::sort(choices, {}, &Choice::seconds);
        double ours = play(trace, platform, "auto", 0, false);
        if (request.flows) {
          choices.resize(std::min<std::size_t>(choices.size(), 3));
          choices.push_back({"none", 1, 0});
          for (Choice& choice : choices)
            choice.seconds = play(trace, platform, choice.strategy, choice.period, true);
          ours = play(trace, platform, "auto", 0, true);
          std::ranges::sort(choices, {}, &Choice::seconds);
        }
        const double regret = 100 * (ours / choices[0].seconds - 1);
        const std::string name =
            file.substr(file.rfind('/') + 1) + " " + pes + " " + machine.substr(machine.rfind('/') + 1);
        const bool held = is_held_out(name);
        (held ? held_out : known).add(regret);
        std::printf("%-9s %-40s none %10.4f best %10.4f %-26s auto %10.4f %+6.2f %%\n",
                    held ? "held-out" : "known", name.c_str(), none, choices[0].seconds,
                    choices[0].name().c_str(), ours, regret);
        std::fflush(stdout);
      }
  }
  known.print("known");
  held_out.print("held-out");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    judge(parse(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "autojudge_traces: %s\n", error.what());
    return 2;
  }
}
