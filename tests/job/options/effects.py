#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each option of each command changes something: what is printed, written, simulated, or refused.

  effects.py SKEIN SOURCES [OPTION...]

The options are those of `skein help --markdown`, which is made of the tables that commands read their words by; so an
option without a row in rows.py fails, as does a row without an option.
"""
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

import files
import rows

HERE = os.path.dirname(os.path.abspath(__file__))
CALLED = {("exec", "--np"): "-n", ("exec", "--genv"): "--env", ("exec", "--wd"): "--wdir"}


def options_of(skein):
    """Returns by command: {the name of the option, as rows.py has it: its help}."""
    found = {}
    text = subprocess.run([skein, "help", "--markdown"], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        if line.startswith("## "):
            command = line.removeprefix("## skein ")
        row = re.match(r"\| `(-[^`]*)` \|(?:.*\|)? ([^|]*) \|$", line.replace("\\|", "/"))
        if not row or command not in rows.COMMANDS:
            continue
        names, told = re.findall(r"-{1,2}[a-z][a-z-]*", row[1], re.IGNORECASE), row[2]
        # In exec, names with one meaning share a line; elsewhere a letter and a name do.
        if command == "exec" and re.match("Has no effect|Refused", told):
            for name in names:
                found.setdefault(command, {})[name] = told
        else:
            long = [name for name in names if name.startswith("--")] or names
            found.setdefault(command, {})[CALLED.get((command, long[0]), long[0])] = told
    return found


class Told:
    """The results of a command."""

    def __init__(self, words, folder, result, variables):
        begun = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env={**os.environ, "TEST_SAID": "no", **variables})
        self.most_tasks = watched(begun) if "tune" in words and "--jobs" in words else 0
        self.output, self.errors = begun.communicate(timeout=120)
        self.status = begun.returncode
        paths = [result] if os.path.isfile(result) else sorted(glob.glob(result + "/**", recursive=True))
        self.files = {}
        for path in filter(os.path.isfile, paths):
            with open(path, "rb") as file:
                self.files[path] = file.read()

    @property
    def json_lines(self):
        """The values of the one file's lines, or none."""
        return [json.loads(line) for line in next(iter(self.files.values()), b"").splitlines() if line.strip()]

    @property
    def makespan(self):
        return re.findall(r"^makespan .*", self.output, re.MULTILINE)

    @property
    def times(self):
        """Lines of tables that have numbers."""
        return [line for line in self.output.splitlines() if re.search(r"\d\.\d|\de-", line)]

    def everything(self):
        return self.status, self.output, self.errors, self.files


def watched(process):
    """Returns the most processes and threads that the process had at a time, itself included."""
    most = 0
    while process.poll() is None:
        try:
            threads = os.listdir(f"/proc/{process.pid}/task")
            children = [child for thread in threads for child in open(f"/proc/{process.pid}/task/{thread}/children", encoding="ascii").read().split()]
            most = max(most, len(threads) + len(children))
        except OSError:
            pass
        time.sleep(0.0005)
    return most


told_without = {}


def check_case(skein, command, case, paths, folder):
    """Returns the reason for which the case fails, or None. Rows with the same base share one command without the option."""
    result = paths["RESULT"] = os.path.join(folder, "result")
    words = {"without": case.base, "with": None}
    if case.instead.startswith("--jobs"):
        words["without"] += " " + case.instead
        words["with"] = case.base + " " + case.words
    elif case.instead:
        words["with"] = case.base.replace(case.instead, case.words)
    elif command in ("run", "exec") and not case.base.startswith("-"):
        raise ValueError(case.base)
    else:
        # What follows the program belongs to it.
        head, program, rest = re.match(r"(.*?)(\b(?:PROGRAM|\./program|program|deeper)\b.*)?()$", case.base).groups()
        words["with"] = " ".join(filter(None, [head.strip(), case.words, program, rest]))
    seen = {}
    for which, text in words.items():
        key = (command, text, *case.variables.items())
        told = told_without.get(key) if which == "without" else None
        if told is None:
            subprocess.run(["rm", "-rf", result], check=True)
            told = Told([skein, command, *(paths.get(word, word) for word in shlex.split(text))], folder, result, case.variables)
        if which == "without":
            told_without[key] = told
        seen[which] = case.see(told) if case.see else told.everything()
    if seen["with"] == seen["without"]:
        return f"changes nothing: 'skein {command} {words['with']}' tells what 'skein {command} {words['without']}' tells: {seen['with']}"
    return None


def check_row(skein, sources, command, name, told, paths, folder):
    row = rows.COMMANDS[command].get(name)
    if row is None and command == "exec" and re.match("Has no effect", told):
        return None
    if row is None and command == "exec" and told.startswith("Refused"):
        done = subprocess.run([skein, "exec", name, "1", paths["PROGRAM"]], capture_output=True, text=True, cwd=folder, check=False)
        return None if done.returncode == 2 and name.strip("-") in done.stderr else f"is not refused: {done.stderr}"
    if row is None:
        return "has no row: say in rows.py what shows that it does something"
    if isinstance(row, rows.Elsewhere):
        tests = [file for file in glob.glob(os.path.join(sources, row.test) + ("**" if row.test.endswith("/") else ""), recursive=True)
                 if os.path.isfile(file)]
        wanted = re.compile(r"(?<![\w-])(?:--|SKEIN_|--skein\.)?" + re.escape(name.strip("-")).replace(r"\-", "[-_]") + r"\b", re.IGNORECASE)
        if any(wanted.search(open(file, encoding="utf-8").read()) for file in tests):
            return None
        return f"is in none of {row.test}"
    return check_case(skein, command, row, paths, folder)


def main():
    skein, sources, *only = sys.argv[1:]
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        paths = files.make(skein, HERE, folder)
        found = options_of(skein)
        for command, table in rows.COMMANDS.items():
            for name in table:
                if name not in found.get(command, {}):
                    failed.append(f"skein {command} {name}: has a row, and is no option")
            for name, told in found.get(command, {}).items():
                if only and f"{command}:{name}" not in only and command not in only:
                    continue
                why = check_row(skein, sources, command, name, told, paths, folder)
                if why:
                    failed.append(f"skein {command} {name}: {why}")
    if failed:
        sys.exit("\n".join(failed))


main()
