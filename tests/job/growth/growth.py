#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What PEs send and receive, as their number grows: no more than logarithmically.

  growth.py PES,PES,... CASE COMMAND...

COMMAND is how a program is started, with {pes} for the number of PEs, {ranks} for four times as many, {what} and {times}
for the program's arguments (growth.cpp, ranks.c). The PEs write what they counted (SKEIN_MESSAGE_COUNTS), by kind of message; nothing is timed.

Where messages go along the tree over all PEs, the law is exact: a PE on one node has a parent and at most four children.
What depends on when messages meet (contributions, questions that are joined on the way) may come from each neighbour
log2 PEs times; flat, it would be once for each PE. Other laws compare with the fewest PEs: f(P) <= slack f(P0)
(log P / log P0)^k. The slack is for sums that are repeated until all messages are there.
"""
import math
import os
import subprocess
import sys
import tempfile

NEIGHBOURS = 5
SLACK = 1.5
QUIESCENCE = ("quiescence-question", "quiescence-answer", "quiescence-order")


def run(command, pes, what, times):
    """By PE: {kind: (messages, bytes)}, sent and received together."""
    with tempfile.TemporaryDirectory() as folder:
        counts = os.path.join(folder, "counts")
        words = [word.format(pes=pes, ranks=4 * pes, what=what, times=times) for word in command]
        done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={**os.environ, "SKEIN_MESSAGE_COUNTS": counts})
        if done.returncode != 0 or "passed" not in done.stdout:
            sys.exit(f"exit status {done.returncode}: {' '.join(words)}\n{done.stdout}\n{done.stderr}")
        told = []
        for pe in range(pes):
            with open(f"{counts}.{pe}", encoding="utf-8") as file:
                lines = [line.rstrip("\n").split("\t") for line in file]
            told.append({name: (int(sent) + int(got), int(sent_bytes) + int(got_bytes))
                         for name, sent, sent_bytes, got, got_bytes in lines})
        return told


def of(pe, kinds, which):
    return sum(pe.get(kind, (0, 0))[which] for kind in kinds)


def most(told, kinds, which=0):
    """Of a PE."""
    return max(of(pe, kinds, which) for pe in told)


class Laws:
    def __init__(self):
        self.broken = []

    def expect(self, what, pes, found, bound):
        print(f"{what}, {pes} PEs: {found:.0f}, at most {bound:.0f}")
        if found > bound:
            self.broken.append(f"{what} on {pes} PEs: {found:.0f} on a PE, and at most {bound:.0f} are logarithmic")


def broadcasts(laws, command, all_pes, times=8):
    for pes in all_pes:
        told = run(command, pes, "broadcasts", times)
        laws.expect("messages of a broadcast", pes, most(told, ["broadcast"]) / times, NEIGHBOURS)
        laws.expect("bytes of a broadcast", pes, most(told, ["broadcast"], 1) / times, NEIGHBOURS * 64)
        laws.expect("messages of a reduction", pes, most(told, ["partial"]) / times, NEIGHBOURS * math.log2(pes))
        laws.expect("messages of the beginning", pes, most(told, ["read-only", "new-array"]), 3 * NEIGHBOURS)


def insertions(laws, command, all_pes, times=24):
    """Each PE makes as many, and as many are made on it. Asking for them is another matter."""
    for pes in all_pes:
        told = run(command, pes, "insertions", times)
        asking = ["insertion-request", "insertion-grant"]
        bound = 8 * NEIGHBOURS * math.log2(pes)  # flat: times * (pes - 1) on PE 0
        laws.expect("messages of all insertions", pes, most(told, ["insertion"]), 2 * times)
        laws.expect("messages to ask for them", pes, most(told, asking), bound)
        laws.expect("bytes to ask for them", pes, most(told, asking, 1), bound * 64)


def quiescence(laws, command, all_pes, times=8):
    for pes in all_pes:
        told = run(command, pes, "quiescence", times)
        # The last PE has no child, and answers once a round; it gets each order once.
        rounds = of(told[-1], ["quiescence-answer"], 0)
        orders = of(told[-1], ["quiescence-order"], 0)
        laws.expect("messages of a quiescence round", pes, most(told, QUIESCENCE[:2]) / rounds, 2 * NEIGHBOURS)
        laws.expect("bytes of a quiescence round", pes, most(told, QUIESCENCE[:2], 1) / rounds, NEIGHBOURS * 128)
        laws.expect("messages of what follows", pes, most(told, QUIESCENCE[2:]) / orders, NEIGHBOURS)


def detections(laws, command, all_pes, times=8):
    """A PE reports now and then, and is asked."""
    for pes in all_pes:
        told = run(command, pes, "detections", times)
        kinds = ["detector-counts", "detector-question", "detector-over"]
        laws.expect("messages of a completion detection", pes, most(told, kinds) / times,
                    4 * NEIGHBOURS * math.log2(pes))


def differences(laws, command, all_pes, what, repeated, exponent, counts=(2, 6), central=False, left_out=()):
    """Of one of what is repeated, the difference between many and few. Of a central strategy some PE has all objects, of
    which there are as many a PE: so bytes are counted by PE there."""
    first = {}
    for pes in all_pes:
        few, many = (run(command, pes, what, times) for times in counts)
        kinds = {kind for pe in many for kind in pe if kind not in left_out}
        for which, unit in enumerate(("messages", "bytes")):
            found = max(of(b, kinds, which) - of(a, kinds, which) for a, b in zip(few, many)) / (counts[1] - counts[0])
            per_pe = pes if central and unit == "bytes" else 1
            first.setdefault(unit, found / per_pe)
            bound = SLACK * first[unit] * (math.log2(pes) / math.log2(all_pes[0])) ** exponent
            laws.expect(f"{unit} of {repeated}", pes, found, bound * per_pe)


def steps(laws, command, all_pes, exponent, central=False):
    # Rounds before it are another matter, and how often a reduction goes up is a matter of chance.
    differences(laws, command, all_pes, "steps", "an LB step", exponent, central=central, left_out=(*QUIESCENCE, "partial"))


def rank_calls(laws, command, all_pes, what):
    differences(laws, command, all_pes, what, f"one of {what} of ranks", 1, counts=(4, 24))


CASES = {
    "broadcasts": broadcasts,
    "insertions": insertions,
    "quiescence": quiescence,
    "detections": detections,
    # On a hypercube a round has log2 PEs messages, and load as many links to go.
    "diffusion": lambda *arguments: steps(*arguments, 2),
    # An iteration has log2 PEs rounds, in each of which sums are made.
    "gossip": lambda *arguments: steps(*arguments, 2),
    "greedy": lambda *arguments: steps(*arguments, 1, True),
    "barriers": lambda *arguments: rank_calls(*arguments, "barriers"),
    "allreduces": lambda *arguments: rank_calls(*arguments, "allreduces"),
}


def main():
    laws = Laws()
    CASES[sys.argv[2]](laws, sys.argv[3:], [int(pes) for pes in sys.argv[1].split(",")])
    if laws.broken:
        sys.exit("\n".join(["FAILED", *laws.broken]))


if __name__ == "__main__":
    main()
