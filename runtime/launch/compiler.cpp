// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/compiler.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "runtime/base/error.hpp"
#include "runtime/launch/build_info.hpp"
#include "runtime/launch/process.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::launch {
namespace {

using View = std::string_view;

template <std::size_t n>
bool is_any_of(View word, const View (&list)[n]) {
  return std::find(list, list + n, word) != list + n;
}

constexpr const char* kStubLibrary = "mpi_abi";

/// Flags of steps that end before the linker.
constexpr View kStopsEarly[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--precompile"};

/// Options whose value is the next word, which is then no input file.
constexpr View kTakesValue[] = {"-o",          "-x",
                                "-I",          "-L",
                                "-l",          "-D",
                                "-U",          "-J",
                                "-T",          "-u",
                                "-z",          "-e",
                                "-MF",         "-MT",
                                "-MQ",         "-include",
                                "-imacros",    "-isystem",
                                "-iquote",     "-idirafter",
                                "-B",          "-A",
                                "-G",          "-Xlinker",
                                "-Xassembler", "-Xpreprocessor",
                                "-aux-info",   "--param",
                                "-iprefix",    "-isysroot",
                                "-target"};

constexpr View kNotLoadable[] = {"-static", "--static", "-static-pie", "-no-pie", "-nopie"};
constexpr View kFixedAddressCode[] = {"-fno-pie", "-fno-PIE", "-fno-pic", "-fno-PIC"};
constexpr View kFreeAddressCode[] = {"-fpie", "-fPIE", "-fpic", "-fPIC"};

void refuse_fixed_addresses(std::span<const char* const> words) {
  View culprit, code_flag;
  for (View word : words) {
    if (is_any_of(word, kNotLoadable)) culprit = word;
    // The compiler obeys the last of these.
    if (is_any_of(word, kFixedAddressCode)) code_flag = word;
    if (is_any_of(word, kFreeAddressCode)) code_flag = View();
  }
  if (culprit.empty()) culprit = code_flag;
  if (!culprit.empty())
    throw Error(
        "skein: " + std::string(culprit) +
        " makes a program that works at one address only, but Skein loads it once for each rank; leave the "
        "flag out (position-independent executables are what compilers make by default), or use -fPIE -pie");
}

bool has_input(std::span<const char* const> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const View word = words[i];
    if (is_any_of(word, kTakesValue))
      ++i;
    else if (!word.starts_with('-') || word == "-" || word.starts_with("-l"))
      return true;
  }
  return false;
}

bool links(std::span<const char* const> words) {
  const bool stops =
      std::any_of(words.begin(), words.end(), [](View word) { return is_any_of(word, kStopsEarly); });
  return !stops && has_input(words);
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Returns the length of the option in a word in which its value follows.
std::size_t option_length(View word) {
  for (const View option : {"-I", "-L", "-Wl,"})
    if (word.starts_with(option)) return option.size();
  return 0;
}

/// Joins the words into one line for a shell. CMake's FindMPI, which reads it by regular expressions, knows
/// double quotes only, and these only around an option's value.
std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (word.find_first_of(" \t'\"\\$`&|;<>()*?#~") == std::string::npos) {
      line += word;
      continue;
    }
    const std::size_t option = option_length(word);
    line += word.substr(0, option) + '"';
    for (const char c : word.substr(option)) {
      if (View("\"\\$`").find(c) != View::npos) line += '\\';
      line += c;
    }
    line += '"';
  }
  return line + "\n";
}

struct LanguageInfo {
  const char* name;
  const char* wrapper;
  const char* variable;
  const char* compiler;
};

LanguageInfo info_of(Language language) {
  switch (language) {
    case Language::c:
      return {"C", "skeincc", "SKEIN_CC", build_info::kCCompiler};
    case Language::cxx:
      return {"C++", "skeincxx", "SKEIN_CXX", build_info::kCxxCompiler};
    case Language::fortran:
      return {"Fortran", "skeinfc", "SKEIN_FC", build_info::kFortranCompiler};
  }
  __builtin_unreachable();
}

}  // namespace

std::vector<std::string> Toolchain::include_dirs(Language language) const {
  std::vector<std::string> dirs{include_dir + "/skein/mpi"};
  if (language == Language::fortran) dirs.push_back(library_dir + "/skein/fortran");
  return dirs;
}

std::vector<std::string> Toolchain::compile_flags(Language language) const {
  std::vector<std::string> flags = include_dirs(language);
  for (std::string& flag : flags) flag.insert(0, "-I");
  return flags;
}

std::vector<std::string> Toolchain::link_flags() const {
  return {"-L" + library_dir, "-Wl,-rpath," + library_dir, std::string("-l") + kStubLibrary};
}

Toolchain own_toolchain(Language language) {
  const std::filesystem::path folder = std::filesystem::path(own_path()).parent_path();
  const LanguageInfo info = info_of(language);
  const char* chosen = getenv(info.variable);
  Toolchain toolchain;
  toolchain.compiler = split_words(chosen ? chosen : "");
  if (toolchain.compiler.empty()) toolchain.compiler = {info.compiler};
  toolchain.include_dir = (folder / build_info::kIncludeDir).lexically_normal();
  toolchain.library_dir = (folder / build_info::kLibraryDir).lexically_normal();
  return toolchain;
}

namespace {

constexpr View kStepRequests[] = {"-show",         "-showme",    "--showme",  "-compile-info",
                                  "-compile_info", "-link-info", "-link_info"};

bool is_request(View word) {
  return is_any_of(word, kStepRequests) || word.starts_with("-showme:") || word.starts_with("--showme:");
}

/// Answers a request of MPICH's wrappers, or Open MPI's without a subject: the command of a step, or of all.
std::string show_step(const Toolchain& toolchain, Language language, View request,
                      const std::vector<std::string>& own_words, bool with_link) {
  std::vector<std::string> shown = toolchain.compiler;
  append(shown, own_words);
  if (!request.starts_with("-link")) append(shown, toolchain.compile_flags(language));
  if (!request.starts_with("-compile") && with_link) append(shown, toolchain.link_flags());
  return shell_line(shown);
}

/// Answers a request of Open MPI's wrappers: --showme:<subject>.
std::string show_subject(const Toolchain& toolchain, Language language, View subject) {
  if (subject == "command") return shell_line(toolchain.compiler);
  if (subject == "compile") return shell_line(toolchain.compile_flags(language));
  if (subject == "link") return shell_line(toolchain.link_flags());
  if (subject == "incdirs") return shell_line(toolchain.include_dirs(language));
  if (subject == "libdirs") return shell_line({toolchain.library_dir});
  if (subject == "libs") return shell_line({kStubLibrary});
  const LanguageInfo info = info_of(language);
  if (subject == "version")
    return format("%s: Skein %s (Language: %s)\n", info.wrapper, build_info::kVersion, info.name);
  constexpr const char* known =
      "-show, -compile-info, -link-info and --showme[:SUBJECT] with the subjects command, compile, link, "
      "incdirs, libdirs, libs, version and help";
  if (subject == "help")
    return format("%s [REQUEST] WORD...: the compiler, with what MPI needs. Requests: %s\n", info.wrapper,
                  known);
  constexpr View subjects[] = {"command", "compile", "link", "incdirs", "libdirs", "libs", "version", "help"};
  throw Error("skein: unknown request --showme:" + std::string(subject) +
              lb::did_you_mean(subject, subjects) + "; known are " + known);
}

}  // namespace

CompilerAction compiler_action(const Toolchain& toolchain, Language language,
                               std::span<const char* const> words) {
  std::vector<std::string> kept;
  View request;
  for (View word : words) {
    if (is_request(word))
      request = word;
    else
      kept.emplace_back(word);
  }
  if (!request.empty()) {
    const std::size_t colon = request.find(':');
    if (colon != View::npos) return {{}, show_subject(toolchain, language, request.substr(colon + 1))};
    return {{}, show_step(toolchain, language, request, kept, links(words) || !has_input(words))};
  }
  refuse_fixed_addresses(words);
  CompilerAction action{toolchain.compiler, {}};
  append(action.command, toolchain.compile_flags(language));
  append(action.command, kept);
  if (links(words)) append(action.command, toolchain.link_flags());
  return action;
}

int run_compiler(Language language, std::span<const char* const> words) {
  const CompilerAction action = compiler_action(own_toolchain(language), language, words);
  if (action.command.empty()) {
    fputs(action.text.c_str(), stdout);
    return 0;
  }
  replace_process(action.command);
  throw Error(format("skein: cannot start the compiler '%s': %s; set %s", action.command[0].c_str(),
                     strerror(errno), info_of(language).variable));
}

}  // namespace skein::launch
