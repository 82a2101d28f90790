// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/launcher.hpp"

#include <charconv>

#include "runtime/base/error.hpp"

namespace skein::launch {
namespace {

struct Signature {
  std::string_view name;
  std::string_view size_variable;  ///< empty: this launcher tells no size
  std::string_view rank_variable;
};

/// The first launcher whose variables are all set counts. Open MPI's and Slurm's precede what they run on
/// (PMIx, PMI). SLURM_NTASKS cannot serve: sbatch sets it for the batch script, which no srun has started.
constexpr Signature kSignatures[] = {
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"MPI's process manager (PMI)", "PMI_SIZE", "PMI_RANK"},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
    {"a PMIx launcher", "", "PMIX_RANK"},
};

/// Returns the number in `variable`, if it is set to one.
std::optional<int> number_in(std::span<const char* const> environment, std::string_view variable) {
  for (std::string_view entry : environment) {
    if (!entry.starts_with(variable) || entry.substr(variable.size(), 1) != "=") continue;
    entry.remove_prefix(variable.size() + 1);
    int value = 0;
    auto [end, code] = std::from_chars(entry.data(), entry.data() + entry.size(), value);
    if (code == std::errc() && end == entry.data() + entry.size()) return value;
  }
  return std::nullopt;
}

/// Settles which PEs compute; and the number of ranks, if nobody gave it.
void settle_roles(RunOptions& run) {
  if (run.computing_pes() < 1)
    throw Error(format(
        "skein run: %s: %d of %d PEs are reserved for deciding, and none is left to compute: start more "
        "(-p), or reserve fewer (pes=M)",
        named_by(run, "--lb-mode").c_str(), run.lb_mode.reserved_pes(), run.pes));
  if (run.lb_mode.deciding_pes > run.pes)
    throw Error(
        format("skein run: %s: %d PEs are to decide, and the job has %d: start more (-p), or let fewer "
               "decide (pes=M)",
               named_by(run, "--lb-mode").c_str(), run.lb_mode.deciding_pes, run.pes));
  if (run.ranks == 0) run.ranks = run.computing_pes();
}

}  // namespace

std::optional<Launcher> find_launcher(std::span<const char* const> environment) {
  for (const Signature& each : kSignatures) {
    const std::optional<int> rank = number_in(environment, each.rank_variable);
    const std::optional<int> size =
        each.size_variable.empty() ? std::optional<int>(0) : number_in(environment, each.size_variable);
    if (rank && size) return Launcher{each.name, *size, *rank};
  }
  return std::nullopt;
}

void settle_counts(RunOptions& run, const std::optional<Launcher>& launcher, int cores) {
  if (launcher && launcher->size > 0) {
    if (run.pes != 0 && run.pes != launcher->size)
      throw Error(
          format("skein run: -p %d, but %s has started %d processes, and each is one PE; leave out -p (and "
                 "SKEIN_PES), or change the launcher's count",
                 run.pes, std::string(launcher->name).c_str(), launcher->size));
    run.pes = launcher->size;
  }
  if (!launcher && run.pes == 0) run.pes = cores;
  if (run.pes > 0) settle_roles(run);
}

void confirm_world_size(RunOptions& run, int world_size) {
  if (run.pes == 0) run.pes = world_size;
  if (run.pes == world_size) return settle_roles(run);
  throw Error(
      format("skein run: %d PEs were to start, but MPI_COMM_WORLD has %d; probably the launcher belongs to "
             "another MPI than the one Skein was built with (skein info names it); use that one's, or set "
             "SKEIN_MPIEXEC",
             run.pes, world_size));
}

}  // namespace skein::launch
