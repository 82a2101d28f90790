// SPDX-License-Identifier: Apache-2.0
// Any file is part of a report or a ReportError; what was read can be shown. (Traces have a fuzzer of their
// own.)
#include <unistd.h>

#include <fstream>
#include <string>

#include "lb/report/about.hpp"
#include "skein/lb/report.hpp"

using namespace skein::report;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  static const std::string name = "/tmp/skein-report-fuzz-" + std::to_string(getpid());
  // A number in the file multiplies the memory that a PE takes.
  const std::string input(reinterpret_cast<const char*>(bytes), size);
  std::ofstream(name, std::ios::binary) << input;
  try {
    Report report;
    add_file(report, name);
    (void)differences(report);
    Arrays arrays;
    (void)describe(report, arrays);
  } catch (const ReportError&) {
  }
  unlink(name.c_str());
  return 0;
}
