// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/options.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/launch/option_table.hpp"

using namespace skein::launch;

namespace {

RunOptions parse(std::vector<const char*> words, std::vector<const char*> environment = {}) {
  return parse_run(words, environment);
}

std::string refusal(std::vector<const char*> words, std::vector<const char*> environment = {}) {
  try {
    parse_run(words, environment);
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "accepted";
}

void check_says(const std::string& message, std::string_view part) {
  CAPTURE(part);
  CHECK_MESSAGE(message.find(part) != std::string::npos, message);
}

}  // namespace

TEST_CASE("options: a strategy of a library is not looked up before the run") {
  CHECK(parse({"--lb", "./no_such.so:mine:key=1", "./app"}).lb == "./no_such.so:mine:key=1");
}

TEST_CASE("options: the defaults of the table are in force") {
  const RunOptions run = parse({"./app"});
  CHECK(run.pes == 0);
  CHECK(run.ranks == 0);
  CHECK(run.lb == "none");
  CHECK(run.lb_memory_bytes == 0);
  CHECK(run.lb_mode.kind == skein::lb::Mode::Kind::inline_all);
  CHECK_FALSE(run.learn_mode);
  CHECK(run.lb_period.unit == LbPeriod::Unit::points);
  CHECK(run.lb_period.count == 0);
  CHECK(run.sync_at.call.empty());
  CHECK(run.map == Map::block);
  CHECK(run.arena == ArenaChoice::automatic);
  CHECK(run.slot_bytes == 0);
  CHECK(run.stack_bytes == 8 << 20);
  CHECK(run.eager_memory == 16 << 20);
  CHECK(run.huge_pages_from == 0);
  CHECK(run.bind == Bind::core);
  CHECK(run.transport == Transport::memory);
  CHECK(run.threads == Threads::refuse);
  CHECK(run.seed == 1);
  CHECK(run.seed_balancer == skein::chare::SeedBalancer::random);
  CHECK(run.aggregation_grid == 0);
  CHECK_FALSE(run.deterministic);
  CHECK_FALSE(run.check);
  CHECK(run.log_level == skein::LogLevel::normal);
  CHECK(run.warnings.empty());
}

TEST_CASE("options: every option reaches its value") {
  const RunOptions run = parse({"-p",
                                "2",
                                "--ranks=16",
                                "--lb",
                                "greedy-refine:tolerance=1.1",
                                "--lb-mode=decoupled:reserved,pes=1",
                                "--lb-period",
                                "2.5s",
                                "--lb-report",
                                "steps.json",
                                "--lb-memory",
                                "512M",
                                "--sync-at",
                                "MPI_Allreduce:every=50",
                                "--map",
                                "round-robin",
                                "--arena",
                                "private",
                                "--slot-size",
                                "1G",
                                "--stack-size=64K",
                                "--huge-pages=32M",
                                "--eager-memory",
                                "0",
                                "--private",
                                "liba.so",
                                "--private",
                                "libb.so:libc.so.6",
                                "--transport=mpi",
                                "--threads=one",
                                "--bind",
                                "none",
                                "--papi",
                                "PAPI_TOT_INS,perf::PAGE-FAULTS",
                                "--shared",
                                "libd.so:libe",
                                "--seed",
                                "7",
                                "--seed-balancer",
                                "steal",
                                "--aggregation-grid",
                                "2",
                                "--deterministic",
                                "--check",
                                "--preload",
                                "./libtool.so:libother.so",
                                "-v",
                                "./app",
                                "-p",
                                "9",
                                "--help"});
  CHECK(run.pes == 2);
  CHECK(run.ranks == 16);
  CHECK(run.lb == "greedy-refine:tolerance=1.1");
  CHECK(run.lb_mode.reserved_pes() == 1);
  CHECK(run.computing_pes() == 1);
  CHECK(run.lb_period.unit == LbPeriod::Unit::seconds);
  CHECK(run.lb_period.seconds == 2.5);
  CHECK(run.lb_report == "steps.json");
  CHECK(run.lb_memory_bytes == std::size_t{512} << 20);
  CHECK(run.sync_at.call == "MPI_Allreduce");
  CHECK(run.sync_at.every == 50);
  CHECK(run.map == Map::round_robin);
  CHECK(run.arena == ArenaChoice::private_pages);
  CHECK(run.slot_bytes == std::size_t{1} << 30);
  CHECK(run.stack_bytes == 65536);
  CHECK(run.eager_memory == 0);
  CHECK(run.huge_pages_from == 32 << 20);
  CHECK(run.private_libs == std::vector<std::string>{"liba.so", "libb.so", "libc.so.6"});
  CHECK(run.shared_libs == std::vector<std::string>{"libd.so", "libe"});
  CHECK(run.bind == Bind::none);
  CHECK(run.transport == Transport::mpi);
  CHECK(run.threads == Threads::one);
  CHECK(run.papi_events == std::vector<std::string>{"PAPI_TOT_INS", "perf::PAGE-FAULTS"});
  CHECK(run.seed == 7);
  CHECK(run.seed_balancer == skein::chare::SeedBalancer::steal);
  CHECK(run.aggregation_grid == 2);
  CHECK(run.deterministic);
  CHECK(run.check);
  CHECK(run.preloaded_libs == std::vector<std::string>{"./libtool.so", "libother.so"});
  CHECK(run.log_level == skein::LogLevel::verbose);
  CHECK(run.program == "./app");
  CHECK(run.args == std::vector<std::string>{"-p", "9", "--help"});
}

TEST_CASE("options: --check looks at packing, too, where that is said") {
  CHECK_FALSE(parse({"--check", "a"}).check_pup);
  CHECK(parse({"--check=pup", "a"}).check);
  CHECK(parse({"--check=pup", "a"}).check_pup);
  CHECK_FALSE(parse({"--check=no", "a"}, {"SKEIN_CHECK=pup"}).check_pup);
}

TEST_CASE("options: a trace has a file and keys in any order, and names may have colons") {
  const TraceOptions plain = parse({"--trace", "dir:1/a=b.sktrace", "a"}).trace;
  CHECK(plain.file == "dir:1/a=b.sktrace");
  CHECK(plain.counters.empty());
  CHECK(plain.last_seconds == 0);
  for (const char* text : {"t:counters=perf::TASK-CLOCK,PAPI_TOT_INS:last=2.5",
                           "t:last=2.5:counters=perf::TASK-CLOCK,PAPI_TOT_INS"}) {
    const TraceOptions trace = parse({"--trace", text, "a"}).trace;
    CHECK(trace.file == "t");
    CHECK(trace.counters == std::vector<std::string>{"perf::TASK-CLOCK", "PAPI_TOT_INS"});
    CHECK(trace.last_seconds == 2.5);
  }
}

TEST_CASE("options: short forms, switches together, and the end of options") {
  CHECK(parse({"-p2", "-n16", "a"}).pes == 2);
  CHECK(parse({"-vp2", "a"}).pes == 2);
  CHECK(parse({"-vp2", "a"}).log_level == skein::LogLevel::verbose);
  CHECK(parse({"--", "-odd-name"}).program == "-odd-name");
  CHECK(parse({"-"}).program == "-");
  CHECK(parse({"--help"}).help);
  CHECK(parse({"-p", "2", "-h"}).help);
}

TEST_CASE("options: --map takes any other word as a file") {
  const RunOptions run = parse({"--map", "places.txt", "a"});
  CHECK(run.map == Map::file);
  CHECK(run.map_file == "places.txt");
  CHECK(parse({"--map", "places.txt", "--map", "block", "a"}).map_file.empty());
}

TEST_CASE("options: the environment overrides defaults, the command line overrides the environment") {
  CHECK(parse({"a"}, {"SKEIN_RANKS=5"}).ranks == 5);
  CHECK(parse({"-n", "6", "a"}, {"SKEIN_RANKS=5"}).ranks == 6);
  CHECK(parse({"a"}, {"SKEIN_RANKS="}).ranks == 0);
  CHECK(parse({"a"}, {"SKEIN_QUIET=1"}).log_level == skein::LogLevel::quiet);
  CHECK(parse({"--quiet=no", "a"}, {"SKEIN_QUIET=1"}).log_level == skein::LogLevel::normal);
  CHECK(parse({"--deterministic=no", "a"}, {"SKEIN_DETERMINISTIC=yes"}).deterministic == false);
  CHECK(parse({"--private", "b", "app"}, {"SKEIN_PRIVATE=a"}).private_libs ==
        std::vector<std::string>{"a", "b"});
  CHECK(parse({"a"}, {"PATH=/bin", "SKEINX=1", "SKEIN_CC=gcc"}).warnings.empty());
}

TEST_CASE("options: an unknown SKEIN_ variable is named, with the nearest and all known ones") {
  const RunOptions run = parse({"a"}, {"SKEIN_LB_PERID=3"});
  REQUIRE(run.warnings.size() == 1);
  check_says(run.warnings[0], "SKEIN_LB_PERID ");
  check_says(run.warnings[0], "did you mean SKEIN_LB_PERIOD?");
  for (const Option& option : run_options()) check_says(run.warnings[0], option.variable);
}

TEST_CASE("options: a refused value is named with its option and what is valid") {
  struct Case {
    std::vector<const char*> words;
    std::vector<const char*> said;
  };
  const Case cases[] = {
      {{"-p", "0", "a"}, {"-p 0", "from 1 to 65536", "--pes"}},
      {{"--pes", "1000000", "a"}, {"--pes 1000000", "65536"}},
      {{"-n", "99999999999", "a"}, {"-n 99999999999", "4194304", "--ranks"}},
      {{"-n", "-3", "a"}, {"'-3'"}},
      {{"--lb-memory", "0", "a"}, {"--lb-memory", "'0'", "from 1"}},
      {{"--lb-memory", "much", "a"}, {"--lb-memory", "'much'", "64M"}},
      {{"--lb", "", "a"}, {"--lb", "unknown strategy", "NAME"}},
      {{"--lb", "offline", "a"}, {"--lb", "offline", "'file'"}},
      {{"--lb", "gredy", "a"}, {"gredy", "greedy", "greedy-refine", "rotate"}},
      {{"--lb", "rotate:round=3", "a"}, {"round", "by"}},
      {{"--lb-period", "0", "a"}, {"--lb-period 0", "K|Ks"}},
      {{"--lb-period=0s", "a"}, {"--lb-period=0s", "seconds above 0"}},
      {{"--lb-period", "5m", "a"}, {"'5m'"}},
      {{"--sync-at", "MPI_Send", "a"}, {"MPI_Send", "auto", "MPI_Allreduce", "MPI_Barrier"}},
      {{"--sync-at", "auto:every=2", "a"}, {"auto has no keys"}},
      {{"--sync-at", "MPI_Bcast:each=2", "a"}, {"each=2", "every=K"}},
      {{"--sync-at", "MPI_Bcast:every=2,ranks=1", "a"}, {"'1'", "from 2"}},
      {{"--help=1", "a"}, {"--help=1", "takes no value"}},
      {{"--sync-at", "MPI_Bcast:every=0", "a"}, {"'0'"}},
      {{"--trace", "", "a"}, {"--trace", "no name of a file"}},
      {{"--trace", ":last=1", "a"}, {"no name of a file"}},
      {{"--trace", "t:first=1", "a"}, {"'first=1'", "counters=EVENT", "last=SECONDS"}},
      {{"--trace", "t:last=0", "a"}, {"'0'", "seconds above 0"}},
      {{"--trace", "t:counters=A,,B", "a"}, {"empty part"}},
      {{"--trace", "t:counters=a,b,c,d,e,f,g,h,i", "a"}, {"9 counters", "8"}},
      {{"--arena", "big", "a"}, {"'big'", "auto|shared|private"}},
      {{"--bind", "socket", "a"}, {"'socket'", "core|none"}},
      {{"--transport", "tcp", "a"}, {"'tcp'", "memory|mpi"}},
      {{"--threads", "4", "a"}, {"'4'", "refuse|one"}},
      {{"--slot-size", "3G", "a"}, {"'3G'", "power of two", "4G"}},
      {{"--slot-size", "1M", "a"}, {"'1M'", "16M"}},
      {{"--huge-pages", "4K", "a"}, {"'4K'", "2M"}},
      {{"--eager-memory", "much", "a"}, {"'much'", "is not a size"}},
      {{"--stack-size", "1K", "a"}, {"'1K'", "16K"}},
      {{"--stack-size", "8MB", "a"}, {"'8MB'", "64M"}},
      {{"--papi", "A,,B", "a"}, {"empty part"}},
      {{"--papi", "a,b,c,d,e,f,g,h,i", "a"}, {"9 events", "8"}},
      {{"--seed", "x", "a"}, {"'x'"}},
      {{"--seed-balancer", "best", "a"}, {"'best'", "random|least-loaded|steal"}},
      {{"--aggregation-grid", "4", "a"}, {"'4'", "auto|1|2|3"}},
      {{"--quiet=perhaps", "a"}, {"perhaps", "yes", "no"}},
      {{"-p"}, {"-p needs a value", "-p P"}},
      {{"--map"}, {"--map needs a value", "block|round-robin|FILE"}},
      {{"--lb-perod", "3", "a"}, {"unknown option --lb-perod", "did you mean --lb-period?", "--help"}},
      {{"-y", "a"}, {"unknown option -y"}},
      {{"--sync-at", "MPI_AllReduce", "a"}, {"did you mean MPI_Allreduce?"}},
      {{"--sync-at", "MPI_Allreduce:evry=3", "a"}, {"did you mean every?", "valid: every, ranks"}},
      {{"--trace", "t:conters=A", "a"}, {"did you mean counters?"}},
      {{"--arena", "Shared", "a"}, {"did you mean shared?"}},
      {{"--lb-mode", "aut", "a"}, {"did you mean auto?", "valid: inline, decoupled, lazy, auto"}},
      {{"--lb-mode", "lazy:paitence=3", "a"}, {"did you mean patience?"}},
      {{"--lb-mode", "auto:report=f", "a"},
       {"mode 'auto' has no keys", "skein tune TRACE --lb-mode all --platform FILE"}},
      {{"--lb-model", "medain", "a"}, {"did you mean median?"}},
      {{"--lb", "rotate:b=3", "a"}, {"no key 'b'", "valid: by"}},
      {{}, {"no program", "PROGRAM"}},
      {{"-p", "2"}, {"no program"}},
  };
  for (const Case& each : cases)
    for (const char* part : each.said) check_says(refusal(each.words), part);
}

TEST_CASE("options: those of mpiexec are answered with what there is here") {
  const struct {
    std::vector<const char*> words;
    const char* said;
  } cases[] = {
      {{"-np", "2", "a"}, "Here the number of ranks is -n N, and that of processes -p P."},
      {{"--np", "2", "a"}, "Here the number of ranks is -n N"},
      {{"--np=2", "a"}, "Here the number of ranks is -n N"},
      {{"-c", "2", "a"}, "Here the number of ranks is -n N"},
      {{"-n", "4", "-N", "2", "a"}, "Here leave it out: Skein decides where ranks run."},
      {{"-ppn", "2", "a"}, "Here leave it out: Skein decides where ranks run."},
      {{"--oversubscribe", "a"}, "Here leave it out: Skein decides where ranks run."},
      {{"-x", "A=1", "a"}, "Here ranks have the environment of the command: VARIABLE=VALUE skein run ..."},
      {{"-genv", "A", "1", "a"}, "Here ranks have the environment of the command"},
      {{"-envall", "a"}, "Here leave it out: ranks have the whole environment."},
      {{"--hostfile", "h", "a"}, "Here on several machines the launcher of the MPI underneath starts it"},
      {{"-wdir", "/", "a"}, "Here it starts in the current folder: cd there first."},
      {{"--timeout", "3", "a"}, "Here use timeout(1)."},
      {{"--bind-to", "none", "a"}, "with --bind none"},
  };
  for (const auto& each : cases) {
    const std::string message = refusal(each.words);
    check_says(message, each.said);
    check_says(message, "unknown option -");
    check_says(message, "skeinexec -");
  }
  // An option that skein run and skeinexec share means what it means to skein run.
  const RunOptions run = parse({"-n", "8", "-p", "4", "-v", "--bind", "none", "a", "-np", "2"});
  CHECK(run.ranks == 8);
  CHECK(run.args == std::vector<std::string>{"-np", "2"});
}

TEST_CASE("options: a refused value of a variable is named with the variable") {
  check_says(refusal({"a"}, {"SKEIN_RANKS=many"}), "SKEIN_RANKS=many");
  check_says(refusal({"a"}, {"SKEIN_RANKS=many"}), "unset");
}

TEST_CASE("options: names in the table are distinct and well formed") {
  std::set<std::string_view> seen;
  for (const Option& option : run_options()) {
    CHECK(option.name.starts_with("--"));
    CHECK(option.variable.starts_with("SKEIN_"));
    CHECK(option.help.ends_with("."));
    CHECK(seen.insert(option.name).second);
    CHECK(seen.insert(option.variable).second);
  }
}

TEST_CASE("options: auto stands for a strategy and for a period") {
  CHECK(parse({"--lb", "auto", "./app"}).lb == "auto");
  CHECK(parse({"--lb", "auto:horizon=20", "./app"}).lb == "auto:horizon=20");
  CHECK(parse({"--lb-period", "auto", "./app"}).lb_period.unit == LbPeriod::Unit::automatic);
  CHECK(parse({"--sync-at", "auto", "./app"}).sync_at.call == "auto");
  check_says(refusal({"--lb", "auto:horizon=-1", "./app"}), "horizon");
  check_says(refusal({"--lb", "auto:tolerance=1", "./app"}), "valid: horizon");
  check_says(refusal({"--lb", "automatic", "./app"}), "unknown strategy 'automatic'");
}

TEST_CASE("options: the status line is wanted, not wanted, or left to the terminal") {
  CHECK_FALSE(parse({"./app"}).progress.has_value());
  CHECK(parse({"--progress", "./app"}).progress == true);
  CHECK(parse({"--progress=no", "./app"}).progress == false);
}

TEST_CASE("options: one that does nothing without a strategy says so") {
  const auto warnings = [](std::vector<const char*> words) {
    words.push_back("a");
    return parse(words).warnings;
  };
  for (const char* option : {"--lb-memory=1G", "--lb-period=5", "--sync-at=MPI_Allreduce"}) {
    CAPTURE(option);
    REQUIRE(warnings({option}).size() == 1);
    check_says(warnings({option})[0], "without a strategy: add --lb NAME");
    CHECK(warnings({option, "--lb=greedy"}).empty());
    CHECK(warnings({option, "--lb=none"}).empty());
  }
  // A dump and a report belong to LB steps, and need some.
  for (const char* file : {"--lb-dump=f", "--lb-report=f"}) {
    CAPTURE(file);
    CHECK(warnings({file, "--lb-period=5", "--sync-at=MPI_Allreduce", "--lb-memory=1G"}).empty());
  }
}
