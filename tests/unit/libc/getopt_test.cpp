// SPDX-License-Identifier: Apache-2.0
// Oracle: the C library's getopt family, on random command lines. The functions under test are compiled into
// this program under names of their own (see CMakeLists.txt).
#include <doctest/doctest.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

extern "C" {
extern char* private_optarg;
extern int private_optind, private_opterr, private_optopt;
int private_getopt(int, char* const[], const char*);
int private_getopt_long(int, char* const[], const char*, const option*, int*);
int private_getopt_long_only(int, char* const[], const char*, const option*, int*);
}

namespace {

enum class Form { plain, with_long, long_only };

struct Getopt {
  char** optarg;
  int *optind, *opterr, *optopt;
  int (*plain)(int, char* const[], const char*);
  int (*with_long)(int, char* const[], const char*, const option*, int*);
  int (*long_only)(int, char* const[], const char*, const option*, int*);
};
const Getopt theirs{&optarg, &optind, &opterr, &optopt, getopt, getopt_long, getopt_long_only};
const Getopt ours{&private_optarg, &private_optind,     &private_opterr,         &private_optopt,
                  private_getopt,  private_getopt_long, private_getopt_long_only};

/// Returns everything that a caller can see, in words.
std::string transcript(const Getopt& under_test, Form form, std::vector<std::string> arguments,
                       const char* short_options, const option* long_options, int* flag, int messages) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int argc = static_cast<int>(arguments.size());
  char* text = nullptr;
  std::size_t length = 0;
  FILE* const terminal = stderr;
  stderr = open_memstream(&text, &length);
  std::ostringstream seen;
  *under_test.optind = 0;
  *under_test.opterr = messages;
  for (int call = 0; call < 40; ++call) {
    int index = -1;
    *flag = -1;
    const int result = form == Form::plain ? under_test.plain(argc, argv.data(), short_options)
                       : form == Form::with_long
                           ? under_test.with_long(argc, argv.data(), short_options, long_options, &index)
                           : under_test.long_only(argc, argv.data(), short_options, long_options, &index);
    const char* argument = *under_test.optarg;
    seen << result << " optind " << *under_test.optind << " index " << index << " flag " << *flag
         << " optarg " << (argument ? argument : "(none)");
    if (result == '?' || result == ':') seen << " optopt " << *under_test.optopt;
    seen << '\n';
    if (result == -1) break;
  }
  for (int i = 0; i < argc; ++i) seen << argv[static_cast<std::size_t>(i)] << ' ';
  fclose(stderr);
  stderr = terminal;
  seen << '\n' << std::string(text, length);
  free(text);
  return seen.str();
}

/// Returns how many of `cases` random command lines give different results; prints the first one.
int differences(Form form, int cases, unsigned seed) {
  std::mt19937 random(seed);
  int flag = 0;
  const option long_options[] = {
      {"alpha", no_argument, nullptr, 'a'},      {"alphabet", required_argument, nullptr, 1000},
      {"beta", required_argument, nullptr, 'b'}, {"beam", optional_argument, nullptr, 1001},
      {"gamma", no_argument, &flag, 7},          {"same-one", no_argument, nullptr, 'c'},
      {"same-two", no_argument, nullptr, 'c'},   {"c", required_argument, nullptr, 1002},
      {"vx", no_argument, nullptr, 1003},        {nullptr, 0, nullptr, 0}};
  const char* const forms[] = {"ab:c::d",   "+ab:c::d", "-ab:c::d", ":ab:c::d", "+:ab:c::d",
                               "-:ab:c::d", "",         "ab:W;",    ":W;a",     "vb:"};
  const std::vector<std::string> pool = {
      "file",     "-",         "--",    "-a",     "-b",       "-bvalue", "-c",        "-cvalue",    "-d",
      "-ad",      "-adb",      "-abx",  "-x",     "-axd",     "--alpha", "--alph",    "--alphabet", "--al",
      "--beta",   "--beta=5",  "--be",  "--beam", "--beam=9", "--gamma", "--gamma=1", "--g",        "--same",
      "--same-o", "--nothing", "--n=5", "-alpha", "-beta",    "-beta=3", "-c=4",      "-Walpha",    "-W",
      "-Wbeta=2", "-Wnothing", "-:",    "-a:",    "other",    "x",       "--=",       "-be",        "-g",
      "-vx",      "-v",        "--v",   "-same",  "-Wal",     "-;",      "-beam"};
  int different = 0;
  for (int i = 0; i < cases; ++i) {
    std::vector<std::string> arguments = {"program"};
    for (auto n = random() % 8; n-- > 0;) arguments.push_back(pool[random() % pool.size()]);
    const char* short_options = forms[random() % std::size(forms)];
    const int messages = random() % 4 != 0;
    const std::string expected =
        transcript(theirs, form, arguments, short_options, long_options, &flag, messages);
    const std::string got = transcript(ours, form, arguments, short_options, long_options, &flag, messages);
    if (got == expected) continue;
    std::ostringstream line;
    for (const std::string& argument : arguments) line << argument << ' ';
    if (different++ == 0) MESSAGE(short_options, " | ", line.str(), "\nexpected\n", expected, "got\n", got);
  }
  return different;
}

}  // namespace

TEST_CASE("getopt: as the C library's on 20000 random command lines") {
  CHECK(differences(Form::plain, 20000, 1) == 0);
}
TEST_CASE("getopt_long: as the C library's on 20000 random command lines") {
  CHECK(differences(Form::with_long, 20000, 2) == 0);
}
TEST_CASE("getopt_long_only: as the C library's on 20000 random command lines") {
  CHECK(differences(Form::long_only, 20000, 3) == 0);
}

TEST_CASE("getopt: POSIXLY_CORRECT stops it at the first operand") {
  setenv("POSIXLY_CORRECT", "1", 1);
  CHECK(differences(Form::plain, 2000, 4) == 0);
  CHECK(differences(Form::with_long, 2000, 5) == 0);
  unsetenv("POSIXLY_CORRECT");
}
