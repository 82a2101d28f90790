// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/lb_options.hpp"

#include "runtime/base/error.hpp"
#include "runtime/options/values.hpp"

namespace skein::tools {
namespace {

using options::parse_amount;
using options::parse_count;
using options::parse_switch;

constexpr std::uint64_t most_pes = 1'000'000, most_objects = 100'000'000;
constexpr double most_seconds = 1e6, most_steps = 1e12;

using View = std::string_view;

/// Runs `parse`, which throws lb::StrategyError about the value.
template <class Parse>
auto parsed(Parse parse) {
  try {
    return parse();
  } catch (const lb::StrategyError& error) {
    throw Error(error.what());
  }
}

void set_phase(const LbOption&, LbOptions& options, View text) {
  if (text == "last")
    options.phase = LbPhase{LbPhase::Which::last, 0};
  else if (text == "all")
    options.phase = LbPhase{LbPhase::Which::all, 0};
  else
    options.phase = LbPhase{LbPhase::Which::one, parse_count(text, 0, UINT64_MAX)};
}

void set_output(const LbOption&, LbOptions& options, View text) {
  if (text.empty()) throw Error("'' is empty");
  options.output = text;
}

constexpr LbOption lb_table[] = {
    {"What is read", 0, "--phase", "", "K|last|all", "",
     "The phase of the file: the one with that number, the last one, or each in turn. If it is not given: "
     "the last "
     "one, and all for convert.",
     set_phase},
    {"What is read", 0, "--lb-model", "", "NAME[:KEY=VALUE,...]", "last",
     "What the load of an object is taken to be, from this and earlier phases of the file: last, or average, "
     "median or linear (the line through them, one step further) of the last n; subphases=sum or "
     "subphases=max "
     "takes the sum or the largest of its subphases. Example: median:n=5.",
     [](const LbOption&, LbOptions& o, View text) {
       o.load_model = parsed([&] { return lb::parse_load_model(text); });
     }},
    {"What is read", 'p', "--pes", "", "P", "",
     "Number of PEs. Where the file has another, its objects are first laid on P equal PEs in blocks.",
     [](const LbOption&, LbOptions& o, View text) { o.pes = parse_count(text, 1, most_pes); }},

    {"Strategies", 0, "--strategies", "", "all|NAME[:KEY=VALUE,...],...", "all",
     "Which strategies to compare. auto: what the model of skein run --lb auto would choose.",
     [](const LbOption&, LbOptions& o, View text) {
       // The default has nothing to check, and would load each library that a strategy uses.
       if (text != "all") (void)parsed([&] { return lb::parse_candidates(text); });
       o.strategies = text;
     }},
    {"Strategies", 0, "--strategy", "", "NAME[:KEY=VALUE,...]", "",
     "The strategy to apply. For metrics: diffusion, with the keys by which its steps are counted.",
     [](const LbOption&, LbOptions& o, View text) {
       (void)parsed([&] { return lb::parse_strategy(text); });
       o.strategy = text;
     }},
    {"Strategies", 0, "--seed", "", "S", "1", "Seed of all random numbers.",
     [](const LbOption&, LbOptions& o, View text) { o.seed = parse_count(text, 0, UINT64_MAX); }},

    {"Costs", 0, "--steps", "", "N", "100",
     "Horizon: for how many intervals like the measured one an assignment is kept.",
     [](const LbOption&, LbOptions& o, View text) { o.steps = parse_amount(text, most_steps); }},
    {"Costs", 0, "--move-object", "", "SECONDS", "1e-4",
     "What moving an object costs each of its two PEs (alpha).",
     [](const LbOption&, LbOptions& o, View text) { o.cost.object_s = parse_amount(text, most_seconds); }},
    {"Costs", 0, "--move-byte", "", "SECONDS", "1e-9", "What each of its bytes costs them (beta).",
     [](const LbOption&, LbOptions& o, View text) { o.cost.byte_s = parse_amount(text, most_seconds); }},
    {"Costs", 0, "--message", "", "SECONDS", "1e-6",
     "What a message between PEs costs both of them more than one inside a PE.",
     [](const LbOption&, LbOptions& o, View text) {
       o.cost.remote_message_s = parse_amount(text, most_seconds);
     }},
    {"Costs", 0, "--message-byte", "", "SECONDS", "1e-10", "What each of its bytes costs them more.",
     [](const LbOption&, LbOptions& o, View text) {
       o.cost.remote_byte_s = parse_amount(text, most_seconds);
     }},

    {"What is made", 'n', "--objects", "", "N", "", "Number of objects.",
     [](const LbOption&, LbOptions& o, View text) { o.objects = parse_count(text, 1, most_objects); }},
    {"What is made", 0, "--pes-per-node", "", "N", "",
     "PEs of one node; all are on one node if it is not given.",
     [](const LbOption&, LbOptions& o, View text) { o.pes_per_node = parse_count(text, 1, most_pes); }},
    {"What is made", 'o', "--output", "", "FILE", "",
     "Where to write; compressed with zstd if the name ends in .zst, a file for each PE if it holds %p.",
     set_output},
    {"What is made", 0, "--json", "", "", "no", "Prints JSON instead of a table.",
     [](const LbOption&, LbOptions& o, View text) { o.json = parse_switch(text); }},
};

}  // namespace

std::span<const LbOption> lb_options() { return lb_table; }

}  // namespace skein::tools
