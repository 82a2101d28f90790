#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What bench/papers cannot use is named, with what to do, and ends with a status other than 0.

usage: papers_bad_input.py SOURCE BUILD
"""
import json
import os
import subprocess
import sys
import tempfile

source, build = map(os.path.abspath, sys.argv[1:])
papers = os.path.join(source, "bench", "papers")
sys.path.insert(0, papers)
from frame import results, seismic  # after the path

faults = []


def check(what, status, said, expected):
    lacking = [text for text in expected if text not in said]
    if status == 0 or lacking:
        faults.append(f"{what}: status {status}, lacks {lacking}: {said}")


def refused(maker, *words, says):
    run = subprocess.run([os.path.join(build, "bench", "papers", maker), *words], capture_output=True, text=True, check=False)
    check(" ".join((maker, *words)), run.returncode, run.stderr, says)


def results_refused(text, says):
    with open(results.PATH, "w", encoding="utf-8") as file:
        file.write(text)
    try:
        results.read()
        check(text, 0, "", says)
    except SystemExit as end:
        check(text, 1, str(end), [results.PATH, *says])


class RecordedBusy:
    """A bench whose recordings say that others had 83 % of the processors."""
    skein = "skein"

    def __init__(self, folder, others):
        self.folder, self.others = folder, others
        open(self.path("seismic"), "w", encoding="utf-8").close()

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, name, _):
        open(self.path(name), "w", encoding="utf-8").close()
        return self.path(name)

    def run(self, _):
        return json.dumps({"others_had_s": 8.3, "by_the_clock_s": 10.0})


def busy_recording_refused(folder):
    try:
        seismic.recorded(RecordedBusy(folder, 10), "ligurian.txt", 4, 4, 2)
        check("a recording of a busy machine", 0, "", [])
    except SystemExit as end:
        check("a recording of a busy machine", 1, str(end), ["others had 83 % of the processors while ligurian-4x4.0.sktrace was recorded",
                                                             "at most 10 % are accepted", "--others 100"])
    if os.path.exists(os.path.join(folder, "ligurian-4x4.0.sktrace")):
        faults.append("a recording that was refused is kept, and would be taken the next time")
    _, others = seismic.recorded(RecordedBusy(folder, 100), "ligurian.txt", 4, 4, 2)
    if abs(others - 83) > 1e-9:
        faults.append(f"others had 83 %, told are {others}")


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    # Sizes and classes that no memory holds, and some that are none.
    refused("kneighbor_trace", "out", "60000000", "1000", "1e6", "0.5",
            says=["60000000 ranks and 1000 steps take some", "MiB are free: take fewer steps or a smaller size"])
    refused("bt_mz_trace", "out", "D", "100000000", says=["class D and 100000000 steps take some", "take fewer steps"])
    refused("bt_mz_trace", "out", "Q", "11", says=["class 'Q' is none of BT-MZ: classes are S, W, A, B, C, D, E"])
    refused("kneighbor_trace", "out", "14", "3", "1e6", "0.5", says=["more ranks than that"])
    # A trace of another program, of as many ranks as BT-MZ has zones and of others; files that are none.
    for ranks in ("16", "20"):
        subprocess.run([os.path.join(build, "bench", "papers", "kneighbor_trace"), f"other-{ranks}", ranks, "3", "1e6", "0.5"], check=True)
        refused("bt_mz_check", f"other-{ranks}", "W",
                says=[f"other-{ranks} is no recording of BT-MZ, class W", "Build bt-mz with NPROCS=16"])
    with open("text", "w", encoding="utf-8") as file:
        file.write("no trace\n")
    for maker, words in (("bt_mz_check", ("text", "W")), ("steady_trace", ("out", "text"))):
        refused(maker, *words, says=["text: is no trace of Skein; record one with"])
    refused("bt_mz_check", "absent", "W", says=["absent: cannot be read"])
    if os.path.exists("out"):
        faults.append("what was refused left a file")
    results.PATH = os.path.join(work, "results.json")
    results_refused(json.dumps({"version": 0, "papers": {}}), ["has version 0, this program reads 1", "delete it and run"])
    results_refused("{}", ["has version None", "delete it and run"])
    results_refused("{", ["is not JSON", "delete it and run"])

    busy_recording_refused(work)

    run = subprocess.run([sys.executable, "-B", os.path.join(papers, "papers.py"), "--small", "--build", work, "lan"],
                         capture_output=True, text=True, check=False)
    check("a build folder without skein", run.returncode, run.stderr, ["is not there: build first"])
    run = subprocess.run([sys.executable, "-B", os.path.join(papers, "papers.py"), "--small", "--build", build, "lan", "nothing"],
                         capture_output=True, text=True, check=False)
    check("a part that there is not", run.returncode, run.stderr, ["lan has no part nothing: its parts are "])

print("\n".join(faults))
sys.exit(1 if faults else 0)
