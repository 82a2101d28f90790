#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/soak.py [--minutes M] [--build BUILD] [--seed N]: runs tests that take too long for each change; start it when there is
time. For M minutes (default 10) it kills processes of jobs at random moments, of ranks and of a native program in turn
(tests/job/checkpoint/survive.py); moves all ranks of the test programs at random at each sync point, one program after the other
(tests/job/programs/moved.sh); and feeds the fuzzers (tests/fuzz/). It always continues with the kind that is furthest from its
goal: 1,000 kills, 10^6 moves, 10^7 inputs. BUILD (default build) is a build directory with all tests built, or a copy of one.

Counts add up from call to call in BUILD/soak/counts.json, beside the findings of fuzzers. All draws come from the seed (default:
the seed of the last call plus one). A line reports each failure, with its seed and the file that has its output. Exit status 1 if
anything failed, 2 if it cannot start."""
import argparse
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

GOALS = {"kills": 1000, "moves": 10**6, "inputs": 10**7}
KILLS_AT_ONCE, FUZZ_S, PATIENCE_S = 8, 30, 1200
here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--minutes", type=float, default=10)
parser.add_argument("--build", default=os.path.join(here, "..", "build"))
parser.add_argument("--seed", type=int)
given = parser.parse_args()
build = os.path.abspath(given.build)
skein, folder = f"{build}/bin/skein", f"{build}/soak"
if not os.access(skein, os.X_OK):
    print(f"tests/soak.py: {skein} is not built", file=sys.stderr)
    sys.exit(2)
os.makedirs(folder, exist_ok=True)
counts_file = f"{folder}/counts.json"
counts = {"kills": 0, "moves": 0, "inputs": 0, "jobs": 0, "programs": 0, "failures": 0, "seed": 0}
if os.path.exists(counts_file):
    counts.update(json.load(open(counts_file)))
counts["seed"] = counts["seed"] + 1 if given.seed is None else given.seed
draw = random.Random(counts["seed"])
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", PATIENCE_S=str(PATIENCE_S // 4))
failures = 0


def attempt(what, command, variables={}):
    """Runs the command. Returns its output; None if it failed."""
    global failures
    out = f"{folder}/last.out"
    with open(out, "w") as file:
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, timeout=PATIENCE_S,
                                  cwd=folder, env={**os.environ, **variables}).returncode
        except subprocess.TimeoutExpired:
            done = "out of time"
    if done == 0:
        return open(out, errors="replace").read()
    failures += 1
    counts["failures"] += 1
    kept = f"{folder}/failed-{counts['failures']}.out"
    shutil.copy(out, kept)
    print(f"FAILED ({done}): {what}; {kept} has what it said: {' '.join(command)}", flush=True)
    return None


def kill():
    seed, native = draw.randrange(1 << 30), counts["jobs"] % 2
    program = "native_states" if native else "continued"
    said = attempt(f"kills of seed {seed}", [sys.executable, "-B", f"{here}/job/checkpoint/survive.py", skein,
                                            f"{build}/tests/job/checkpoint/{program}", "native" if native else "7",
                                            str(KILLS_AT_ONCE), str(seed)])
    counts["jobs"] += 1
    counts["kills"] += sum(map(int, re.findall(r": (\d+)", re.search(r"^\{.*\}", said, re.M).group(0)))) if said else 0


def moved_programs():
    """Returns the commands of the tests of moved programs, from CTest."""
    told = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout
    was = re.search(r"^CMAKE_CACHEFILE_DIR:INTERNAL=(.*)$", open(f"{build}/CMakeCache.txt").read(), re.M).group(1)
    commands = [test.get("command", [""]) for test in json.loads(told)["tests"]]
    return [[f"{here}/job/programs/moved.sh", *(word.replace(was, build) for word in command[1:])]
            for command in commands if command[0].endswith("/moved.sh")]


def move():
    command = programs[counts["programs"] % len(programs)]
    counts["programs"] += 1
    seed = draw.randrange(1 << 30)
    said = attempt(f"moves of seed {seed}", command, {"SKEIN_SEED": str(seed)})
    counts["moves"] += sum(map(int, re.findall(r"^(\d+) ranks moved$", said, re.M))) if said else 0


def fuzz():
    fuzzer, seed = draw.choice(fuzzers), draw.randrange(1, 1 << 30)
    inputs = f"{folder}/inputs"
    shutil.rmtree(inputs, ignore_errors=True)
    os.mkdir(inputs)
    said = attempt(f"inputs of seed {seed}", [fuzzer, inputs, f"-seed={seed}", f"-max_total_time={FUZZ_S}", "-max_len=4096",
                                             "-rss_limit_mb=1024", "-timeout=60"])
    counts["inputs"] += sum(map(int, re.findall(r"^Done (\d+) runs", said, re.M))) if said else 0


programs = moved_programs()
fuzzers = sorted(path for path in glob.glob(f"{build}/tests/fuzz/*_fuzz") if os.access(path, os.X_OK))
kinds = {"kills": kill, "moves": move, "inputs": fuzz}
if not programs or not fuzzers:
    print(f"tests/soak.py: {len(programs)} tests of moved programs and {len(fuzzers)} fuzzers in {build}", file=sys.stderr)
    sys.exit(2)
until = time.monotonic() + 60 * given.minutes
while time.monotonic() < until:
    kinds[min(GOALS, key=lambda kind: counts[kind] / GOALS[kind])]()
    with open(counts_file + ".new", "w") as file:
        json.dump(counts, file)
    os.rename(counts_file + ".new", counts_file)
print(f"seed {counts['seed']}; since the first call:", ", ".join(f"{counts[kind]:,} {kind} of {GOALS[kind]:,}" for kind in GOALS) +
      f"; {counts['programs']} tests of {len(programs)} moved programs, {counts['failures']} failures")
sys.exit(failures > 0)
