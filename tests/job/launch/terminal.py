#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""terminal.py SKEIN PROGRAM: rank 0 reads typed text in the foreground, and again after the job was in the background,
where the job goes on meanwhile; Ctrl-Z stops it. A shell with job control runs the jobs on a terminal of their own.
PROGRAM is tests/programs/input/input.c."""
import os
import pty
import re
import select
import sys
import time

SKEIN, PROGRAM = sys.argv[1:]
PATIENCE = 60


class Shell:
    def __init__(self):
        self.text = ""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ["PS1"] = "ready> "
            os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
        self.expect("ready> ")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def expect(self, pattern):
        """Waits for the pattern (a regular expression) and drops what comes before its end."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text)):
            if not select.select([self.terminal], [], [], max(0, deadline - time.monotonic()))[0]:
                sys.exit(f"FAILED: nothing like {pattern!r} in {self.text!r}")
            self.text += os.read(self.terminal, 4096).decode()
        self.text = self.text[found.end():]

    def run(self, pes, how, more=""):
        self.type(f"'{SKEIN}' run -p {pes} -n 4 '{PROGRAM}' {how} {more}\n")


shell = Shell()
for pes in (1, 2):
    shell.run(pes, "question")
    shell.expect("question\r\n")
    shell.type("5\n6\n")
    shell.type("7\n\x04")
    shell.expect("3 numbers, sum 18\r\n(.|\n)*ready> ")

    # A read in the background neither stops the job nor takes text that is typed for the shell.
    shell.run(pes, "question", "&")
    shell.expect("question\r\n")
    time.sleep(1)
    shell.type("jobs\n")
    shell.expect("Running.*question(.|\n)*ready> ")
    shell.type("fg\n")
    shell.expect("run -p.*question *\r\n")
    shell.type("8\n9\n\x04")
    shell.expect("2 numbers, sum 17\r\n(.|\n)*ready> ")

    shell.run(pes, "question")
    shell.expect("question\r\n")
    shell.type("\x1a")
    shell.expect("Stopped(.|\n)*ready> ")
    shell.type("fg\n")
    shell.expect("run -p.*question *\r\n")
    shell.type("3\n\x04")
    shell.expect("1 numbers, sum 3\r\n(.|\n)*ready> ")
shell.type("exit\n")
os.waitpid(shell.process, 0)
