// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/fault_reports.hpp"

#include <signal.h>

#include <cstring>
#include <string_view>

#include "runtime/base/fault_signals.hpp"
#include "runtime/image/program.hpp"

namespace skein::image {
namespace {

using Handler = void (*)(int);

/// Returns true for the handler of Fortran's library: libgfortran.so has no name for it; a statically linked
/// program has.
bool is_of_fortran_library(Handler handler) {
  const auto* const address = reinterpret_cast<const void*>(handler);
  CodePlace place;
  if (!current_program() || !current_program()->locate(address, place)) return false;
  const char* const slash = strrchr(place.file, '/');
  const std::string_view file = slash ? slash + 1 : place.file;
  return file.starts_with("libgfortran.") || std::string_view(place.symbol) == "_gfortrani_backtrace_handler";
}

Handler set_handler(int signal, Handler handler) {
  if (is_fault_signal(signal) && is_of_fortran_library(handler)) return SIG_DFL;
  return ::signal(signal, handler);
}

}  // namespace

std::span<const libc::Override> fault_report_overrides() {
  static const libc::Override overrides[] = {{"signal", libc::address_of(set_handler)}};
  return overrides;
}

}  // namespace skein::image
