#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The messages that PEs send and receive grow no more than logarithmically with the number of PEs.

  growth.py PES,PES,... elements|gossip COMMAND...
  growth.py PES,PES,... CASE COMMAND...

COMMAND starts a program of elements (growth.cpp) on at most as many processes as PEs, which makes all jobs in one run; or a
program of ranks (ranks.c), once for each number of PEs, with {pes} for that number, {ranks} for four times as many, {what} and
{times} for the program's arguments. The PEs write their counts (SKEIN_MESSAGE_COUNTS) by kind of message; nothing is timed.

Where messages go along the tree over all PEs, the law is exact: a PE on one node has a parent and at most four children.
Messages that depend on when others meet (contributions, questions that are joined on the way) may come from each neighbour
log2 PEs times; flat, they would come once from each PE. Other laws compare with the fewest PEs: f(P) <= slack f(P0)
(log P / log P0)^k. The slack covers sums that are repeated until all messages have arrived.
"""
import contextlib
import math
import os
import subprocess
import sys
import tempfile

NEIGHBOURS = 5
SLACK = 1.5
QUIESCENCE = ("quiescence-question", "quiescence-answer", "quiescence-order")


def start(words, **environment):
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment})
    if done.returncode != 0 or "passed" not in done.stdout:
        sys.exit(f"exit status {done.returncode}: {' '.join(words)}\n{done.stdout}\n{done.stderr}")


def read_counts(path, pes):
    """Returns by PE: {kind: (messages, bytes)}, sent and received together."""
    told = []
    for pe in range(pes):
        with open(f"{path}.{pe}", encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t") for line in file]
        told.append({name: (int(sent) + int(got), int(sent_bytes) + int(got_bytes))
                     for name, sent, sent_bytes, got, got_bytes in lines})
    return told


class RunsOfRanks:
    """Runs the program once for each question, when it is asked."""
    def __init__(self, command):
        self.command = command

    def of(self, pes, what, times):
        with tempfile.TemporaryDirectory() as folder:
            counts = os.path.join(folder, "counts")
            start([word.format(pes=pes, ranks=4 * pes, what=what, times=times) for word in self.command],
                  SKEIN_MESSAGE_COUNTS=counts)
            return read_counts(counts, pes)


class JobsOfElements:
    """Makes all jobs in one run of the program."""
    def __init__(self, folder, all_pes, jobs, command):
        self.folder = folder
        for pes in all_pes:
            os.mkdir(os.path.join(folder, str(pes)))
        start([*command, folder, ",".join(map(str, all_pes)), *jobs])

    def of(self, pes, what, times):
        return read_counts(os.path.join(self.folder, str(pes), name_of_job(what, times)), pes)


def name_of_job(what, times):
    """Returns `what` with the number of times, and its strategy behind it, if it has one."""
    kind, _, strategy = what.partition(":")
    return ":".join([kind, str(times), *([strategy] if strategy else [])])


def of(pe, kinds, which):
    return sum(pe.get(kind, (0, 0))[which] for kind in kinds)


def most(told, kinds, which=0):
    """Returns the greatest value of any PE."""
    return max(of(pe, kinds, which) for pe in told)


class Laws:
    def __init__(self):
        self.broken = []

    def expect(self, what, pes, found, bound):
        print(f"{what}, {pes} PEs: {found:.0f}, at most {bound:.0f}")
        if found > bound:
            self.broken.append(f"{what} on {pes} PEs: {found:.0f} on a PE, and at most {bound:.0f} are logarithmic")


def broadcasts(laws, runs, all_pes, times=8):
    for pes in all_pes:
        told = runs.of(pes, "broadcasts", times)
        laws.expect("messages of a broadcast", pes, most(told, ["broadcast"]) / times, NEIGHBOURS)
        laws.expect("bytes of a broadcast", pes, most(told, ["broadcast"], 1) / times, NEIGHBOURS * 64)
        laws.expect("messages of a reduction", pes, most(told, ["partial"]) / times, NEIGHBOURS * math.log2(pes))
        laws.expect("messages of the beginning", pes, most(told, ["read-only", "new-array"]), 3 * NEIGHBOURS)


def insertions(laws, runs, all_pes, times=24):
    """Each PE makes as many elements, and as many are made on it. The messages that ask for them are counted separately."""
    for pes in all_pes:
        told = runs.of(pes, "insertions", times)
        asking = ["insertion-request", "insertion-grant"]
        bound = 8 * NEIGHBOURS * math.log2(pes)  # flat: times * (pes - 1) on PE 0
        laws.expect("messages of all insertions", pes, most(told, ["insertion"]), 2 * times)
        laws.expect("messages to ask for them", pes, most(told, asking), bound)
        laws.expect("bytes to ask for them", pes, most(told, asking, 1), bound * 64)


def quiescence(laws, runs, all_pes, times=8):
    for pes in all_pes:
        told = runs.of(pes, "quiescence", times)
        # The last PE has no child, and answers once a round; it gets each order once.
        rounds = of(told[-1], ["quiescence-answer"], 0)
        orders = of(told[-1], ["quiescence-order"], 0)
        laws.expect("messages of a quiescence round", pes, most(told, QUIESCENCE[:2]) / rounds, 2 * NEIGHBOURS)
        laws.expect("bytes of a quiescence round", pes, most(told, QUIESCENCE[:2], 1) / rounds, NEIGHBOURS * 128)
        laws.expect("messages of what follows", pes, most(told, QUIESCENCE[2:]) / orders, NEIGHBOURS)


def detections(laws, runs, all_pes, times=8):
    """A PE reports now and then, and is asked."""
    for pes in all_pes:
        told = runs.of(pes, "detections", times)
        kinds = ["detector-counts", "detector-question", "detector-over"]
        laws.expect("messages of a completion detection", pes, most(told, kinds) / times,
                    4 * NEIGHBOURS * math.log2(pes))


def differences(laws, runs, all_pes, what, repeated, exponent, counts=(2, 6), central=False, left_out=()):
    """Compares one repetition: the difference between many and few. With a central strategy some PE has all objects,
    whose number grows with the PEs, so there bytes are divided by the PEs."""
    first = {}
    for pes in all_pes:
        few, many = (runs.of(pes, what, times) for times in counts)
        kinds = {kind for pe in many for kind in pe if kind not in left_out}
        for which, unit in enumerate(("messages", "bytes")):
            found = max(of(b, kinds, which) - of(a, kinds, which) for a, b in zip(few, many)) / (counts[1] - counts[0])
            per_pe = pes if central and unit == "bytes" else 1
            first.setdefault(unit, found / per_pe)
            bound = SLACK * first[unit] * (math.log2(pes) / math.log2(all_pes[0])) ** exponent
            laws.expect(f"{unit} of {repeated}", pes, found, bound * per_pe)


def steps(laws, runs, all_pes, exponent, what="steps", central=False, counts=(2, 6)):
    # Rounds before the step are left out, and so is how often a reduction goes up, which is a matter of chance.
    differences(laws, runs, all_pes, what, f"an LB step ({what})", exponent, counts, central, left_out=(*QUIESCENCE, "partial"))


def rank_calls(laws, runs, all_pes, what):
    differences(laws, runs, all_pes, what, f"one of {what} of ranks", 1, counts=(4, 24))


STEPS = (1, 2)
# On a hypercube a round of diffusion has log2 PEs messages, and load crosses as many links; gossip makes some more rounds
# than log2 PEs, each with sums.
DIFFUSION = "diffusion:graph=hypercube"
EXPONENTS = {DIFFUSION: 2, "gossip": 2, "greedy": 1}

CASES = {
    "diffusion": lambda *arguments: steps(*arguments, EXPONENTS[DIFFUSION]),
    "greedy": lambda *arguments: steps(*arguments, EXPONENTS["greedy"], central=True),
    "barriers": lambda *arguments: rank_calls(*arguments, "barriers"),
    "allreduces": lambda *arguments: rank_calls(*arguments, "allreduces"),
}


def elements(laws, all_pes, command):
    """Checks everything except steps of gossip, which take longest: gossip() checks these."""
    jobs = ["broadcasts:8", "insertions:24", "quiescence:8"]
    with runs_of_elements(all_pes, jobs, [DIFFUSION, "greedy"], command) as runs:
        broadcasts(laws, runs, all_pes)
        insertions(laws, runs, all_pes)
        quiescence(laws, runs, all_pes)
        steps_of_elements(laws, runs, all_pes, [DIFFUSION, "greedy"])


def gossip(laws, all_pes, command):
    with runs_of_elements(all_pes, [], ["gossip"], command) as runs:
        steps_of_elements(laws, runs, all_pes, ["gossip"])


@contextlib.contextmanager
def runs_of_elements(all_pes, jobs, strategies, command):
    of_steps = [f"steps:{times}:{strategy}" for strategy in strategies for times in STEPS]
    with tempfile.TemporaryDirectory() as folder:
        yield JobsOfElements(folder, all_pes, [*jobs, *of_steps], command)


def steps_of_elements(laws, runs, all_pes, strategies):
    for strategy in strategies:
        steps(laws, runs, all_pes, EXPONENTS[strategy], f"steps:{strategy}", strategy == "greedy", STEPS)


OF_ELEMENTS = {"elements": elements, "gossip": gossip}


def main():
    laws = Laws()
    all_pes = [int(pes) for pes in sys.argv[1].split(",")]
    if sys.argv[2] in OF_ELEMENTS:
        OF_ELEMENTS[sys.argv[2]](laws, all_pes, sys.argv[3:])
    else:
        CASES[sys.argv[2]](laws, RunsOfRanks(sys.argv[3:]), all_pes)
    if laws.broken:
        sys.exit("\n".join(["FAILED", *laws.broken]))


if __name__ == "__main__":
    main()
