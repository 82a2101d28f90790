// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/spawn.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "runtime/base/error.hpp"
#include "runtime/launch/build_info.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/supervise.hpp"

namespace skein::launch {
namespace {

/// The most PEs for a core: beyond it a job on one node only thrashes; ranks can be many.
constexpr int kMostPesPerCore = 32;

/// Seconds from the report of one PE, before it reads its program, to the next. PEs on other machines do not
/// report here.
constexpr double kStartHereS = 20, kStartElsewhereS = 120;

struct Setting {
  const char* name;
  const char* value;
};

/// Settings for Open MPI (OMPI_: version 4, PRTE_: 5): allow more PEs than cores, let PEs bind themselves,
/// and print no message about a rank's non-zero exit status. Its daemons notice in 9 seconds, before the PEs
/// do (runtime/net/node_watch.hpp), that they no longer reach each other: otherwise they would outlive the
/// job by minutes. Other MPIs ignore these. Settings of the user stay.
constexpr Setting kLauncherSettings[] = {
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {"OMPI_MCA_orte_execute_quiet", "1"},
    {"OMPI_MCA_oob_tcp_keepalive_time", "10"},
    {"OMPI_MCA_oob_tcp_keepalive_intvl", "2"},
    {"OMPI_MCA_oob_tcp_keepalive_probes", "5"},
    {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
    {"PRTE_MCA_hwloc_default_binding_policy", "none"},
};

/// Open MPI refuses to start as root unless told so twice; in a container there is often no other user.
constexpr Setting kRootSettings[] = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
};

void set_if_absent(std::span<const Setting> settings) {
  for (const Setting& setting : settings) setenv(setting.name, setting.value, 0);
}

JobEnd run_launcher(const std::vector<std::string>& command, PeStreams streams, const GoingOn& going_on) {
  try {
    return run_supervised(command, streams, going_on);
  } catch (const Error& error) {
    throw Error(
        format("skein run: cannot start the MPI launcher '%s': %s; set SKEIN_MPIEXEC to the mpiexec of %s",
               command[0].c_str(), error.what(), build_info::kMpiName));
  }
}

}  // namespace

std::vector<std::string> chosen_launcher() {
  const char* const chosen = getenv("SKEIN_MPIEXEC");
  return split_words(chosen && *chosen ? chosen : build_info::kMpiexec);
}

std::vector<std::string> spawn_command(std::vector<std::string> launcher, int pes,
                                       std::span<const std::string> started, int cores, bool many_allowed) {
  if (pes > kMostPesPerCore * cores && !many_allowed)
    throw Error(format(
        "skein run: -p %d: more PEs than the %d that Skein starts on a node of %d cores; ranks are what can "
        "be many: -p %d -n %d. Set SKEIN_MPIEXEC to start them all the same, or on several nodes",
        pes, kMostPesPerCore * cores, cores, cores, pes));
  std::vector<std::string> command = std::move(launcher);
  if (command.empty())
    throw Error("skein run: SKEIN_MPIEXEC is blank; set it to an mpiexec command, or unset it");
  command.insert(command.end(), {"-n", std::to_string(pes)});
  command.insert(command.end(), started.begin(), started.end());
  return command;
}

void spawn(int pes, std::span<const std::string> started, int cores, GoingOnJob* job) {
  const char* chosen = getenv("SKEIN_MPIEXEC");
  const bool own_choice = chosen && *chosen;
  std::vector<std::string> command;
  set_if_absent(kLauncherSettings);
  if (geteuid() == 0) set_if_absent(kRootSettings);
  // A user who names a launcher may have told it what to do with the streams.
  const PeStreams streams = own_choice ? PeStreams::by_launcher : PeStreams::directly;
  JobEnd end;
  for (std::optional<int> next = pes; next; next = job ? job->go_on(end) : std::nullopt) {
    command = spawn_command(job ? job->launcher() : chosen_launcher(), *next, started, cores, own_choice);
    GoingOn going_on;
    if (job)
      going_on = {.pes = *next,
                  .grace_s = job->grace_s(),
                  .stopped_s = job->stopped_s(),
                  .start_s = own_choice ? kStartElsewhereS : kStartHereS,
                  .leaves = [&](int pe) { job->shrink_by(pe); }};
    end = run_launcher(command, streams, going_on);
  }
  const std::string launcher = join_words(std::span(command).first(command.size() - started.size()));
  const std::string text = describe_end(end, launcher, build_info::kMpiName);
  if (!text.empty()) fprintf(stderr, "%s\n", text.c_str());
  fflush(nullptr);
  _exit(end.status);  // a native program's own exit handlers are for its PEs
}

void prepare_single_pe() {
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
}

}  // namespace skein::launch
