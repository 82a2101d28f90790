# SPDX-License-Identifier: Apache-2.0
"""What shows that an option of a command does something: a row for each, by its long name.

  Case(base, with)         the command with the words `base`, and with `with` in addition, tell different things:
                           status, output, or what is in the files that are written; RESULT is one of these
  Case(..., see=f)         what is looked at, of Told, where the rest differs from run to run
  Elsewhere(test, ...)     the test of that name in this repository shows it, whose text has the option
  Nothing()                the help says that it does nothing: it is accepted for the sake of scripts
  Refused()                the help says that it is refused

Files that are read: TRACE of 8 ranks, COARSE of 4, PAIR of 8 on two PEs, LOADS of several phases, MAP, MACHINE and
others of files.py.
"""
from dataclasses import dataclass, field
from typing import Callable, Optional


@dataclass
class Case:
    base: str
    words: str
    see: Optional[Callable] = None
    instead: str = ""  # words of `base` that `words` replaces
    variables: dict = field(default_factory=dict)


@dataclass
class Elsewhere:
    test: str


class Nothing:
    pass


class Refused:
    pass


JOB = "-p 1 -n 4"
BALANCED = "--lb greedy --lb-period 2 --lb-report RESULT"


def report_head(told):
    """Returns the PEs and the placement of ranks in the report of --lb-report."""
    job = told.json_lines[0]["job"]
    return job["pes"], job["placement"]


def moves(told):
    return [line.get("moves") for line in told.json_lines]


def step_points(told):
    return len(told.json_lines)


ON = "TRACE --platform MACHINE"
MOVED = ON + " --lb greedy --lb-period 3 --alone"
TRIED = ON + " --strategies none,greedy --periods 3 --pes 4"

SIMULATE = {
    "--pe-speed": Elsewhere("tests/unit/tools/simulate_command_test.cpp"),
    "--platform": Case(ON + " --alone", "--platform SLOW", instead="--platform MACHINE"),
    "--recorded-on": Case("PAIR --platform MACHINE", "--recorded-on CONTENDED", lambda told: told.makespan),
    "--pes": Case(ON, "--pes 2"),
    "--engine": Case("TRACE --platform NETWORK", "--engine simgrid"),
    "--lb-memory": Case(MOVED, "--lb-memory 1K"),
    "--lb": Case(ON + " --lb-period 3", "--lb greedy"),
    "--lb-period": Case(ON + " --lb greedy", "--lb-period 3"),
    "--lb-mode": Case(MOVED, "--lb-mode decoupled:reserved"),
    "--lb-model": Case(ON + " --lb greedy --lb-period 1 --alone", "--lb-model average:n=8"),
    "--map": Case(ON + " --pes 4", "--map round-robin", lambda told: told.makespan),
    "--wildcards": Case(ON + " --pes 8", "--wildcards arrival", lambda told: told.makespan),
    "--part-ghosts": Elsewhere("tests/unit/tools/simulate_command_test.cpp"),
    "--points": Case(ON, "--points 4", lambda told: told.makespan),
    "--seed": Case(ON + " --lb random --lb-period 2 --alone", "--seed 5", lambda told: told.makespan),
    "--alone": Case(ON + " --lb greedy --lb-period 3", "--alone"),
    "--bursts": Case(ON + " --json", "--bursts"),
    "--critical-path": Case(ON, "--critical-path"),
    "--what-if": Case(ON, "--what-if 'rank 0=2'"),
    "--trace": Case(ON, "--trace RESULT"),
    "--json": Case(ON, "--json"),
    "--platform-xml": Case(ON, "--platform-xml RESULT"),
    "--output": Case(ON, "-o RESULT"),
}

TUNE = {
    "--pe-speed": Elsewhere("tests/unit/tools/tune_command_test.cpp"),
    "--platform": Case(TRIED, "--platform SLOW", instead="--platform MACHINE"),
    "--recorded-on": Case("PAIR --platform MACHINE --strategies none --pes 4", "--recorded-on CONTENDED", lambda told: told.times),
    "--engine": Case("TRACE --platform NETWORK --strategies none --pes 2,4", "--engine simgrid --json"),
    "--lb-memory": Case(TRIED, "--lb-memory 1K"),
    "--strategies": Case(ON + " --periods 3 --pes 4", "--strategies none,refine"),
    "--periods": Case(ON + " --strategies greedy --pes 4", "--periods 3"),
    "--lb-mode": Case(TRIED, "--lb-mode decoupled:reserved"),
    "--pes": Case(ON + " --strategies none", "--pes 3"),
    "--grid": Case(TRIED, "--grid 4x2 --to 2x2"),
    "--to": Case(TRIED + " --grid 4x2 --to 2x2", "--to 4x1", instead="--to 2x2"),
    "--cells": Case(TRIED + " --grid 4x2 --to 2x2", "--cells 6x2", lambda told: told.times),
    "--seeds": Case("TRACE --platform NOISY --strategies none --pes 4", "--seeds 3"),
    "--lb-model": Case(ON + " --strategies greedy --periods 1 --pes 4", "--lb-model average:n=8", lambda told: told.times),
    "--map": Case(TRIED, "--map round-robin", lambda told: told.times),
    "--wildcards": Case(ON + " --strategies none --pes 8", "--wildcards arrival", lambda told: told.times),
    "--points": Case(TRIED, "--points 4", lambda told: told.times),
    "--seed": Case("TRACE --platform NOISY --strategies none --pes 4", "--seed 5", lambda told: told.times),
    "--whole": Case(ON + " --strategies greedy,refine,greedy-refine,random,rotate --periods 1,2 --pes 1,2,3,4,5,6,7,8", "--whole"),
    "--budget": Case(TRIED, "--budget 1e-9"),
    "--jobs": Case(ON + " --pes 1,2,3,4,5,6,7,8 --whole", "--jobs 1", lambda told: told.most_tasks > 2, instead="--jobs 6"),
    "--json": Case(TRIED, "--json"),
    "--output": Case(TRIED, "-o RESULT"),
}

COMPARED = "compare LOADS --strategies greedy,refine"
GENERATED = "generate mesh2d --objects 20 --pes 4 -o RESULT"

LB = {
    "--phase": Case("metrics LOADS", "--phase 0"),
    "--lb-model": Case("metrics LOADS", "--lb-model average:n=3"),
    "--pes": Case("metrics LOADS", "--pes 4"),
    "--strategies": Case("compare LOADS", "--strategies greedy"),
    "--strategy": Case("apply LOADS -o RESULT", "--strategy greedy"),
    "--seed": Case(GENERATED, "--seed 5"),
    "--steps": Case(COMPARED, "--steps 3", lambda told: told.times),
    "--move-object": Case(COMPARED, "--move-object 1", lambda told: told.times),
    "--move-byte": Case(COMPARED, "--move-byte 1", lambda told: told.times),
    "--message": Case(COMPARED, "--message 1", lambda told: told.times),
    "--message-byte": Case(COMPARED, "--message-byte 1", lambda told: told.times),
    "--objects": Case(GENERATED, "--objects 30"),
    "--pes-per-node": Case(GENERATED, "--pes-per-node 2"),
    "--output": Case("apply LOADS --strategy greedy", "-o RESULT"),
    "--json": Case("metrics LOADS", "--json"),
}

COARSENED = "coarsen TRACE -o RESULT"
EXPORTED = "export TRACE --format ti -o RESULT"

TRACE = {
    "--json": Case("info TRACE", "--json"),
    "--grid": Case(COARSENED, "--grid 4x2 --to 2x2"),
    "--to": Case(COARSENED + " --grid 4x2", "--to 2x2"),
    "--cells": Case(COARSENED + " --grid 4x2 --to 2x2", "--cells 6x2"),
    "--map": Case(COARSENED, "--map MAP"),
    "--calibrate-with": Case(COARSENED + " --grid 4x2 --to 2x1", "--calibrate-with COARSE"),
    "--calibrate-grid": Case(COARSENED + " --grid 4x2 --to 2x1 --calibrate-with COARSE", "--calibrate-grid 4x1"),
    "--output": Case("export TRACE --format ti", "-o RESULT"),
    "--format": Case("export TRACE -o RESULT", "--format ti"),
    "--flops": Case(EXPORTED, "--flops 2e9"),
    "--collectives": Case("export WORLD --format ti -o RESULT", "--collectives messages"),
    "--migrate": Case(EXPORTED, "--migrate"),
}

REPORT = {
    "--output": Case("TRACE", "-o RESULT"),
    "--title": Case("TRACE -o RESULT", "--title Named"),
}

CALIBRATE = {
    "--output": Elsewhere("tests/job/launch/calibrate.sh"),
    "--name": Elsewhere("tests/job/launch/calibrate.sh"),
    "--pes": Elsewhere("tests/job/launch/calibrate.sh"),
    "--start": Elsewhere("tests/job/two_nodes/calibrate.sh"),
    "--no-decisions": Elsewhere("tests/job/two_nodes/calibrate.sh"),
}

CHECKPOINT = {
    "--json": Elsewhere("tests/job/checkpoint/wrong.py"),
}

RUN = {
    "--pes": Case("-p 1 -n 4 --lb-report RESULT --lb-period 6 PROGRAM", "-p 2", report_head),
    "--ranks": Case(JOB + " PROGRAM 1", "-n 3"),
    "--map": Case("-p 2 -n 4 --lb-report RESULT --lb-period 6 PROGRAM", "--map round-robin", report_head),
    "--bind": Case("-p 2 -n 4 PROGRAM 1", "--bind none"),
    "--transport": Elsewhere("tests/job/growth/CMakeLists.txt"),
    "--aggregation-grid": Elsewhere("tests/job/native/CMakeLists.txt"),
    "--lb": Case("-p 2 -n 4 --lb-period 2 --lb-report RESULT PROGRAM", "--lb rotate", moves),
    "--lb-mode": Elsewhere("tests/job/lb_mode/auto.sh"),
    "--lb-period": Case("-p 2 -n 4 --lb rotate --lb-report RESULT PROGRAM", "--lb-period 3", step_points),
    "--lb-report": Case("-p 2 -n 4 --lb rotate --lb-period 3 PROGRAM", "--lb-report RESULT", lambda told: bool(told.files)),
    "--pe-speed": Elsewhere("tests/job/pe_speed/pe_speed.py"),
    "--threads": Elsewhere("tests/job/programs/threads_wanted.sh"),
    "--lb-memory": Elsewhere("tests/job/programs/dump.py"),
    "--lb-dump": Case("-p 2 -n 4 --lb-period 3 PROGRAM", "--lb-dump RESULT", lambda told: bool(told.files)),
    "--lb-model": Elsewhere("tests/job/programs/dump.py"),
    "--sync-at": Elsewhere("tests/job/launch/sync_at.sh"),
    "--lb-load": Elsewhere("tests/job/programs/dump.py"),
    "--papi": Elsewhere("tests/job/programs/events.sh"),
    "--seed-balancer": Elsewhere("tests/job/native/"),
    "--arena": Elsewhere("tests/job/trace/memory.py"),
    "--slot-size": Elsewhere("tests/job/bad_input/bad_input.sh"),
    "--stack-size": Elsewhere("tests/job/native/wrong.sh"),
    "--huge-pages": Elsewhere("tests/job/programs/CMakeLists.txt"),
    "--eager-memory": Elsewhere("tests/job/programs/CMakeLists.txt"),
    "--private": Elsewhere("tests/unit/image/"),
    "--shared": Elsewhere("tests/unit/image/"),
    "--checkpoint": Elsewhere("tests/job/checkpoint/restart.py"),
    "--restart": Elsewhere("tests/job/checkpoint/restart.py"),
    "--survive": Elsewhere("tests/job/checkpoint/survive.py"),
    "--deterministic": Elsewhere("tests/job/native/ordered.sh"),
    "--trace": Case(JOB + " PROGRAM 1", "--trace RESULT", lambda told: bool(told.files)),
    "--seed": Elsewhere("tests/job/programs/moved.sh"),
    "--preload": Elsewhere("tests/job/programs/CMakeLists.txt"),
    "--check": Elsewhere("tests/job/check/check.sh"),
    "--deadlock-after": Elsewhere("tests/job/programs/CMakeLists.txt"),
    "--progress": Elsewhere("tests/job/launch/progress.py"),
    "--quiet": Case("-p 2 -n 4 --lb rotate --lb-period 3 PROGRAM", "-q", lambda told: bool(told.errors)),
    "--verbose": Case("-p 2 -n 4 --lb auto --lb-period 6 PROGRAM", "-v", lambda told: len(told.errors.splitlines()) > 6),
}

EXEC = {
    "-n": Case("-n 4 PROGRAM 1", "-n 3"),
    "-x": Case("-n 2 PROGRAM 1", "-x TEST_SAID=yes"),
    "--env": Case("-n 2 PROGRAM 1", "--env TEST_SAID yes"),
    "--wdir": Case("-n 2 ./program 1", "--wdir FOLDER"),
    "--path": Case("-n 2 deeper 1", "--path DEEPER"),
    "--host": Elsewhere("tests/unit/launch/exec_options_test.cpp"),
    "--hostfile": Case("-n 2 PROGRAM 1", "--hostfile /no/file", lambda told: told.status),
    "--bind-to": Elsewhere("tests/unit/launch/exec_options_test.cpp"),
    "--quiet": Case("-n 4 PROGRAM", "-q", lambda told: bool(told.errors), variables={"SKEIN_LB": "rotate", "SKEIN_LB_PERIOD": "6"}),
}

COMMANDS = {"run": RUN, "exec": EXEC, "lb": LB, "trace": TRACE, "simulate": SIMULATE, "tune": TUNE, "report": REPORT,
            "calibrate": CALIBRATE, "checkpoint": CHECKPOINT}
