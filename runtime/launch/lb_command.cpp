// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/lb_command.hpp"

#include <chrono>
#include <cstdio>

#include "runtime/base/error.hpp"
#include "runtime/launch/help.hpp"
#include "runtime/launch/lb_print.hpp"
#include "runtime/launch/nearest.hpp"
#include "skein/lb/generate.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::launch {
namespace {

using View = std::string_view;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The id under which the phase is found, which is another one if it is identical to that.
std::uint64_t find_phase(const lb::LoadData& data, std::uint64_t id, std::span<const std::string> files) {
  try {
    return data.find(id).id;
  } catch (const lb::FileError& error) {
    throw Error(files[0] + ": " + error.what());
  }
}

/// The phases asked for, with the loads that the model makes of them and those before, on --pes PEs.
std::vector<lb::LoadPhase> chosen_phases(const LbOptions& options, std::span<const std::string> files,
                                         LbPhase::Which otherwise) {
  const LbPhase phase = options.phase.value_or(LbPhase{otherwise, 0});
  lb::LoadData data = lb::read_load_data(files);
  if (data.ignored_communications > 0)
    fprintf(stderr, "%s: %llu communications that are not between two objects are left out\n",
            files[0].c_str(), static_cast<unsigned long long>(data.ignored_communications));
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

void compare(const LbOptions& options) {
  lb::CompareInput input;
  input.cost = options.cost;
  input.steps = options.steps;
  input.seed = options.seed;
  input.clock = now;
  const std::vector<lb::Candidate> candidates = lb::parse_candidates(options.strategies);
  for (const lb::LoadPhase& phase : chosen_phases(options, options.operands, LbPhase::Which::last)) {
    const lb::Merit before = lb::merit_of(phase.snapshot, {phase.snapshot.objects.pe, {}}, options.cost);
    const std::vector<lb::ComparisonRow> rows = lb::compare(phase.snapshot, candidates, input);
    print_comparison(phase, before, rows, options);
  }
}

void metrics(const LbOptions& options) {
  const std::vector<lb::LoadPhase> phases = chosen_phases(options, options.operands, LbPhase::Which::last);
  for (const lb::LoadPhase& phase : phases) print_metrics(phase, options);
  if (options.phase && options.phase->which == LbPhase::Which::all) print_run(phases, options);
}

void apply(const LbOptions& options) {
  const lb::Selection strategy = lb::parse_strategy(required(options.strategy, "--strategy NAME"));
  std::vector<lb::LoadPhase> phases = chosen_phases(options, options.operands, LbPhase::Which::last);
  const std::string& output = required(options.output, "--output FILE");
  for (lb::LoadPhase& phase : phases) {
    lb::Assignment assignment = strategy.assign(phase.snapshot, options.seed);
    print_application(phase, assignment);
    phase.snapshot.objects.pe = std::move(assignment);
  }
  write_all(output, phases);
}

void convert(const LbOptions& options) {
  const std::span<const std::string> files(options.operands.data(), options.operands.size() - 1);
  const std::vector<lb::LoadPhase> phases = chosen_phases(options, files, LbPhase::Which::all);
  write_all(options.operands.back(), phases);
}

void generate(const LbOptions& options) {
  const lb::Generator generator = lb::parse_generator(options.operands[0]);
  if (options.objects == 0) throw Error("--objects N is missing");
  if (options.pes == 0) throw Error("--pes P is missing");
  const lb::GenerateSize size{options.objects, options.pes, options.pes_per_node, options.seed};
  const lb::LoadPhase phase{0, generator.generate(size)};
  write_all(required(options.output, "--output FILE"), {&phase, 1});
}

constexpr View compare_options[] = {"--strategies", "--pes",          "--phase",       "--lb-model",
                                    "--seed",       "--steps",        "--move-object", "--move-byte",
                                    "--message",    "--message-byte", "--json"};
constexpr View metrics_options[] = {"--pes", "--phase", "--lb-model", "--json"};
constexpr View apply_options[] = {"--strategy", "--output", "--pes", "--phase", "--seed"};
constexpr View convert_options[] = {"--pes", "--phase"};
constexpr View generate_options[] = {"--objects", "--pes", "--pes-per-node", "--seed", "--output"};

constexpr LbSubcommand subcommands[] = {
    {"compare", "FILE... [options]", "What each strategy would make of the loads in a file, best first.",
     compare_options, 1, any_number, compare},
    {"metrics", "FILE... [options]", "Balance and communication as they are in a file.", metrics_options, 1,
     any_number, metrics},
    {"apply", "FILE... --strategy NAME -o FILE [options]",
     "Writes a file in which objects are where a strategy puts them; it splits none.", apply_options, 1,
     any_number, apply},
    {"convert", "FILE... FILE [options]",
     "Writes what it reads to the last file: other compression, one file or one for each PE, some of the "
     "phases.",
     convert_options, 2, any_number, convert},
    {"generate", "KIND[:KEY=VALUE,...] --objects N --pes P -o FILE [options]", "Makes up loads of a kind.",
     generate_options, 1, 1, generate},
};

const LbSubcommand& find_subcommand(View name) {
  std::vector<View> names;
  std::string list;
  for (const LbSubcommand& subcommand : subcommands) {
    if (subcommand.name == name) return subcommand;
    names.push_back(subcommand.name);
    list.append(list.empty() ? "" : ", ").append(subcommand.name);
  }
  throw Error("skein lb: unknown subcommand '" + std::string(name) + "'" + did_you_mean(name, names) +
              "; valid: " + list);
}

}  // namespace

std::span<const LbSubcommand> lb_subcommands() { return subcommands; }

int run_lb(std::span<const char* const> words) {
  const View name = words.empty() ? "--help" : words[0];
  if (name == "--help" || name == "-h") {
    fputs(lb_help(subcommands).c_str(), words.empty() ? stderr : stdout);
    return words.empty() ? 2 : 0;
  }
  const LbSubcommand& subcommand = find_subcommand(name);
  const LbOptions options = parse_lb(subcommand, words.subspan(1));
  if (options.help) {
    fputs(lb_subcommand_help(subcommand).c_str(), stdout);
    return 0;
  }
  const std::string prefix = "skein lb " + std::string(name) + ": ";
  try {
    subcommand.run(options);
  } catch (const Error& error) {
    throw Error(prefix + error.what());
  } catch (const lb::FileError& error) {
    throw Error(prefix + error.what());
  } catch (const std::invalid_argument& error) {  // GenerateError, MissingData
    throw Error(prefix + error.what());
  }
  return 0;
}

}  // namespace skein::launch
