// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/program_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include "runtime/base/error.hpp"
#include "runtime/image/interpreter.hpp"
#include "runtime/image/library_set.hpp"
#include "runtime/launch/compiler.hpp"
#include "runtime/launch/files.hpp"
#include "runtime/launch/script.hpp"
#include "runtime/libc/openmp.hpp"
#include "runtime/libc/process.hpp"

namespace skein::launch {

image::ProgramOptions program_files(const RunOptions& run) {
  const std::string libraries = own_toolchain(Language::c).library_dir + "/",
                    stand_ins = libraries + "skein/";
  image::ProgramOptions options;
  options.path = run.program;
  options.private_libraries = run.private_libs;
  options.shared_libraries = run.shared_libs;
  options.preloaded_libraries = run.preloaded_libs;
  options.on_demand.push_back({libraries + libc::kPrivateLibraryName, libc::private_symbols()});
  options.on_demand.push_back({libraries + libc::kOpenmpLibraryName, libc::openmp_symbols(), true});
  if (const auto interpreter = image::interpreter_at_fixed_address(run.program)) {
    options.path = stand_ins + "python";
    options.preloaded_libraries.push_back(interpreter->library);
    options.process_libraries = interpreter->of_process;
  }
  const auto add = [&](const char* mpi, const std::string& file, std::initializer_list<const char*> names) {
    const std::string path = stand_ins + file;
    const bool is_built = access(path.c_str(), R_OK) == 0;
    for (const char* name : names) options.stand_ins.push_back({mpi, name, path, is_built});
    return is_built;
  };
  const auto add_above = [&](const char* mpi, bool is_built, std::initializer_list<const char*> names) {
    for (const char* name : names) options.stand_ins.push_back({mpi, name, {}, is_built});
  };
  constexpr const char *openmpi = "Open MPI", *mpich = "MPICH";
  const bool has_openmpi = add(openmpi, "libskein_openmpi.so", {"libmpi.so.40"});
  add(openmpi, "libskein_openmpi_fortran.so", {"libmpi_mpifh.so.40"});
  add_above(openmpi, has_openmpi,
            {"libmpi_usempif08.so.40", "libmpi_usempi_ignore_tkr.so.40", "libmpi_cxx.so.40"});
  const bool has_mpich = add(mpich, "libskein_mpich.so", {"libmpich.so.12", "libmpi.so.12"});
  add_above(mpich, has_mpich,
            {"libmpichfort.so.12", "libmpifort.so.12", "libmpichcxx.so.12", "libmpicxx.so.12"});
  return options;
}

namespace {

bool needs(const image::ElfFile& file, std::string_view beginning) {
  return std::ranges::any_of(file.needed,
                             [&](const std::string& name) { return name.starts_with(beginning); });
}
bool needs(const image::LibrarySet& set, std::string_view beginning) {
  return std::ranges::any_of(set.images, [&](const auto& image) { return needs(image->file, beginning); });
}

std::string mpi_of(const image::LibrarySet& set, const image::ProgramOptions& options) {
  for (const image::StandIn& stand_in : options.stand_ins)
    if (!stand_in.path.empty() && needs(set, stand_in.name))
      return stand_in.mpi + "'s (" + stand_in.name + "), which " + stand_in.path + " stands in for";
  if (needs(set, "libmpi_abi.so")) return "Skein's, or another with the standard ABI";
  const bool calls = std::ranges::any_of(
      set.images, [](const auto& image) { return image::LibraryRule::calls_mpi(image->file); });
  return calls ? "any with the standard ABI: no library is named" : "none is called at the start";
}

std::string language_of(const image::ElfFile& program, bool is_interpreter) {
  if (is_interpreter) return "Python";
  if (needs(program, "libgfortran")) return "Fortran";
  return needs(program, "libstdc++") || needs(program, "libc++") ? "C++" : "C";
}

/// Returns the name by which users refer to the library. A stand-in also has the name of what it stands in
/// for.
std::string name_of(const image::ElfFile& library, const image::ProgramOptions& options) {
  const bool stands_in =
      std::ranges::find(options.stand_ins, library.path, &image::StandIn::path) != options.stand_ins.end();
  return stands_in ? library.path.substr(library.path.rfind('/') + 1) : library.soname;
}

void print_line(const char* subject, const std::string& text) { printf("%-12s %s\n", subject, text.c_str()); }

}  // namespace

void describe_program(const std::string& program) {
  RunOptions run;
  run.program = resolve_program(program);
  follow_script(run);
  const image::ProgramOptions options = program_files(run);
  const image::LibraryRule rule(options.private_libraries, options.shared_libraries, options.stand_ins);
  const image::LibrarySet set = image::find_libraries(options.path, rule, options.preloaded_libraries);
  std::uint64_t code = 0, data = 0;
  std::string copies, shared;
  for (const auto& image : set.images) {
    for (const image::DataRun& part : image->file.data) data += part.bytes;
    data += image->file.tls.bytes;
    code += image->file.span;
    if (image != set.images.front()) copies += (copies.empty() ? "" : ", ") + name_of(image->file, options);
  }
  for (const std::string& path : set.shared)
    shared += (shared.empty() ? "" : ", ") + path.substr(path.rfind('/') + 1);
  const bool is_interpreter = options.path != run.program;
  print_line("program", is_interpreter
                            ? run.program + ", whose ranks run " + options.preloaded_libraries.back()
                            : set.images.front()->file.path);
  print_line("MPI", mpi_of(set, options));
  print_line("language", language_of(set.images.front()->file, is_interpreter));
  print_line("own copies", copies.empty() ? "of no library" : copies);
  print_line("of process", shared.empty() ? "what the launcher has" : shared);
  constexpr double kMegabyte = 1e6;
  print_line("a rank",
             format("%.1f MB of variables, which each has; %.1f MB with its code, which all share on a node",
                    static_cast<double>(data) / kMegabyte, static_cast<double>(code) / kMegabyte));
}

}  // namespace skein::launch
