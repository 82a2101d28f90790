// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/dump.hpp"

#include <optional>

#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::balance {
namespace {

std::optional<lb::LoadWriter> dump;
bool failed = false;

/// Calls use(), and gives the dump up if that fails.
template <class Use>
void try_with_dump(Use use) {
  if (!dump) return;
  try {
    use();
  } catch (const lb::FileError& error) {
    log_line("the LB dump ends here: %s (--lb-dump)", error.what());
    failed = true;
    dump.reset();
  }
}

}  // namespace

void open_dump(const std::string& path) {
  try {
    dump.emplace(path);
  } catch (const lb::FileError& error) {
    throw Error(format("--lb-dump: %s", error.what()));
  }
}

void write_dump(std::uint64_t step, const lb::Snapshot& snapshot, const std::vector<double>* busy_s) {
  try_with_dump([&] {
    if (!busy_s) return dump->write(step, snapshot);
    lb::Snapshot in_seconds = snapshot;
    in_seconds.objects.load = *busy_s;
    dump->write(step, in_seconds);
  });
}

bool close_dump() {
  try_with_dump([] { dump->close(); });
  dump.reset();
  return !failed;
}

}  // namespace skein::balance
