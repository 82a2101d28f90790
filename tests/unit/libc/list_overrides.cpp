// SPDX-License-Identifier: Apache-2.0
// Prints the names of all functions of the C and C++ libraries that the launcher overrides, one a line.
#include <cstdio>

#include "runtime/image/fault_reports.hpp"
#include "runtime/image/loaded_libraries.hpp"
#include "runtime/image/start.hpp"
#include "runtime/image/tls.hpp"
#include "runtime/image/unwind.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"

int main() {
  auto tables = skein::libc::override_tables();
  for (const auto& more :
       {skein::image::fault_report_overrides(), skein::image::loading_overrides(),
        skein::image::start_overrides(), skein::image::tls_overrides(), skein::image::unwind_overrides()})
    tables.push_back(more);
  for (const auto& table : tables)
    for (const skein::libc::Override& each : table) puts(each.name);
  for (const auto name : skein::libc::private_symbols()) puts(name.data());
}
