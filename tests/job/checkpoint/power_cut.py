#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""power_cut.py SKEIN PROGRAM RANKS LIBRARY: records what a job does to its folder of states, and cuts the power behind each
call. Data that was not brought to the device may be there or not. The newest of the valid states, and every other state that
is there, must be whole and allow a restart.

Of changes without an fsync() a file system may keep: nothing; all names, but no data; everything; all names and a part of the
data of each file."""
import hashlib
import os
import random
import shutil
import subprocess
import sys

from jobs import Job, fail, lines_of, states, work_folder

skein, program, ranks, library = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
STEPS, STATES, RESTARTS = "24", 5, 6


class Folder:
    def __init__(self):
        self.entries, self.safe = {}, {}  # by name; safe: on the device


class File:
    def __init__(self):
        self.data, self.safe = b"", b""


class Machine:
    """The folder that contains the folder of states, as calls change it."""

    def __init__(self, root):
        self.root, self.path = Folder(), root
        self.valid = 0  # the newest state whose name is on the device

    def at(self, path):
        """Returns the folder that contains a path, and the path's name there."""
        *folders, name = os.path.relpath(path, self.path).split("/")
        folder = self.root
        for each in folders:
            folder = folder.entries[each]
        return folder, name

    def call(self, name, path, other, data):
        folder, entry = self.at(path + "/" + other if name == "unlink" and other else path)
        if name == "mkdir":
            folder.entries.setdefault(entry, Folder())
        elif name == "create":
            folder.entries.setdefault(entry, File())
        elif name == "write":
            folder.entries[entry].data += data
        elif name == "fsync":
            self.fsync(self.root if entry == "." else folder.entries[entry])
        elif name == "unlink":
            folder.entries.pop(entry, None)
        elif entry in folder.entries:  # else the call has failed
            to, new = self.at(other)
            to.entries[new] = folder.entries[entry] if name == "link" else folder.entries.pop(entry)

    def fsync(self, what):
        what.safe = dict(what.entries) if isinstance(what, Folder) else what.data
        numbers = [int(name[6:]) for name in self.kept("ck", "safe") if name.startswith("state-")]
        self.valid = max([self.valid, *numbers])

    def kept(self, name, names):
        return getattr(getattr(self.root, names).get(name, Folder()), names)


def files_in(folder, names, data, path=""):
    """Returns (path, data) of the files that are left; names and data select which version of each is left."""
    for name, what in getattr(folder, names).items():
        if isinstance(what, Folder):
            yield from files_in(what, names, data, f"{path}{name}/")
        else:
            yield path + name, data(what)


def a_part(file):
    more = len(file.data) - len(file.safe)
    return file.data[:len(file.safe) + random.randrange(more + 1)] if file.data.startswith(file.safe) else file.data


CUTS = [("safe", lambda file: file.safe), ("entries", lambda file: file.safe), ("entries", lambda file: file.data), ("entries", a_part)]


def recorded(path):
    with open(path, "rb") as log:
        while line := log.readline():
            name, size, path, other = line.decode()[:-1].split(" ")
            yield name, path, other, log.read(int(size))


known = set()


def look_at(call, machine, names, data):
    """Returns true if the files that are left are new; then they are in cut/."""
    left = {path: content for path, content in files_in(machine.root, names, data) if path.startswith("ck/state-")}
    if max([int(path[9:15]) for path in left], default=0) < machine.valid:
        fail(f"behind call {call} state {machine.valid} is gone: {sorted(left)}")
    key = tuple(sorted((path, hashlib.sha1(content).digest()) for path, content in left.items()))
    if not left or key in known:
        return False
    known.add(key)
    shutil.rmtree("cut", ignore_errors=True)
    for path, content in left.items():
        os.makedirs(os.path.dirname("cut/" + path), exist_ok=True)
        with open("cut/" + path, "wb") as file:
            file.write(content)
    for state in states("cut/ck"):
        done = subprocess.run([skein, "checkpoint", "check", state], capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            fail(f"behind call {call}, {names}: {done.stdout}{done.stderr}")
    return True


folder = work_folder()
whole = Job(skein, ["-p", "1", "-n", str(ranks), program, STEPS], "whole").end().out()
files = lines_of(ranks)
os.mkdir("disk")
disk = os.path.abspath("disk")
job = Job(skein, ["-p", "2", "-n", str(ranks), "--checkpoint", disk + "/ck:every=0.001s,keep=2", program, STEPS, "go"], "job",
          {"LD_PRELOAD": library, "FAILING_IN": disk, "RECORDED": os.getcwd() + "/log"})
job.wait_for("enough states", lambda: states("disk/ck")[-1:] >= [f"disk/ck/state-{STATES:06}"])
open("go", "w").close()
job.end()

random.seed(1)
machine, calls, restarts = Machine(disk), 0, 0
for calls, (name, path, other, data) in enumerate(recorded("log"), 1):
    machine.call(name, path, other, data)
    for names, of in CUTS:
        if look_at(calls, machine, names, of) and restarts < RESTARTS:
            restarts += 1
            again = Job(skein, ["-p", str(1 + restarts % 3), "--restart", "cut/ck", program, STEPS, "go"], "again",
                        {"LD_PRELOAD": library}).end()
            if not again.out() or not whole.endswith(again.out()) or lines_of(ranks) != files:
                fail(f"other results behind call {calls} than without a break", job, again)
if machine.valid < STATES or restarts < RESTARTS:
    fail(f"only {machine.valid} states, {restarts} restarts, of {calls} calls", job)
print(f"{calls} calls, {len(known)} different folders, {restarts} restarts")
