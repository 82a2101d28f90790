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
    {"PEs and ranks", 'p', "--pes", "SKEIN_PES", "P", "auto",
     "Sets the number of PEs: processes of the MPI underneath. auto: one for each core that this process may "
     "use. Under mpirun or srun the launcher decides, and a different number here is an error.",
     [](const Option&, RunOptions& run, View text) { run.pes = count_or_auto(text, kMostPes); }},
    {"PEs and ranks", 'n', "--ranks", "SKEIN_RANKS", "N", "auto",
     "Sets the number of virtual ranks, which MPI_Comm_size returns to the program. auto: one for each PE. "
     "Load balancing needs several ranks for each PE.",
     [](const Option&, RunOptions& run, View text) { run.ranks = count_or_auto(text, kMostRanks); }},
    {"PEs and ranks", 0, "--map", "SKEIN_MAP", "block|round-robin|FILE", "block",
     "Sets the PE on which each rank starts. block: neighbouring ranks share a PE. round-robin: rank r "
     "starts on PE r mod P. FILE: a text with one PE number on each line; the first line is for rank 0.",
     set_value<set_map>},
    {"PEs and ranks", 0, "--bind", "SKEIN_BIND", "core|none", "core",
     "core: binds each PE to one core of its node, if the node has enough of them. none: leaves the binding "
     "of PEs as it was when they started.",
     set_choice<&RunOptions::bind>},
    {"PEs and ranks", 0, "--transport", "SKEIN_TRANSPORT", "memory|mpi", "memory",
     "Chooses the way of messages between PEs of a node. memory: through shared memory, if the system has it "
     "(see skein info). mpi: through the MPI underneath, as between nodes.",
     set_choice<&RunOptions::transport>},
    {"PEs and ranks", 0, "--threads", "SKEIN_THREADS", "refuse|one", "refuse",
     "Sets the treatment of OpenMP regions that ask for several threads, by the clause num_threads or after "
     "omp_set_num_threads(). A rank has only one thread. refuse: ends the job with a message, because a "
     "program that divides its work by that number would do only a part of it. one: runs the region on one "
     "thread.",
     set_choice<&RunOptions::threads>},
    {"PEs and ranks", 0, "--aggregation-grid", "SKEIN_AGGREGATION_GRID", "auto|1|2|3", "auto",
     "Native programs: sets the number of dimensions of the grid of PEs. An aggregated call travels along "
     "them one after the other. With more dimensions a PE has fewer buffers (16 KiB each) and sends fuller "
     "messages, but a call travels in more of them. auto: 1 up to 64 PEs, 2 up to 4,096, 3 beyond.",
     set_choice<&RunOptions::aggregation_grid>},

    {"Load balancing", 0, "--lb", "SKEIN_LB", "NAME[:KEY=VALUE,...]", "none",
     "Chooses the strategy, which decides where ranks move. skein info lists the strategies. none: ranks "
     "stay where they start. auto: chooses at each LB step the strategy with the best predicted gain, or "
     "none; -v shows the reasons. ./LIBRARY.so:NAME[:KEY=VALUE,...]: loads a strategy from a shared library. "
     "The key by_level=1 balances each level of a native program separately, for programs that run their "
     "levels one after another.",
     set_value<set_lb>},
    {"Load balancing", 0, "--lb-mode", "SKEIN_LB_MODE", "inline|decoupled|lazy|auto[:KEY=VALUE,...]",
     "inline",
     "Chooses the PEs that decide. inline: all PEs pause and decide. decoupled:pes=M: all pause, and the "
     "last M decide; with :reserved these have no ranks. lazy:pes=M: such PEs decide while the others "
     "compute; :thread: a thread beside PE 0 does. auto: begins inline, and changes to lazy:pes=1 if its "
     "steps speak for it. More keys: wait, patience, silent (docs/lazy.md).",
     set_value<set_lb_mode>, without_strategy},
    {"Load balancing", 0, "--lb-period", "SKEIN_LB_PERIOD", "K|Ks|auto", "",
     "Sets the distance between LB steps. K: every K-th sync point is an LB step. Ks: the first sync point "
     "after K seconds is one. auto: Skein chooses the distance by the speed at which imbalance returns. "
     "Default: auto with --sync-at auto, unless PEs decide lazily or several decide; otherwise 20.",
     set_value<set_lb_period>, without_steps},
    {"Load balancing", 0, "--lb-report", "SKEIN_LB_REPORT", "FILE", "",
     "Writes one line with a JSON object to FILE for each LB step. Without a strategy, LB steps only measure "
     "and write; nothing moves.",
     set_text<&RunOptions::lb_report>},
    {"Load balancing", 0, "--pe-speed", "SKEIN_PE_SPEED", "auto|uniform|measured|FILE", "auto",
     "Sets the speeds of PEs, so that LB steps balance time instead of load. uniform: all PEs have the same "
     "speed. measured: Skein times a loop of arithmetic on each processor at the start, and between LB steps "
     "measures the share of each core that other processes use. auto: times only the loop, and uses the "
     "speeds only if a processor has less than four fifths of the speed of the fastest; a message says so. "
     "FILE: a text with a PE and its speed on each line, such as 3 0.5; other PEs have speed 1.",
     set_value<set_pe_speed>, without_steps},
    {"Load balancing", 0, "--lb-memory", "SKEIN_LB_MEMORY", "BYTES", "none",
     "Limits the memory that all ranks of a PE use together, in bytes or with K, M, G or T behind the "
     "number. No LB step exceeds this limit. A PE above it gives ranks away as long as other PEs have room.",
     set_value<set_lb_memory>, without_steps},
    {"Load balancing", 0, "--lb-dump", "SKEIN_LB_DUMP", "FILE", "",
     "Writes the input of each LB step (loads, sizes, PEs, messages) to FILE, in the load format of DARMA "
     "vt; compressed with zstd if the name ends in .zst. skein lb reads the file. Without a strategy, LB "
     "steps only measure and write; nothing moves.",
     set_text<&RunOptions::lb_dump>},
    {"Load balancing", 0, "--lb-model", "SKEIN_LB_MODEL", "NAME[:KEY=VALUE,...]", "last",
     "Chooses the prediction of a rank's next load. last: its last load. average, median: that of its last n "
     "loads. linear: the line through its last n loads, one step further. Example: median:n=5.",
     set_value<set_lb_model>, without_steps},
    {"Load balancing", 0, "--sync-at", "SKEIN_SYNC_AT", "auto|none|CALL[:every=K,ranks=N]", "",
     "Chooses the sync points, at which ranks can move. auto: every blocking collective on a communicator of "
     "all ranks is a sync point, until the program calls MPI_Migrate(); for programs without changes to "
     "their source. Time decides which of them become LB steps, unless --lb-period is a number of sync "
     "points. If no collective comes, ranks stop where they wait for messages. none: only the program's own "
     "calls of MPI_Migrate() are sync points. CALL: every K-th call of the collective CALL on a communicator "
     "of all ranks is a sync point, as if the program called MPI_Migrate() there. With ranks=N, calls on "
     "communicators of N ranks or more count as well, such as the halves of a divided world; all ranks must "
     "then make the same number of calls, and no rank may need a message of one that is ahead. Example: "
     "MPI_Allreduce:every=50. Default: auto if there is a strategy. In a program that refers to "
     "MPI_Migrate(), the first 40 collectives then do not count, and none counts with a period that is a "
     "number of sync points.",
     set_value<set_sync_at>, without_sync_points},
    {"Load balancing", 0, "--lb-load", "SKEIN_LB_LOAD", "time|EVENT", "time",
     "Chooses the load of a rank. time: its computing time. EVENT: the count of this --papi event.",
     set_text<&RunOptions::lb_load>, without_steps},
    {"Load balancing", 0, "--papi", "SKEIN_PAPI", "EVENT,...", "",
     "Counts these PAPI events for each rank and reports the counts at the end. skein info lists the events "
     "of this machine.",
     set_value<set_papi>},

    {"Load balancing", 0, "--seed-balancer", "SKEIN_SEED_BALANCER", "random|least-loaded|steal", "random",
     "Native programs: chooses the PE that constructs a chare of skein::create(). random: a PE drawn at "
     "random. least-loaded: among the creating PE and its neighbours the one with the fewest waiting chares, "
     "and on from there. steal: the creating PE, unless an idle PE asks for it first.",
     set_choice<&RunOptions::seed_balancer>},
    {"Memory", 0, "--arena", "SKEIN_ARENA", "auto|shared|private", "auto",
     "Chooses the memory of ranks. shared: the PEs of a node share it, so that a move inside the node copies "
     "nothing. private: memory is faster to touch first and needs no shared memory of the system, but every "
     "move copies. auto: shared if a node has several PEs.",
     set_choice<&RunOptions::arena>},
    {"Memory", 0, "--slot-size", "SKEIN_SLOT_SIZE", "auto|SIZE", "auto",
     "Sets the address space of one rank, for its program, stack and heap: a power of two from 16M to 64G. "
     "Only touched pages take memory. auto: as much as fits for all ranks.",
     set_value<set_slot_size>},
    {"Memory", 0, "--stack-size", "SKEIN_STACK_SIZE", "SIZE", "8M",
     "Sets the stack size of one rank, rounded up to whole pages. Raise it if a run ends with a stack "
     "overflow.",
     set_value<set_stack_size>},
    {"Memory", 0, "--huge-pages", "SKEIN_HUGE_PAGES", "SIZE|off", "off",
     "Asks the system for huge pages (2 MiB) once the heap of a rank grows beyond SIZE. They mean fewer TLB "
     "misses, but a slower first touch, and more memory if the program touches only some of it.",
     [](const Option&, RunOptions& run, View text) {
       run.huge_pages_from =
           text == "off" ? 0 : options::parse_size(text, arena::kHugePageBytes, arena::kMostSlotBytes);
     }},
    {"Memory", 0, "--eager-memory", "SKEIN_EAGER_MEMORY", "SIZE", "16M",
     "Limits the memory of a rank for short messages that it has not received yet; at most a quarter of its "
     "slot. Beyond the limit, senders wait until the rank receives, as with long messages. Raise it if a "
     "program relies on more room.",
     [](const Option&, RunOptions& run, View text) {
       run.eager_memory = options::parse_size(text, 0, arena::kMostSlotBytes);
     }},
    {"Memory", 0, "--private", "SKEIN_PRIVATE", "LIB", "",
     "Loads the shared library LIB (a file name such as libfoo.so.1) once for each rank instead of once for "
     "each PE. Libraries with variables of their own are loaded so by default. May be repeated; the variable "
     "takes a list separated by colons.",
     add_libraries<&RunOptions::private_libs>},
    {"Memory", 0, "--shared", "SKEIN_SHARED", "LIB", "",
     "Loads the shared library LIB once for each PE although it has variables of its own. This saves memory; "
     "use it if ranks may share these variables. May be repeated; the variable takes a list separated by "
     "colons.",
     add_libraries<&RunOptions::shared_libs>},

    {"Checkpoints", 0, "--checkpoint", "SKEIN_CHECKPOINT", "FOLDER[:every=TIME,keep=N]", "",
     "Writes the state of the job into FOLDER at the first LB step after every TIME (default 10min; units s, "
     "min and h), and keeps the newest N states (default 2). Without a strategy the PEs agree on sync points "
     "for it (--sync-at); in native programs elements meet at each sync point. Nothing moves then.",
     set_value<set_checkpoint>},
    {"Checkpoints", 0, "--restart", "SKEIN_RESTART", "FOLDER", "",
     "Continues from the newest valid state in FOLDER; FOLDER may also be a single state. Program, arguments "
     "and number of ranks must be the same; the number of PEs may differ.",
     [](const Option&, RunOptions& run, View text) {
       if (!text.empty()) run.restart = text;
     }},
    {"Checkpoints", 0, "--survive", "SKEIN_SURVIVE", "", "no",
     "Keeps a state of the job in memory; on several machines also a copy on another machine. "
     "A new state is made at the first LB step after every 10 seconds (every=TIME, as in "
     "--survive=every=1min). If a PE dies, or SIGSTOP stops it for more than 30 seconds (stopped=TIME), the "
     "other PEs end, and the job continues from the last state on the machines that answer. After three such "
     "failures without a new state the job ends. A PE that gets SIGTERM leaves: the job continues with one "
     "PE less from the next sync point, or from the last state if none comes within 30 seconds (grace=TIME).",
     set_value<set_survive>},

    {"Results and messages", 0, "--deterministic", "SKEIN_DETERMINISTIC", "", "no",
     "Combines reductions in the order of the ranks, or of the elements' indices, so that results are "
     "bitwise the same wherever ranks run. Results of a program that handles messages in the order of "
     "arrival (MPI_ANY_SOURCE, MPI_Waitany, MPI_Test) can still differ from run to run, as under any MPI.",
     set_switch<&RunOptions::deterministic>},
    {"Results and messages", 0, "--trace", "SKEIN_TRACE", "FILE[:counters=EVENT,...][:last=SECONDS]", "",
     "Records each rank in FILE, for skein simulate, tune, report and trace: its computing time between "
     "calls, and its messages, collectives, waits, sync points and regions (MPI_Pcontrol) in order. "
     "counters: also records these PAPI events of each stretch of computing. last: keeps only the last "
     "SECONDS of the job.",
     set_value<set_trace>},
    {"Results and messages", 0, "--seed", "SKEIN_SEED", "S", "1",
     "Sets the seed of all random numbers that Skein draws.",
     [](const Option&, RunOptions& run, View text) { run.seed = options::parse_count(text, 0, UINT64_MAX); }},
    {"Results and messages", 0, "--preload", "SKEIN_PRELOAD", "LIB", "",
     "Loads the shared library LIB into each rank as if the program were linked against it before all "
     "others. It is for tools that define MPI functions and call their PMPI_ names. May be repeated; the "
     "variable takes a list separated by colons. LD_PRELOAD acts on the PE, not on its ranks.",
     add_libraries<&RunOptions::preloaded_libs>},
    {"Results and messages", 0, "--check", "SKEIN_CHECK", "", "no",
     "Checks the MPI calls of a program. It finds collectives that do not match, messages of another type or "
     "longer than their receive, and leaks: requests, communicators, datatypes, windows, files and messages "
     "that are left at MPI_Finalize. Each finding is a line on standard error with ranks, call and "
     "communicator, and the job ends with status 1; leaks change the status only with --check=leaks. Native "
     "programs: a call through a pointer to an element that has moved or ended ends the job. --check=pup: "
     "also packs each element at its sync points, makes it anew from that as if it had moved, and compares, "
     "so that a run on one PE finds mistakes of serialize().",
     set_value<set_check>},
    {"Results and messages", 0, "--deadlock-after", "SKEIN_DEADLOCK_AFTER", "SECONDS", "1",
     "Sets the time without any progress after which the PEs look for a deadlock. If all ranks wait for "
     "messages that nobody will send, the job ends and lists the call in which each rank waits.",
     [](const Option&, RunOptions& run, View text) {
       run.deadlock_seconds = options::parse_seconds(text, kMostPeriodSeconds);
     }},
    {"Results and messages", 0, "--progress", "SKEIN_PROGRESS", "", "",
     "Shows a line at the bottom of the terminal: sync points a second, imbalance, moves, elapsed time. By "
     "default it appears after the first second if standard error is a terminal and standard output is no "
     "pipe; --progress=no switches it off. It never appears if standard error is no terminal.",
     set_switch<&RunOptions::progress>},
    {"Results and messages", 'q', "--quiet", "SKEIN_QUIET", "", "no", "Prints only errors.",
     set_log_level<LogLevel::quiet>},
    {"Results and messages", 'v', "--verbose", "SKEIN_VERBOSE", "", "no", "Prints more on standard error.",
     set_log_level<LogLevel::verbose>},
};

constexpr Variable kVariables[] = {
    {"SKEIN_MPIEXEC", "the mpiexec of the MPI that Skein was built with",
     "Names the program that starts the PEs of `skein run`."},
    {"SKEIN_CC", "the C compiler that Skein was built with", "Names the compiler behind `skein cc`."},
    {"SKEIN_CXX", "the C++ compiler that Skein was built with", "Names the compiler behind `skein cxx`."},
    {"SKEIN_FC", "the Fortran compiler that Skein was built with", "Names the compiler behind `skein fc`."},
    {"SKEIN_MESSAGE_COUNTS", "",
     "Makes each PE write the number of messages that it sent and received, by kind, to FILE.<PE> at its end "
     "(value: FILE)."},
    {"SKEIN_PES_PER_NODE", "all that share a machine",
     "Divides the PEs of a machine into nodes of N PEs, which share no memory with each other (value: N). "
     "This tests a job across nodes on one machine."},
};

}  // namespace

std::span<const Option> run_options() { return kRunTable; }
std::span<const Variable> other_variables() { return kVariables; }

}  // namespace skein::launch
