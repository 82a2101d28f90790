#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_names_test.py CHECK: tests the messages of check_names.py about two source files that are compiled as
one."""
import json
import os
import subprocess
import sys
import tempfile

ONE = """// int commented();
namespace skein {
namespace {
constexpr int limit = 3;
struct Entry {
  int value;
};
using Text = const char*;
using Number = int;
int clash(int first, const char* second);
int overloaded(int first);
template <class T>
T of_any(const T& value) {
  return value;
}
}  // namespace
int shared(int value) {
  int limits = limit;
  return limits;
}
static int stands_alone() { return 1; }
}  // namespace skein
#define AGAIN 1
#define GONE 1
#undef GONE
"""
OTHER = """namespace skein {
namespace {
const double limit = 0.5;
class Entry {};
using Text = const char*;
using Number = long;
int clash(int other,
          const char* names = "x") { return other; }
int overloaded(double first);
template <class U>
U of_any(const T& other) {
  return other;
}
int commented();
}  // namespace
static int stands_alone() { return 2; }
namespace inner {
namespace {
int apart();
}
}  // namespace inner
}  // namespace skein
#define AGAIN 2
#define GONE 2
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("one.cpp", "other.cpp")]
        for path, text in zip(paths, (ONE, OTHER)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        # The files are in batches that do not meet today, but may tomorrow.
        commands = []
        os.makedirs(os.path.join(folder, "Unity"))
        for number, path in enumerate(paths):
            unit = os.path.join(folder, f"Unity/unity_{number}_cxx.cxx")
            commands.append({"file": unit})
            with open(unit, "w", encoding="utf-8") as file:
                file.write(f'#include "{path}"\n')
        with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(commands, file)
        run = subprocess.run([sys.executable, "-B", sys.argv[1], folder], stdout=subprocess.PIPE, text=True, check=False)
        said = {line.split(": ")[1].split(" ")[0] for line in run.stdout.splitlines()}
    expected = {"limit", "Entry", "Number", "clash", "of_any", "stands_alone", "AGAIN"}
    if said != expected or run.returncode != 1:
        sys.exit(f"clashes: {sorted(said)}, and there are {sorted(expected)}; status {run.returncode}\n{run.stdout}")


main()
