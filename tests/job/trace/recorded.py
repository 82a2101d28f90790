# SPDX-License-Identifier: Apache-2.0
"""recorded.py SKEIN TRACE_TEXT PROGRAM WORK: the trace of tests/programs/recorded.c is what recorded.txt says, wherever ranks
are and however they move."""
import pathlib
import subprocess
import sys

skein, trace_text, program, work = sys.argv[1:]
rounds = 2
lines = (pathlib.Path(__file__).parent / "recorded.txt").read_text().splitlines()


def expected(me):
    """Of one rank: lines that begin with a number are of that rank alone."""
    of_round = []
    for line in lines:
        if line[0].isdigit():
            if int(line[0]) != me:
                continue
            line = line[3:]
        of_round.append(line.format(me=me, left=(me + 2) % 3, right=(me + 1) % 3))
    return [f"object {me}"] + rounds * of_round + ["barrier world root any bytes 0", "end"]


wanted = ["complete 1"] + [line for me in range(3) for line in expected(me)]
jobs = [
    ["-p", "1"],
    ["-p", "2"],
    ["-p", "3"],
    ["-p", "2", "--lb", "rotate", "--lb-period", "1"],
    ["-p", "2", "--lb", "random", "--lb-period", "1", "--arena", "private"],
]
for number, options in enumerate(jobs):
    trace = pathlib.Path(work) / f"recorded{number}.sktrace"
    subprocess.run([skein, "run", *options, "-n", "3", "-q", "--trace", trace, program], check=True, stdout=subprocess.DEVNULL, cwd=work)
    text = subprocess.run([trace_text, trace], check=True, capture_output=True, text=True).stdout.splitlines()
    for at, (have, want) in enumerate(zip(text, wanted)):
        if have != want:
            sys.exit(f"{options}: line {at + 1} is '{have}', not '{want}', after {text[max(0, at - 4):at]}")
    if len(text) != len(wanted):
        sys.exit(f"{options}: {len(text)} lines, not {len(wanted)}: {text[len(wanted):][:3]}")
