#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wrong.py SKEIN PROGRAM RANKS OTHER_PROGRAM: a restart from a state that does not fit, and a folder that cannot be written, are
refused with a message that names them; and skein checkpoint lists the states."""
import json
import os
import shutil
import subprocess
import sys

from jobs import Job, fail, states, work_folder

skein, program, ranks, other = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
folder = work_folder()
job = Job(skein, ["-p", "2", "-n", str(ranks), "--checkpoint", "ck:every=0.001s,keep=3", program, "24", "go"])
job.wait_for("enough states", lambda: states("ck") and states("ck")[-1] > "ck/state-000003")
open("go", "w").close()
job.end()
if len(states("ck")) != 3:
    fail(f"{len(states('ck'))} states and not 3", job)
newest = states("ck")[-1]


def run(words, status, *texts):
    done = subprocess.run([skein] + words, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    for text in texts:
        if done.returncode != status or text not in done.stdout + done.stderr:
            fail(f"{words}: status {done.returncode}, and not {status} with '{text}':\n{done.stdout}{done.stderr}")
    return done.stdout


def restart(status, *texts, state="ck", words=(), what=program):
    return run(["run", "-p", "2", *words, "--restart", state, what], status, *texts)


restart(2, "no/such: no folder with a checkpoint", state="no/such")
os.mkdir("empty")
restart(2, "empty: has no valid checkpoint", "--checkpoint empty", state="empty")
restart(2, newest, "another program", what=other)
restart(2, f"of a job of {ranks} ranks, not of {ranks + 1}", words=("-n", str(ranks + 1)))
run(["run", "-p", "2", "--restart", "ck", program, "25"], 2, "other arguments", "24")
restart(2, "does not go with --trace", words=("--trace", "t"))
restart(2, "does not go with --lb-mode lazy", words=("--lb", "rotate", "--lb-mode", "lazy"))
for value, said in (("", "''"), (":every=1s", "no name of a folder"), ("ck:every=1", "'1' is no time"), ("ck:every=0s", "'0'"),
                    ("ck:keep=0", "'0'"), ("ck:kept=1", "'kept=1' is no key"), ("ck:every=1s,kept=1", "'kept=1'")):
    run(["run", "--checkpoint", value, program], 2, "--checkpoint", said)
run(["run", "--survive=every=soon", program], 2, "--survive", "'soon'")
for value, said in (("ck:every=99999999h", "more than the 278 h"), ("ck:", "after ':' it takes every=TIME or keep=N")):
    run(["run", "--checkpoint", value, program], 2, "--checkpoint", said)
run(["run", "--survive=every=1s,grace=", program], 2, "--survive", "'' is no time")
run(["run", "--survive=stopped=0s", program], 2, "--survive", "'0'")
run(["run", "--survive=stopped=30", program], 2, "--survive", "'30' is no time")
run(["run", "--survive=every=1s,often=yes", program], 2, "--survive", "'often=yes' is no key")
run(["run", "-p", "1", "--checkpoint", "/proc/none", program], 2, "--checkpoint /proc/none: states cannot be written there")
open("file", "w").close()
run(["run", "-p", "1", "--checkpoint", "file/of", program], 2, "--checkpoint file/of: states cannot be written there: Not a directory")
run(["run", "-p", "1", "--checkpoint", "file", program], 2, "--checkpoint file: states cannot be written there: Not a directory")
run(["run", "-p", "1", "--checkpoint", "ck", other], 2, "ck: has checkpoints of another program")
run(["checkpoint", "now", "no/such"], 2, "no/such: no such folder")
run(["checkpoint", "now", "ck"], 2, "ck: no job writes its checkpoints there")
job = Job(skein, ["-p", "1", "-n", "2", "--checkpoint", "held:every=0.01s", program, "24", "held/go"], "held")
job.wait_for("a state", lambda: states("held"))
run(["run", "-p", "1", "-n", "2", "--checkpoint", "held", program], 2, "held: another job, which runs, writes its checkpoints there")
open("held/go", "w").close()
job.end()

# Torn files, and files with changed bytes.
for name in sorted(os.listdir(newest)):
    torn = f"torn-{name}"
    shutil.copytree(newest, torn)
    # Any part of an earlier state's file may be needed.
    left = 0 if ".zst." in name else os.path.getsize(f"{torn}/{name}") * 2 // 3
    os.truncate(f"{torn}/{name}", left)
    said = f"{torn}/{name}: is damaged at byte {left}" if ".zst" in name else f"{torn}/{name}: is no manifest"
    restart(2, said, state=torn)
    run(["checkpoint", "check", torn], 2, said)
    os.remove(f"{torn}/{name}")
    restart(2, f"{torn}: " if name.endswith("json") else f"{torn}/{name}: cannot be read", state=torn)

told = json.loads(run(["checkpoint", "info", "ck", "--json"], 0, newest))
in_files = sum(os.path.getsize(f"{newest}/{name}") for name in os.listdir(newest) if name.startswith("image-"))
of_numbers = ranks * (20000 + 60000) * 8  # program's, on its heap
if told["ranks"] != ranks or told["pes"] != 2 or told["command"] != f"{program} 24 go":
    fail(f"skein checkpoint info --json: {told}")
if not of_numbers < told["bytes"] < 2 * of_numbers or told["stored"] != in_files:
    fail(f"skein checkpoint info --json: {told}")
run(["checkpoint", "info", newest], 0, newest, f"ranks      {ranks}", "PEs        2")
run(["checkpoint", "check", "ck"], 0, f"{newest}: the images of {ranks} ranks are whole")
if json.loads(run(["checkpoint", "check", "ck", "--json"], 0, newest))["ranks"] != ranks:
    fail("skein checkpoint check --json")
restart(0, "continued: all as it should be")
