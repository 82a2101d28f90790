#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""progress.py SKEIN: the status line of a run, on a terminal of its own, as the user sees it.

The terminal is emulated as far as the line and the programs need it.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

SKEIN = sys.argv[1]
PATIENCE = 60
ROWS, COLUMNS = 12, 90

# Ranks print a line now and then, pass sync points, and end when the file `stop` exists.
PROGRAM = r"""#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, over = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; !over; ++i) {
    usleep(2000);
    if (i % 50 == 0 && (rank == 0 || rank == size - 1)) {
      printf("line %d of rank %d\n", i / 50, rank);
      fflush(stdout);
    }
    over = access("stop", F_OK) == 0;
    MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Migrate();
  }
  return MPI_Finalize();
}
"""


class Screen:
    """A screen with rows of text, a cursor and a scrolling region; of VT100 it knows the sequences of SEQUENCE."""
    SEQUENCE = re.compile(r"\x1b([78DM])|\x1b\[([0-9;]*)([rHKJ])")

    def __init__(self):
        self.rows = [""] * ROWS
        self.gone = []  # rows that have scrolled off the top
        self.row = self.column = 0
        self.top, self.bottom = 0, ROWS - 1
        self.saved = (0, 0)

    def take(self, text):
        """Returns the rest of the text: the beginning of a sequence."""
        while text:
            if text[0] == "\x1b":
                found = self.SEQUENCE.match(text)
                if not found:
                    if len(text) < 20:
                        return text
                    sys.exit(f"FAILED: a sequence that is not expected: {text[:20]!r}")
                self.obey(found.group(1), found.group(2), found.group(3))
                text = text[found.end():]
                continue
            self.put(text[0])
            text = text[1:]
        return ""

    def put(self, letter):
        if letter == "\r":
            self.column = 0
        elif letter == "\n":
            self.down()
        else:
            row = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = row[:self.column] + letter + row[self.column + 1:]
            self.column += 1

    def down(self):
        if self.row != self.bottom:
            self.row = min(self.row + 1, ROWS - 1)
            return
        self.gone.append(self.rows[self.top])
        self.rows[self.top:self.bottom + 1] = [*self.rows[self.top + 1:self.bottom + 1], ""]

    def obey(self, letter, numbers, command):
        if letter == "7":
            self.saved = (self.row, self.column)
        elif letter == "8":
            self.row, self.column = self.saved
        elif letter == "D":
            self.down()
        elif letter == "M":
            self.row -= 1
        elif command == "r":
            self.top, self.bottom = [int(n) - 1 for n in numbers.split(";")] if numbers else (0, ROWS - 1)
            self.row = self.column = 0
        elif command == "H":
            self.row, self.column = [int(n) - 1 for n in numbers.split(";")]
        elif command == "K":
            self.rows[self.row] = self.rows[self.row][:self.column]
        elif command == "J":
            self.rows[self.row] = self.rows[self.row][:self.column]
            self.rows[self.row + 1:] = [""] * (ROWS - self.row - 1)

    def lines(self):
        return [row.rstrip() for row in [*self.gone, *self.rows] if row.strip()]

    def whole(self):
        return self.top == 0 and self.bottom == ROWS - 1


class Job:
    def __init__(self, folder, *options, kind="xterm"):
        self.screen, self.raw, self.rest = Screen(), "", ""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.chdir(folder)
            os.environ["TERM"] = kind
            os.execv(SKEIN, [SKEIN, "run", *options, "./chatty"])

    def read(self, seconds):
        """Returns False at the end."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            new = os.read(self.terminal, 65536).decode()
        except OSError:  # all writers have closed it
            return False
        self.raw += new
        self.rest = self.screen.take(self.rest + new)
        return bool(new)

    def until(self, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline or not self.read(1):
                sys.exit(f"FAILED: {what}\n" + "\n".join(self.screen.rows) + f"\n{self.raw!r}")

    def end(self):
        while self.read(PATIENCE):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def status_of(job):
    return re.fullmatch(
        r"skein: \d+(\.\d)? sync points/s \| imbalance \d+ % \| \d+ ranks moved in \d+ LB steps? \| 0:\d\d",
        job.screen.rows[-1].rstrip())


def check(what, value, job):
    if not value:
        sys.exit(f"FAILED: {what}\n" + "\n".join(job.screen.rows) + f"\n{job.raw!r}")


def check_lines(job):
    """Checks that the program's lines are whole, and in their order."""
    told = [re.fullmatch(r"line (\d+) of rank (\d)", line) for line in job.screen.lines()]
    told = [(int(line.group(2)), int(line.group(1))) for line in told if line]
    for rank in (0, 3):
        numbers = [number for whose, number in told if whose == rank]
        check(f"the lines of rank {rank} are {numbers}", numbers == list(range(len(numbers))) and len(numbers) > 5, job)
    check("something else is on the screen",
          not [line for line in job.screen.lines() if not re.fullmatch(r"line \d+ of rank \d|\[0\] LB .*|skein run: .*", line)],
          job)


def stop(folder):
    with open(os.path.join(folder, "stop"), "w", encoding="utf-8"):
        pass


def main():
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "chatty.c"), "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    subprocess.run([SKEIN, "cc", "chatty.c", "-o", "chatty"], cwd=folder, check=True)
    balanced = ["-n", "4", "--lb", "rotate", "--lb-period", "10"]

    for pes in ("1", "2"):
        job = Job(folder, "-p", pes, *balanced)
        job.until(lambda: status_of(job) and len(job.screen.gone) > 3, "no status line")
        check("the status line is among the lines", not any("skein:" in row for row in job.screen.rows[:-1]), job)
        stop(folder)
        check("the job failed", job.end() == 0, job)
        os.remove(os.path.join(folder, "stop"))
        check("the region is left behind", job.screen.whole(), job)
        check("the status line is left behind", not any("skein: " in line for line in job.screen.lines()), job)
        check_lines(job)

    # Ctrl-C, and a killed process, leave a whole screen.
    for pes, how in (("2", lambda: os.write(job.terminal, b"\x03")), ("1", lambda: os.kill(job.process, signal.SIGTERM))):
        job = Job(folder, "-p", pes, *balanced)
        job.until(lambda: status_of(job), "no status line")
        how()
        check("the job did not fail", job.end() != 0, job)
        check("a stopped job leaves its region behind", job.screen.whole(), job)
        check("a stopped job leaves its status line", not any("skein: " in line for line in job.screen.lines()), job)

    # No status line is shown if it is switched off, messages are, or the terminal cannot show it.
    stop_later = 2.5
    jobs = [Job(folder, "-p", "1", *balanced, *options, kind=kind)
            for options, kind in ((["--progress=no"], "xterm"), (["-q"], "xterm"), ([], "dumb"))]
    end = time.monotonic() + stop_later
    while time.monotonic() < end:
        for job in jobs:
            job.read(0.03)
    stop(folder)
    for job in jobs:
        check("the job failed", job.end() == 0, job)
        check("there is a status line", "\x1b" not in job.raw, job)

    # Nor is it shown if standard error is no terminal, even on request.
    done = subprocess.run([SKEIN, "run", "-p", "1", *balanced, "--progress", "./chatty"], cwd=folder, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0 or "\x1b" in done.stdout + done.stderr:
        sys.exit(f"FAILED: without a terminal: {done}")


main()
