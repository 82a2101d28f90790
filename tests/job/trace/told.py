# SPDX-License-Identifier: Apache-2.0
"""The lines of a recording of three ranks, wherever these are and however they move."""
import pathlib
import subprocess
import sys


def check(tools, name, expected, jobs, edit=lambda line: line):
    """Records the program with each of the options and compares, line by line, with what is expected of each rank in turn.
    `tools`: SKEIN TRACE_TEXT PROGRAM WORK. Yields the options and the trace of each correct job; ends the test at an
    incorrect one."""
    skein, trace_text, program, work = tools
    wanted = ["complete 1"] + [line for me in range(3) for line in expected(me)]
    for number, options in enumerate(jobs):
        trace = pathlib.Path(work) / f"{name}{number}.sktrace"
        command = [skein, "run", *options, "-n", "3", "-q", "--trace", trace, program]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=work)
        text = subprocess.run([trace_text, trace], check=True, capture_output=True, text=True).stdout.splitlines()
        text = [edit(line) for line in text]
        for at, (have, want) in enumerate(zip(text, wanted)):
            if have != want:
                sys.exit(f"{options}: line {at + 1} is '{have}', not '{want}', after {text[max(0, at - 8):at]}")
        if len(text) != len(wanted):
            sys.exit(f"{options}: {len(text)} lines, not {len(wanted)}: {text[len(wanted):][:3]}")
        yield options, trace
