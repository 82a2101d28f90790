#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""native_wrong.py SKEIN PROGRAM OTHER_PROGRAM PROGRAM_OF_RANKS: messages name why a native program cannot
continue from a state, and why no state of it can be written; and skein checkpoint lists its states."""
import json
import os
import shutil
import subprocess
import sys

from jobs import Job, fail, states, work_folder

skein, program, other, of_ranks = sys.argv[1:]
folder = work_folder()
words = [program, "stencil", "60"]
job = Job(skein, ["-p", "2", "--checkpoint", "ck:every=0.001s,keep=2"] + words).end()
newest = states("ck")[-1]
if len(states("ck")) != 2:
    fail(f"{len(states('ck'))} states and not 2", job)


def run(command, status, *texts):
    done = subprocess.run([skein] + command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    for text in texts:
        if done.returncode != status or text not in done.stdout + done.stderr:
            fail(f"{command}: status {done.returncode}, and not {status} with '{text}':\n{done.stdout}{done.stderr}")
    return done.stdout


def restart(status, *texts, state="ck", more=(), what=words):
    return run(["run", "-p", "2", *more, "--restart", state, *what], status, *texts)


# States of other programs.
restart(2, "no/such: no folder with a checkpoint", state="no/such")
restart(2, newest, "another program than", what=[other])
restart(2, "other arguments", "stencil 60", what=[program, "stencil", "61"])
restart(2, newest, "of a native program", what=[of_ranks, "3"], more=("-n", "2"))
Job(skein, ["-p", "1", "-n", "2", "--checkpoint", "ranks:every=0.001s", of_ranks, "24"], "ranks").end()
restart(2, "of a program of MPI ranks", state="ranks")
run(["run", "-p", "1", "--checkpoint", "ck", other], 2, "ck: has checkpoints of another program")

# Options that exclude states.
restart(2, "does not go with --trace", more=("--trace", "t"))
restart(2, "does not go with --lb-mode lazy", more=("--lb", "rotate", "--lb-mode", "lazy"))
restart(2, "does not go with --lb-mode decoupled:reserved", more=("--lb", "rotate", "--lb-mode", "decoupled:reserved"))
restart(2, "does not go with --check", more=("--check",))
run(["run", "-p", "2", "--survive", "--check", *words], 2, "--survive does not go with --check")
alone = subprocess.run([program, "--skein.survive", "stencil", "60"], capture_output=True, text=True, timeout=60)
if alone.returncode != 2 or "PE 0 was not started by a skein run" not in alone.stderr:
    fail(f"--survive without skein run: {alone}")

# Damaged files.
for name in sorted(os.listdir(newest)):
    torn = f"torn-{name}"
    shutil.copytree(newest, torn)
    left = os.path.getsize(f"{torn}/{name}") * 2 // 3
    os.truncate(f"{torn}/{name}", 0 if ".zst." in name else left)
    said = f"{torn}/{name}: is damaged at byte" if ".zst" in name else f"{torn}/{name}: is no manifest"
    restart(2, said, state=torn)
    run(["checkpoint", "check", torn], 2, said)
shutil.copytree(newest, "turned")
image = bytearray(open("turned/image-1.zst", "rb").read())
image[len(image) // 3] ^= 1
open("turned/image-1.zst", "wb").write(image)
restart(2, "turned/image-1.zst: is damaged", state="turned")

# skein checkpoint.
told = json.loads(run(["checkpoint", "info", "ck", "--json"], 0))
if (told["elements"], told["pes"]) != (17, 2) or "ranks" in told or told["command"] != " ".join(words):
    fail(f"other information: {told}")
run(["checkpoint", "info", "ck"], 0, "elements   17", "PEs        2")
run(["checkpoint", "check", "ck"], 0, "the images of 2 PEs are whole")

# One message names an object that no state can hold, and the job continues to its end.
for what, said in {
    "flow": "Waiting{0} is in Waiting::wait",
    "class": "elements of Fixed cannot be packed: its class has no serialize()",
    "single": "objects of Alone, which are in no array",
    "timer": "a timer is set",
    "quiescence": "a callback waits for quiescence",
    "section": "there is a section",
}.items():
    name = f"none-{what}"
    job = Job(skein, ["-p", "1", "--checkpoint", f"{name}:every=0.001s", program, "obstacle", "20", what], name)
    job.wait_for("the last step", lambda: "step 20: " in job.out())
    if states(name) or job.err().count(f"no checkpoint in {os.path.abspath(name)}: ") != 1 or said not in job.err():
        fail(f"not told once of '{said}', or a state", job)
    job.kill()

# Without skein run.
alone = subprocess.run([program, "--skein.checkpoint=alone:every=0.001s", "stencil", "60"], capture_output=True, text=True, timeout=60)
again = subprocess.run([program, "--skein.restart=alone"], capture_output=True, text=True, timeout=60)
if not again.stdout or alone.returncode or again.returncode or not alone.stdout.endswith(again.stdout):
    fail(f"alone: {alone}, {again}")
