# SPDX-License-Identifier: Apache-2.0
"""Runs Skein for a part of a paper: programs, recordings, simulations; and keeps the results of parts."""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(HERE))


def fail(text):
    sys.exit(f"bench/papers: {text}")


class Bench:
    """small: sizes are tiny. Paths are absolute; commands run in the work folder, one for each paper."""

    def __init__(self, options, paper):
        self.small = options.small
        self.build = os.path.abspath(options.build)
        self.skein = os.path.join(self.build, "bin", "skein")
        if not os.access(self.skein, os.X_OK):
            fail(f"{self.skein} is not there: build first, or name the build folder with --build")
        work = os.path.abspath(options.work or os.path.join(self.build, "papers"))
        self.work = os.path.join(work, "small" if self.small else "full", paper)
        if self.small:
            shutil.rmtree(self.work, ignore_errors=True)
        self.again = options.again
        self.others = 100.0 if self.small else options.others  # % of the processors that others may have while something is recorded
        os.makedirs(self.work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.work, name)

    # ---- kept results

    def _kept_path(self, paper, part):
        return self.path(f"{paper}.{part}.json")

    def kept(self, paper, part):
        """Returns the earlier results of the part, or None."""
        path = self._kept_path(paper, part)
        if self.again or not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def keep(self, paper, part, figures):
        with open(self._kept_path(paper, part) + ".tmp", "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)
        os.rename(self._kept_path(paper, part) + ".tmp", self._kept_path(paper, part))
        return figures

    # ---- commands

    def run(self, command, **more):
        """Returns the standard output of a command; if it fails, ends with its error."""
        environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "OMPI_MCA_rmaps_base_oversubscribe": "1", **os.environ}
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                check=False, **{"cwd": self.work, "env": environment, **more})
        if result.returncode != 0:
            fail(f"{' '.join(command)}: status {result.returncode}: {result.stderr.strip()}")
        return result.stdout

    def make(self, name, command_of, **more):
        """Returns the path of a file, which command_of(path) makes if it is missing."""
        path = self.path(name)
        if not os.path.exists(path):
            print(f"[making {name}]", file=sys.stderr, flush=True)
            self.run(command_of(path + ".tmp"), **more)
            os.rename(path + ".tmp", path)
        return path

    def maker(self, name):
        """Returns the path of a program of bench/papers/CMakeLists.txt that makes traces by formula."""
        return os.path.join(self.build, "bench", "papers", name)

    def simulate(self, trace, platform, pes, strategy="none", period=20, more=()):
        """Returns the result of `skein simulate --json`."""
        return json.loads(self.run([self.skein, "simulate", trace, "--platform", platform, "--pes", str(pes), "--lb", strategy,
                                    "--lb-period", str(period), "--json", *more]))

    def table(self, title, head, rows):
        """Prints rows of texts and numbers under a title."""
        cells = [head] + [[cell if isinstance(cell, str) else f"{cell:.4g}" for cell in row] for row in rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
        print(f"\n{title}")
        for row in cells:
            print("  " + "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                                   for i, (cell, width) in enumerate(zip(row, widths))))
        print(flush=True)
