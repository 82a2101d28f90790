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

namespace skein::launch {
namespace {

using View = std::string_view;

template <std::size_t n>
bool is_any_of(View word, const View (&list)[n]) {
  return std::find(list, list + n, word) != list + n;
}

// Steps that end before the linker.
constexpr View stops_early[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--precompile"};

// Options whose value is the next word: that word is no input file.
constexpr View takes_value[] = {"-o",          "-x",
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

constexpr View not_loadable[] = {"-static", "--static", "-static-pie", "-no-pie", "-nopie"};
constexpr View fixed_address_code[] = {"-fno-pie", "-fno-PIE", "-fno-pic", "-fno-PIC"};
constexpr View free_address_code[] = {"-fpie", "-fPIE", "-fpic", "-fPIC"};

void refuse_fixed_addresses(std::span<const char* const> words) {
  View culprit, code_flag;
  for (View word : words) {
    if (is_any_of(word, not_loadable)) culprit = word;
    // Of these, the compiler obeys the last.
    if (is_any_of(word, fixed_address_code)) code_flag = word;
    if (is_any_of(word, free_address_code)) code_flag = View();
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
    if (is_any_of(word, takes_value))
      ++i;
    else if (!word.starts_with('-') || word == "-" || word.starts_with("-l"))
      return true;
  }
  return false;
}

bool links(std::span<const char* const> words) {
  const bool stops =
      std::any_of(words.begin(), words.end(), [](View word) { return is_any_of(word, stops_early); });
  return !stops && has_input(words);
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The words as one line for a shell (and for CMake, which splits it like one).
std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (word.find_first_of(" \t'\"\\$`&|;<>()*?#~") == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line + "\n";
}

struct LanguageInfo {
  const char* variable;
  const char* compiler;
};

LanguageInfo info_of(Language language) {
  switch (language) {
    case Language::c:
      return {"SKEIN_CC", build_info::c_compiler};
    case Language::cxx:
      return {"SKEIN_CXX", build_info::cxx_compiler};
    case Language::fortran:
      return {"SKEIN_FC", build_info::fortran_compiler};
  }
  __builtin_unreachable();
}

}  // namespace

std::vector<std::string> Toolchain::compile_flags(Language language) const {
  std::vector<std::string> flags{"-I" + include_dir + "/skein/mpi"};
  if (language == Language::fortran) flags.push_back("-I" + library_dir + "/skein/fortran");
  return flags;
}

std::vector<std::string> Toolchain::link_flags() const {
  return {"-L" + library_dir, "-Wl,-rpath," + library_dir, "-lmpi_abi"};
}

Toolchain own_toolchain(Language language) {
  const std::filesystem::path folder = std::filesystem::path(own_path()).parent_path();
  const LanguageInfo info = info_of(language);
  const char* chosen = getenv(info.variable);
  Toolchain toolchain;
  toolchain.compiler = split_words(chosen ? chosen : "");
  if (toolchain.compiler.empty()) toolchain.compiler = {info.compiler};
  toolchain.include_dir = (folder / build_info::include_dir).lexically_normal();
  toolchain.library_dir = (folder / build_info::library_dir).lexically_normal();
  return toolchain;
}

CompilerAction compiler_action(const Toolchain& toolchain, Language language,
                               std::span<const char* const> words) {
  std::vector<std::string> kept, wanted;
  for (View word : words) {
    const bool asks = word == "-show" || word.starts_with("-showme") || word.starts_with("--showme") ||
                      word == "-compile-info" || word == "-compile_info" || word == "-link-info" ||
                      word == "-link_info";
    (asks ? wanted : kept).emplace_back(word);
  }
  const std::vector<std::string> compile = toolchain.compile_flags(language);
  const std::vector<std::string> link = toolchain.link_flags();
  if (!wanted.empty()) {
    const View question = wanted.back();
    std::vector<std::string> shown;
    if (question.ends_with(":compile")) {
      shown = compile;
    } else if (question.ends_with(":link")) {
      shown = link;
    } else if (question.find(':') != View::npos) {
      throw Error(
          "skein: unknown request " + wanted.back() +
          "; known are --showme, --showme:compile, --showme:link, -show, -compile-info and -link-info");
    } else {
      shown = toolchain.compiler;
      append(shown, kept);
      if (!question.starts_with("-link")) append(shown, compile);
      if (!question.starts_with("-compile") && (links(words) || !has_input(words))) append(shown, link);
    }
    return {{}, shell_line(shown)};
  }
  refuse_fixed_addresses(words);
  CompilerAction action{toolchain.compiler, {}};
  append(action.command, compile);
  append(action.command, kept);
  if (links(words)) append(action.command, link);
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
