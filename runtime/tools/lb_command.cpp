// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/lb_command.hpp"

#include <cstdio>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/options/setters.hpp"
#include "runtime/options/text.hpp"
#include "runtime/tools/lb_print.hpp"
#include "runtime/tools/names.hpp"
#include "runtime/tools/output.hpp"
#include "skein/lb/generate.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;

constexpr std::uint64_t kMostPes = 1'000'000, kMostObjects = 100'000'000;
constexpr double kMostSeconds = 1e6, kMostSteps = 1e12;

void set_phase(const LbOption&, LbOptions& options, View text) {
  if (text == "last")
    options.phase = LbPhase{LbPhase::Which::last, 0};
  else if (text == "all")
    options.phase = LbPhase{LbPhase::Which::all, 0};
  else
    options.phase = LbPhase{LbPhase::Which::one, options::parse_count(text, 0, UINT64_MAX)};
}

constexpr LbOption kLbTable[] = {
    {"Input", 0, "--phase", "", "K|last|all", "",
     "Chooses the phase of the file: the one with that number, the last one, or each in turn. Default: last, "
     "and all for convert.",
     set_phase},
    {"Input", 0, "--lb-model", "", "NAME[:KEY=VALUE,...]", "last",
     "Chooses how an object's load follows from this and earlier phases of the file. last: its load in this "
     "phase. average, median: that of the last n loads. linear: the line through the last n loads, one step "
     "further. subphases=sum or subphases=max takes the sum or the largest of its subphases. Example: "
     "median:n=5.",
     options::set_parsed<&LbOptions::load_model, lb::parse_load_model>},
    {"Input", 'p', "--pes", "", "P", "",
     "Sets the number of PEs. If the file has another number, its objects are first put on P equal PEs in "
     "blocks.",
     options::set_count<&LbOptions::pes, 1, kMostPes>},

    {"Strategies", 0, "--strategies", "", "all|NAME[:KEY=VALUE,...],...", "all",
     "Chooses the strategies to compare. auto: the strategy that the model of skein run --lb auto chooses.",
     [](const LbOption&, LbOptions& o, View text) {
       // The default needs no check, which would load each library that a strategy uses.
       if (text != "all") (void)lb::parse_candidates(text);
       o.strategies = text;
     }},
    {"Strategies", 0, "--strategy", "", "NAME[:KEY=VALUE,...]", "",
     "Chooses the strategy to apply. For metrics: diffusion with its keys, to count its steps.",
     [](const LbOption&, LbOptions& o, View text) {
       (void)lb::parse_strategy(text);
       o.strategy = text;
     }},
    {"Strategies", 0, "--seed", "", "S", "1", "Sets the seed of all random numbers.",
     options::set_count<&LbOptions::seed, 0, UINT64_MAX>},

    {"Costs", 0, "--steps", "", "N", "100",
     "Sets the horizon: the number of intervals like the measured one during which an assignment is kept.",
     [](const LbOption&, LbOptions& o, View text) { o.steps = options::parse_amount(text, kMostSteps); }},
    {"Costs", 0, "--move-object", "", "SECONDS", "1e-4",
     "Sets the cost of moving an object, for each of its two PEs (alpha).",
     [](const LbOption&, LbOptions& o, View text) {
       o.cost.object_s = options::parse_amount(text, kMostSeconds);
     }},
    {"Costs", 0, "--move-byte", "", "SECONDS", "1e-9",
     "Sets the cost of each byte of a moved object, for each of its two PEs (beta).",
     [](const LbOption&, LbOptions& o, View text) {
       o.cost.byte_s = options::parse_amount(text, kMostSeconds);
     }},
    {"Costs", 0, "--message", "", "SECONDS", "1e-6",
     "Sets the additional cost of a message between PEs over one inside a PE, for each of the two PEs.",
     [](const LbOption&, LbOptions& o, View text) {
       o.cost.remote_message_s = options::parse_amount(text, kMostSeconds);
     }},
    {"Costs", 0, "--message-byte", "", "SECONDS", "1e-10",
     "Sets the additional cost of each byte of a message between PEs, for each of the two PEs.",
     [](const LbOption&, LbOptions& o, View text) {
       o.cost.remote_byte_s = options::parse_amount(text, kMostSeconds);
     }},

    {"Output", 'n', "--objects", "", "N", "", "Sets the number of objects.",
     options::set_count<&LbOptions::objects, 1, kMostObjects>},
    {"Output", 0, "--pes-per-node", "", "N", "",
     "Sets the number of PEs of a node. Default: all PEs are on one node.",
     options::set_count<&LbOptions::pes_per_node, 1, kMostPes>},
    {"Output", 'o', "--output", "", "FILE", "",
     "Names the file to write: compressed with zstd if the name ends in .zst, one file for each PE if it "
     "contains %p.",
     options::set_text<&LbOptions::output>},
    {"Output", 0, "--json", "", "", "no", "Prints JSON instead of a table.",
     options::set_switch<&LbOptions::json>},
};

/// Returns the id under which the phase is stored, which differs if it is identical to another.
std::uint64_t find_phase(const lb::LoadData& data, std::uint64_t id, std::span<const std::string> files) {
  try {
    return data.find(id).id;
  } catch (const lb::FileError& error) {
    throw Error(files[0] + ": " + error.what());
  }
}

/// Returns the phases asked for, with the loads that the model makes of them and those before, on --pes PEs.
std::vector<lb::LoadPhase> chosen_phases(const LbOptions& options, std::span<const std::string> files,
                                         LbPhase::Which otherwise) {
  const LbPhase phase = options.phase.value_or(LbPhase{otherwise, 0});
  lb::LoadData data = lb::read_load_data(files);
  if (data.ignored_communications > 0)
    fprintf(stderr, "%s: left out %llu communications that are not between two objects\n", files[0].c_str(),
            wide(data.ignored_communications));
  if (data.lost_communications > 0)
    fprintf(stderr,
            "%s: left out %llu communications with an object that is in no task of the phase: vt writes "
            "some, but many mean that the file of a PE is missing\n",
            files[0].c_str(), wide(data.lost_communications));
  const std::uint64_t last =
      phase.which == LbPhase::Which::one ? find_phase(data, phase.id, files) : data.phases.back().id;
  const std::uint64_t first = phase.which == LbPhase::Which::all ? data.phases.front().id : last;
  std::vector<lb::LoadPhase> chosen;
  lb::LoadHistory history(options.load_model);
  for (lb::LoadPhase& each : data.phases) {
    if (each.id > last) break;
    each.snapshot.objects.load = history.add(each.snapshot);
    if (each.id < first) continue;
    const std::size_t pes = options.pes ? options.pes : each.snapshot.pe_count();
    chosen.push_back({each.id, lb::with_pes(std::move(each.snapshot), pes)});
  }
  return chosen;
}

const std::string& required(const std::string& value, View option) {
  if (value.empty()) throw Error(std::string(option) + " is missing");
  return value;
}

void write_all(const std::string& name, std::span<const lb::LoadPhase> phases) {
  lb::LoadWriter writer(name);
  for (const lb::LoadPhase& phase : phases) writer.write(phase.id, phase.snapshot);
  writer.close();
}

int compare(const LbOptions& options) {
  lb::CompareInput input;
  input.cost = options.cost;
  input.steps = options.steps;
  input.seed = options.seed;
  input.clock = seconds;
  const std::vector<lb::Candidate> candidates = lb::parse_candidates(options.strategies);
  for (const lb::LoadPhase& phase : chosen_phases(options, options.operands, LbPhase::Which::last)) {
    const lb::Merit before = lb::merit_of(phase.snapshot, {phase.snapshot.objects.pe, {}}, options.cost);
    const std::vector<lb::ComparisonRow> rows = lb::compare(phase.snapshot, candidates, input);
    print_comparison(phase, before, rows, options);
  }
  return 0;
}

int metrics(const LbOptions& options) {
  const lb::Selection diffusion =
      lb::parse_strategy(options.strategy.empty() ? "diffusion" : options.strategy);
  if (diffusion.info->name != "diffusion")
    throw Error("--strategy " + options.strategy +
                ": only steps of diffusion are counted: give diffusion and its keys, such as "
                "diffusion:graph=ring,gamma=0.5,tolerance=1.12");
  const std::vector<lb::LoadPhase> phases = chosen_phases(options, options.operands, LbPhase::Which::last);
  try {
    for (const lb::LoadPhase& phase : phases) print_metrics(phase, diffusion.options, options);
  } catch (const lb::MissingData& error) {
    throw Error(options.operands[0] + ": " + error.what());
  }
  if (options.phase && options.phase->which == LbPhase::Which::all) print_run(phases, options);
  return 0;
}

int apply(const LbOptions& options) {
  const lb::Selection strategy = lb::parse_strategy(required(options.strategy, "--strategy NAME"));
  std::vector<lb::LoadPhase> phases = chosen_phases(options, options.operands, LbPhase::Which::last);
  const std::string& output = required(options.output, "--output FILE");
  for (lb::LoadPhase& phase : phases) {
    lb::Assignment assignment = strategy.assign(phase.snapshot, options.seed);
    print_application(phase, assignment);
    phase.snapshot.objects.pe = std::move(assignment);
  }
  write_all(output, phases);
  return 0;
}

int convert(const LbOptions& options) {
  const std::span<const std::string> files(options.operands.data(), options.operands.size() - 1);
  const std::vector<lb::LoadPhase> phases = chosen_phases(options, files, LbPhase::Which::all);
  write_all(options.operands.back(), phases);
  return 0;
}

int generate(const LbOptions& options) {
  const lb::Generator generator = lb::parse_generator(options.operands[0]);
  if (options.objects == 0) throw Error("--objects N is missing");
  if (options.pes == 0) throw Error("--pes P is missing");
  const lb::GenerateSize size{options.objects, options.pes, options.pes_per_node, options.seed};
  const lb::LoadPhase phase{0, generator.generate(size)};
  write_all(required(options.output, "--output FILE"), {&phase, 1});
  return 0;
}

constexpr View kCompareOptions[] = {"--strategies", "--pes",          "--phase",       "--lb-model",
                                    "--seed",       "--steps",        "--move-object", "--move-byte",
                                    "--message",    "--message-byte", "--json"};
constexpr View kMetricsOptions[] = {"--strategy", "--pes", "--phase", "--lb-model", "--json"};
constexpr View kApplyOptions[] = {"--strategy", "--output", "--pes", "--phase", "--seed"};
constexpr View kConvertOptions[] = {"--pes", "--phase"};
constexpr View kGenerateOptions[] = {"--objects", "--pes", "--pes-per-node", "--seed", "--output"};

constexpr options::SubcommandOf<LbOptions> kLbSubcommands[] = {
    {"compare", "FILE... [options]",
     "Prints the balance that each strategy would reach with the loads of a file, best first.",
     kCompareOptions, 1, options::kAnyNumber, compare},
    {"metrics", "FILE... [options]", "Prints the balance and communication of a file as it is.",
     kMetricsOptions, 1, options::kAnyNumber, metrics},
    {"apply", "FILE... --strategy NAME -o FILE [options]",
     "Writes a file with objects on the PEs that a strategy chooses; no object is split.", kApplyOptions, 1,
     options::kAnyNumber, apply},
    {"convert", "FILE... FILE [options]",
     "Writes its input to the last file: with other compression, as one file or one for each PE, or only "
     "some phases.",
     kConvertOptions, 2, options::kAnyNumber, convert},
    {"generate", "KIND[:KEY=VALUE,...] --objects N --pes P -o FILE [options]",
     "Writes artificial loads of a kind.", kGenerateOptions, 1, 1, generate},
};

constexpr View kLbNotes =
    "Reads load data of `skein run --lb-dump` or DARMA vt and tries strategies on it, or generates such "
    "data. Several files are read as one, with one file for each PE; %p in a name stands for the numbers 0, "
    "1, 2 and so on. No program runs, and no MPI is needed.";

std::string kinds_text() {
  std::string out = "\nKinds to generate, with their keys\n";
  for (const lb::GeneratorInfo& kind : lb::generators()) {
    out.append("  ").append(kind.name).append("\n").append(
        options::wrapped(kind.summary, options::kHelpIndent));
    for (const lb::Key& key : kind.keys)
      out += options::wrapped(
          std::string(key.name) + " (" + std::string(key.default_text) + "): " + std::string(key.help),
          options::kHelpIndent + 2);
  }
  return out;
}

std::string kinds_markdown() {
  std::string out = "\n### Kinds to generate\n\n| kind | keys (defaults) | |\n|---|---|---|\n";
  for (const lb::GeneratorInfo& kind : lb::generators()) {
    out.append("| `").append(kind.name).append("` |");
    for (const lb::Key& key : kind.keys)
      out.append(" `").append(key.name).append("` (").append(key.default_text).append(")");
    out.append(" | ").append(kind.summary).append(" |\n");
  }
  return out;
}

std::string kinds(options::Form form) {
  return form == options::Form::text ? kinds_text() : kinds_markdown();
}

}  // namespace

const options::ToolOf<LbOptions>& lb_tool() {
  static const options::ToolOf<LbOptions> tool{names::kLb, kLbNotes, kLbTable, kLbSubcommands, kinds};
  return tool;
}

}  // namespace skein::tools
