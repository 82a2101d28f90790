// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/option_table.hpp"

#include "runtime/arena/arena.hpp"
#include "runtime/launch/option_values.hpp"
#include "runtime/options/setters.hpp"

namespace skein::launch {
namespace {

constexpr std::uint64_t kMostPes = 65536;

int count_or_auto(std::string_view text, std::uint64_t most) {
  return text == "auto" ? 0 : static_cast<int>(options::parse_count(text, 1, most));
}

using View = std::string_view;

using options::set_choice;
using options::set_switch;
using options::set_text;
using options::set_value;

/// Adds to the libraries given before.
template <auto member>
void add_libraries(const Option&, RunOptions& run, View text) {
  for (std::string& library : options::parse_list(text, ':')) (run.*member).push_back(std::move(library));
}
template <LogLevel level>
void set_log_level(const Option&, RunOptions& run, View text) {
  if (options::parse_switch(text))
    run.log_level = level;
  else if (run.log_level == level)
    run.log_level = LogLevel::normal;
}

/// Returns true if options about LB steps have no effect, as nothing balances. A dump has steps without a
/// strategy, with loads and limits.
bool without_strategy(const RunOptions& run) { return run.lb.empty() || run.lb == "none"; }
bool without_steps(const RunOptions& run) {
  return without_strategy(run) && run.lb_dump.empty() && run.lb_report.empty();
}

/// Returns true if options about sync points have no effect. A recording has them, too: a simulation can make
/// LB steps there.
bool without_sync_points(const RunOptions& run) { return without_steps(run) && run.trace.file.empty(); }

constexpr Option kRunTable[] = {
    {"Where and how many", 'p', "--pes", "SKEIN_PES", "P", "auto",
     "Number of PEs: processes of the MPI underneath. auto: one per core that this process may use. Under "
     "mpirun or srun the launcher decides, and a different number here is an error.",
     [](const Option&, RunOptions& run, View text) { run.pes = count_or_auto(text, kMostPes); }},
    {"Where and how many", 'n', "--ranks", "SKEIN_RANKS", "N", "auto",
     "Number of virtual ranks: what MPI_Comm_size tells the program. auto: one per PE. Load balancing needs "
     "several per PE.",
     [](const Option&, RunOptions& run, View text) { run.ranks = count_or_auto(text, kMostRanks); }},
    {"Where and how many", 0, "--map", "SKEIN_MAP", "block|round-robin|FILE", "block",
     "Where ranks start. block: neighbouring ranks share a PE. round-robin: rank r starts on PE r mod P. "
     "FILE: one PE number a line, line r for rank r.",
     set_value<set_map>},
    {"Where and how many", 0, "--bind", "SKEIN_BIND", "core|none", "core",
     "core: each PE keeps to one core of its node, as long as there are enough of them. none: PEs are left "
     "as they were started.",
     set_choice<&RunOptions::bind>},
    {"Where and how many", 0, "--transport", "SKEIN_TRANSPORT", "memory|mpi", "memory",
     "How messages go between PEs of a node. memory: through memory that they share, where that can be had, "
     "as skein info says. mpi: through the MPI underneath, as between nodes.",
     set_choice<&RunOptions::transport>},
    {"Where and how many", 0, "--threads", "SKEIN_THREADS", "refuse|one", "refuse",
     "A rank has one thread; so what becomes of an OpenMP region that asks for several, by its clause "
     "num_threads or after omp_set_num_threads(). refuse: the job ends and says so, as work that is divided "
     "by that number would be done in part. one: it runs on one.",
     set_choice<&RunOptions::threads>},
    {"Where and how many", 0, "--aggregation-grid", "SKEIN_AGGREGATION_GRID", "auto|1|2|3", "auto",
     "In native programs: how many dimensions the grid of PEs has over which aggregated calls go, one after "
     "the other. With more, a PE has fewer buffers of 16 KiB and fuller messages, and a call takes more of "
     "them. auto: 1 up to 64 PEs, 2 up to 4,096, 3 beyond.",
     set_choice<&RunOptions::aggregation_grid>},

    {"Load balancing", 0, "--lb", "SKEIN_LB", "NAME[:KEY=VALUE,...]", "none",
     "The strategy that decides where ranks go; skein info lists them. none: ranks stay where they start. "
     "auto: at each LB step the one that is predicted to pay most, or none; -v shows why. "
     "./LIBRARY.so:NAME[:KEY=VALUE,...] takes one from a shared library. With the key by_level=1 a strategy "
     "balances each of a native program's levels for itself, where they run one after another.",
     set_value<set_lb>},
    {"Load balancing", 0, "--lb-mode", "SKEIN_LB_MODE", "inline|decoupled|lazy|auto[:KEY=VALUE,...]",
     "inline",
     "inline: all PEs pause and decide. decoupled:pes=M: the last M PEs decide; :reserved, they do nothing "
     "else. lazy:pes=M: these decide while the others go on; :thread, one beside PE 0 does. auto: inline, "
     "then lazy:pes=1 if its steps say so. Further keys: wait, patience, silent (docs/lazy.md).",
     set_value<set_lb_mode>, without_strategy},
    {"Load balancing", 0, "--lb-period", "SKEIN_LB_PERIOD", "K|Ks|auto", "",
     "Every K-th sync point is an LB step; or, with an s behind the number, the first sync point after K "
     "seconds. auto: as often as the return of imbalance pays for. Where nothing is said, auto with "
     "--sync-at auto, where one PE decides and not lazily, and 20 else.",
     set_value<set_lb_period>, without_steps},
    {"Load balancing", 0, "--lb-report", "SKEIN_LB_REPORT", "FILE", "",
     "Writes one JSON object for each LB step to FILE, one a line. Without a strategy LB steps measure and "
     "write, and nothing moves.",
     set_text<&RunOptions::lb_report>},
    {"Load balancing", 0, "--pe-speed", "SKEIN_PE_SPEED", "auto|uniform|measured|FILE", "auto",
     "How fast PEs are, so that LB steps balance time and not load. uniform: all alike. measured: a loop of "
     "arithmetic at the start tells how fast each processor is, and each interval between LB steps how much "
     "others had of its core. auto: the loop alone, and only where a processor has less than four fifths of "
     "the fastest one's speed; a line says so. FILE: a PE and its speed on each line, as in 3 0.5; those "
     "that are not named have 1.",
     set_value<set_pe_speed>, without_steps},
    {"Load balancing", 0, "--lb-memory", "SKEIN_LB_MEMORY", "BYTES", "none",
     "The most memory that the ranks of a PE may have in use between them, with K, M, G or T behind the "
     "number. No LB step puts more on a PE; one that has more gives ranks away as long as others have room.",
     set_value<set_lb_memory>, without_steps},
    {"Load balancing", 0, "--lb-dump", "SKEIN_LB_DUMP", "FILE", "",
     "Writes what each LB step sees (loads, sizes, PEs, messages) to FILE, as load data of DARMA vt; "
     "compressed with zstd if the name ends in .zst. skein lb reads it. Without a strategy LB steps measure "
     "and write, and nothing moves.",
     set_text<&RunOptions::lb_dump>},
    {"Load balancing", 0, "--lb-model", "SKEIN_LB_MODEL", "NAME[:KEY=VALUE,...]", "last",
     "What a rank's next load is taken to be: its last one, or average, median or linear (the line through "
     "them, one step further) of its last n, as in median:n=5.",
     set_value<set_lb_model>, without_steps},
    {"Load balancing", 0, "--sync-at", "SKEIN_SYNC_AT", "auto|none|CALL[:every=K,ranks=N]", "",
     "auto: every blocking collective on the world communicator, or another of all ranks, is a sync point, "
     "until the program calls MPI_Migrate(); for programs whose source stays as it is. Which are LB steps is "
     "decided by time, unless --lb-period is a number of them; where none comes, ranks stop where they wait "
     "for messages. It is so where nothing is said and there is a strategy; but where the program refers to "
     "MPI_Migrate() the first 40 such calls are none, and with a period that is a number all. none: only the "
     "program's own. CALL: every K-th call of the collective CALL on the world communicator, or another of "
     "all ranks, is a sync point, as if the program had called MPI_Migrate() there. With ranks=N calls on "
     "communicators of N ranks or more count as well, as on the halves of a divided world: all ranks must "
     "make as many, and none may need a message of one that is ahead. Example: MPI_Allreduce:every=50.",
     set_value<set_sync_at>, without_sync_points},
    {"Load balancing", 0, "--lb-load", "SKEIN_LB_LOAD", "time|EVENT", "time",
     "What the load of a rank is: the time it computed, or how often one of the --papi events happened.",
     set_text<&RunOptions::lb_load>, without_steps},
    {"Load balancing", 0, "--papi", "SKEIN_PAPI", "EVENT,...", "",
     "Counts these PAPI events for each rank, and tells at the end how many there were; skein info names "
     "those of this machine.",
     set_value<set_papi>},

    {"Load balancing", 0, "--seed-balancer", "SKEIN_SEED_BALANCER", "random|least-loaded|steal", "random",
     "In native programs: which PE constructs a chare that skein::create() makes. random: any. least-loaded: "
     "that with the fewest not constructed yet, among the PE and its neighbours, and on from there. steal: "
     "the PE that made it, unless one that has nothing to do asks for it first.",
     set_choice<&RunOptions::seed_balancer>},
    {"Memory", 0, "--arena", "SKEIN_ARENA", "auto|shared|private", "auto",
     "Backing of the ranks' memory. shared: the PEs of a node share it, so that a move inside the node "
     "copies nothing. private: a faster first touch, and no limit of shared memory, but every move copies. "
     "auto: shared where a node has several PEs.",
     set_choice<&RunOptions::arena>},
    {"Memory", 0, "--slot-size", "SKEIN_SLOT_SIZE", "auto|SIZE", "auto",
     "Address space of one rank, for its program, stack and heap: a power of two from 16M to 64G. Only what "
     "is touched takes memory. auto: as much as fits for all ranks.",
     set_value<set_slot_size>},
    {"Memory", 0, "--stack-size", "SKEIN_STACK_SIZE", "SIZE", "8M",
     "Stack of one rank, rounded up to whole pages. Raise it when a run ends with a stack overflow.",
     set_value<set_stack_size>},
    {"Memory", 0, "--huge-pages", "SKEIN_HUGE_PAGES", "SIZE|off", "off",
     "A rank's heap that grows beyond SIZE asks the system for huge pages (2 MiB), where it has some to "
     "give: fewer misses of the TLB, but the first touch takes longer, and memory that is touched here and "
     "there is more.",
     [](const Option&, RunOptions& run, View text) {
       run.huge_pages_from =
           text == "off" ? 0 : options::parse_size(text, arena::kHugePageBytes, arena::kMostSlotBytes);
     }},
    {"Memory", 0, "--eager-memory", "SKEIN_EAGER_MEMORY", "SIZE", "16M",
     "How much a rank keeps of short messages that it has not received yet, a quarter of its slot at most. "
     "While it keeps more, whoever sends it a message waits until it is received, as with long messages; "
     "raise it where a program relies on more.",
     [](const Option&, RunOptions& run, View text) {
       run.eager_memory = options::parse_size(text, 0, arena::kMostSlotBytes);
     }},
    {"Memory", 0, "--private", "SKEIN_PRIVATE", "LIB", "",
     "Loads the shared library LIB (a file name such as libfoo.so.1) once per rank instead of once per PE, "
     "as libraries with variables of their own are by default. May be repeated; the variable takes a list "
     "separated by colons.",
     add_libraries<&RunOptions::private_libs>},
    {"Memory", 0, "--shared", "SKEIN_SHARED", "LIB", "",
     "Loads the shared library LIB once per PE although it has variables of its own: for libraries whose "
     "ranks may share them, which then costs less memory. May be repeated; the variable takes a list "
     "separated by colons.",
     add_libraries<&RunOptions::shared_libs>},

    {"Checkpoints", 0, "--checkpoint", "SKEIN_CHECKPOINT", "FOLDER[:every=TIME,keep=N]", "",
     "Writes the state of the job into FOLDER at the first LB step behind every TIME (10min; s, min and h "
     "are "
     "units), and keeps the newest N of them (2). Without a strategy sync points are agreed on for it, which "
     "--sync-at names, or elements meet at each; nothing moves.",
     set_value<set_checkpoint>},
    {"Checkpoints", 0, "--restart", "SKEIN_RESTART", "FOLDER", "",
     "Goes on from the newest valid state in FOLDER, or from the state that FOLDER is: with the same "
     "program, arguments and number of ranks, on any number of PEs.",
     [](const Option&, RunOptions& run, View text) {
       if (!text.empty()) run.restart = text;
     }},
    {"Checkpoints", 0, "--survive", "SKEIN_SURVIVE", "", "no",
     "In MPI programs: keeps a state of the job in memory, on several machines with a copy on another "
     "one, a new one at the first LB step behind every 10 seconds, or with --survive=every=TIME another "
     "time. When a PE dies, or SIGSTOP has stopped it for more than 30 seconds (stopped=TIME), the others "
     "end, and the job goes on from the last state, on the machines that answer; if that happens three "
     "times without a new one, it ends. A PE that gets SIGTERM leaves: the job goes on on one less at the "
     "next sync point, or without one after 30 seconds (grace=TIME).",
     set_value<set_survive>},

    {"Results and messages", 0, "--deterministic", "SKEIN_DETERMINISTIC", "", "no",
     "Reductions combine in the order of the ranks, or of the elements' indices, so that their results are "
     "bitwise the same wherever ranks run. A program that acts on messages as they come (MPI_ANY_SOURCE, "
     "MPI_Waitany, MPI_Test) can still differ from run to run, as under any MPI.",
     set_switch<&RunOptions::deterministic>},
    {"Results and messages", 0, "--trace", "SKEIN_TRACE", "FILE[:counters=EVENT,...][:last=SECONDS]", "",
     "Records what each rank does, for skein simulate, tune, report and trace: what it computes between its "
     "calls, and every message, collective, wait, sync point and region (MPI_Pcontrol) in order. counters: "
     "with the PAPI events of each stretch of computing. last: keeps only what happened in the last SECONDS "
     "of the job.",
     set_value<set_trace>},
    {"Results and messages", 0, "--seed", "SKEIN_SEED", "S", "1",
     "Seed of everything in Skein that draws random numbers.",
     [](const Option&, RunOptions& run, View text) { run.seed = options::parse_count(text, 0, UINT64_MAX); }},
    {"Results and messages", 0, "--preload", "SKEIN_PRELOAD", "LIB", "",
     "Loads the shared library LIB into each rank as if the program were linked against it before all "
     "others: for tools that define functions of MPI and call their PMPI_ names. May be repeated; the "
     "variable takes a list separated by colons. LD_PRELOAD is for the PE, not for its ranks.",
     add_libraries<&RunOptions::preloaded_libs>},
    {"Results and messages", 0, "--check", "SKEIN_CHECK", "", "no",
     "Checks how an MPI program uses MPI: collectives that do not fit each other, messages of "
     "other types or longer than their receives, and requests, communicators, datatypes, windows, files and "
     "messages that are left at MPI_Finalize. Each finding is a line on standard error that names ranks, "
     "call and communicator; the job then ends with status 1, but by objects that are left, which are leaks, "
     "only with --check=leaks. In native programs: a call through a pointer to an element that has moved or "
     "ended ends the job. --check=pup: also packs each element at its sync points, makes it anew from that, "
     "as if it had moved, and compares, so that one PE finds mistakes of serialize().",
     set_value<set_check>},
    {"Results and messages", 0, "--deadlock-after", "SKEIN_DEADLOCK_AFTER", "SECONDS", "1",
     "When nothing has happened for so long, the PEs ask each other whether all ranks wait for messages that "
     "nobody will send; if so, the job ends and says what each rank waits for.",
     [](const Option&, RunOptions& run, View text) {
       run.deadlock_seconds = options::parse_seconds(text, kMostPeriodSeconds);
     }},
    {"Results and messages", 0, "--progress", "SKEIN_PROGRESS", "", "",
     "Keeps a line at the bottom of the terminal: sync points a second, imbalance, what has moved, for how "
     "long the job runs. If nothing is said, it is there where standard error is a terminal and standard "
     "output no pipe, from the first second on; --progress=no switches it off. Never where standard error is "
     "no terminal.",
     set_switch<&RunOptions::progress>},
    {"Results and messages", 'q', "--quiet", "SKEIN_QUIET", "", "no", "No messages but errors.",
     set_log_level<LogLevel::quiet>},
    {"Results and messages", 'v', "--verbose", "SKEIN_VERBOSE", "", "no", "Says more on standard error.",
     set_log_level<LogLevel::verbose>},
};

constexpr Variable kVariables[] = {
    {"SKEIN_MPIEXEC", "the mpiexec of the MPI that Skein was built with",
     "Program that starts the PEs of `skein run`."},
    {"SKEIN_CC", "the C compiler that Skein was built with", "Compiler behind `skein cc`."},
    {"SKEIN_CXX", "the C++ compiler that Skein was built with", "Compiler behind `skein cxx`."},
    {"SKEIN_FC", "the Fortran compiler that Skein was built with", "Compiler behind `skein fc`."},
    {"SKEIN_MESSAGE_COUNTS", "",
     "FILE: at its end each PE writes to FILE.<PE> how many messages of each kind it sent and received."},
    {"SKEIN_PES_PER_NODE", "all that share a machine",
     "N: so many PEs of a machine at a time are a node, which shares no memory with the others: to try on "
     "one machine what a job does across nodes."},
};

}  // namespace

std::span<const Option> run_options() { return kRunTable; }
std::span<const Variable> other_variables() { return kVariables; }

}  // namespace skein::launch
