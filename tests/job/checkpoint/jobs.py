# SPDX-License-Identifier: Apache-2.0
"""Functions and classes that the tests of checkpoints share."""
import glob
import os
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE_S = float(os.environ.get("PATIENCE_S", 90))


def fail(text, *runs):
    print("FAILED:", text, file=sys.stderr)
    for run in runs:
        print(run, file=sys.stderr)
    sys.exit(1)


def work_folder():
    """Makes a new folder and changes to it."""
    folder = tempfile.TemporaryDirectory(prefix="skein-checkpoint.")
    os.chdir(folder.name)
    return folder


class Job:
    """A job of `skein run`; standard output goes to a file, so that the job can take back repeated output."""

    def __init__(self, skein, words, name="job", variables={}):
        self.words = [skein, "run"] + words
        self.out_file, self.err_file = name + ".out", name + ".err"
        with open(self.out_file, "w") as out, open(self.err_file, "w") as err:
            self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            start_new_session=True, env={**os.environ, **variables})

    def out(self):
        return open(self.out_file).read()

    def err(self):
        return open(self.err_file).read()

    def __str__(self):
        return f"{' '.join(self.words)}: status {self.process.poll()}\n{self.out()[-2000:]}\n{self.err()[-3000:]}"

    def end(self, status=0):
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill()
            fail("the job does not end", self)
        if self.process.returncode != status:
            fail(f"status {self.process.returncode} and not {status}", self)
        return self

    def wait_for(self, what, event):
        until = time.monotonic() + PATIENCE_S
        while not event():
            if self.process.poll() is not None:
                fail(f"the job ended before {what}", self)
            if time.monotonic() > until:
                self.kill()
                fail(f"no {what} in {PATIENCE_S} s", self)
            time.sleep(0.01)

    def descendants(self):
        """Returns the descendants of the starter, the nearest first."""
        parents = {}
        for status in glob.glob("/proc/[0-9]*/stat"):
            try:
                text = open(status).read()
            except OSError:
                continue
            parents.setdefault(int(text[text.rindex(")") + 2:].split()[1]), []).append(int(text.split()[0]))
        found, new = [], [self.process.pid]
        while new:
            new = [child for parent in new for child in parents.get(parent, [])]
            found += new
        return found

    def pes(self):
        """Returns the processes of the PEs."""
        found = []
        for process in self.descendants():
            try:
                words = open(f"/proc/{process}/cmdline").read().split("\0")
                executable = os.path.basename(os.readlink(f"/proc/{process}/exe"))
            except OSError:
                continue
            native = any(word.startswith("--skein.") for word in words) and executable in map(os.path.basename, self.words)
            if native or (executable in ("skein", "skein-boot") and words[1:2] == ["run"]):
                found.append(process)
        return found

    def kill(self):
        """Kills all processes, as if the machine had failed."""
        for process in [self.process.pid] + self.descendants():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()


class Subject:
    """The program that a test disturbs: one of so many ranks, or native_states if `ranks` is "native"."""

    def __init__(self, program, ranks):
        self.ranks = 0 if ranks == "native" else int(ranks)
        self.program, self.name = program, os.path.basename(program)

    def words(self, *arguments):
        """Returns the words that follow the options of skein run."""
        if self.ranks:
            return ["-n", str(self.ranks), self.program, *arguments]
        return ["--deterministic", self.program, "wave", *arguments]

    def files(self):
        return lines_of(self.ranks)


def states(folder):
    return sorted(glob.glob(folder + "/state-*"))


def newest_in_memory(job):
    """Returns the newest state of a job with --survive; empty if there is none yet."""
    try:
        return max((name for name in os.listdir(f"/dev/shm/skein-states-{job.process.pid}") if name.startswith("state-")), default="")
    except FileNotFoundError:
        return ""


def lines_of(ranks, program="continued"):
    """Returns the contents of the ranks' own files."""
    return [open(f"{program}.{rank}").read() for rank in range(ranks)]
