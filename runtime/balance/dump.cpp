// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/dump.hpp"

#include "runtime/balance/step_output.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::balance {
namespace {

/// Calls use(), and gives the dump up if that fails.
template <class Use>
void try_with_dump(Use use) {
  if (!step_output->dump.writer) return;
  try {
    use();
  } catch (const lb::FileError& error) {
    log_line("the LB dump ends here: %s (--lb-dump)", error.what());
    step_output->dump.failed = true;
    step_output->dump.writer.reset();
  }
}

}  // namespace

void open_dump(const std::string& path) {
  try {
    step_output->dump.writer.emplace(path);
  } catch (const lb::FileError& error) {
    throw Error(format("--lb-dump: %s", error.what()));
  }
}

void write_dump(std::uint64_t step, const lb::Snapshot& snapshot, const std::vector<double>* busy_s) {
  try_with_dump([&] {
    if (!busy_s) return step_output->dump.writer->write(step, snapshot);
    lb::Snapshot in_seconds = snapshot;
    in_seconds.objects.load = *busy_s;
    step_output->dump.writer->write(step, in_seconds);
  });
}

bool close_dump() {
  try_with_dump([] { step_output->dump.writer->close(); });
  step_output->dump.writer.reset();
  return !step_output->dump.failed;
}

}  // namespace skein::balance
