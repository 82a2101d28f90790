#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How true predicted times are: what jobs really take beside what `skein simulate` says of them.

  bench/accuracy.py measure [options]    a round: each program recorded on two PEs without a strategy, and run in each way
  bench/accuracy.py compare [options]    each run simulated from the recording of its round, and the table

`measure` needs a machine that does nothing else (it tells what others had of it). What disturbs a machine for longer than a
run disturbs both sides of a round alike, so what counts is the median over the rounds of the error within a round. With
--seconds a round may be cut in pieces: the next `measure` goes on with the programs that have had fewer.

Where $SKEIN_MPIEXEC starts the PEs, as bench/two_nodes.sh sets it, the recordings and runs are those of other nodes, and
--platform is to be calibrated there. What "others had" then has the PEs of other nodes in it.

Times are of the same span: a real one is `end.at_s` of --lb-report, from before the first rank runs until all have ended; a
simulated one is the makespan.

Public codes are not built here: $LULESH is a program as `skein cxx` makes it, $BT_MZ and $BT_MZ_64 are BT-MZ for 16 and 64
processes with MPI_Migrate() at the end of a time step. What is not given is left out.

The bounds: the median error at most 3 %, the worst 8 %; of the pairs of configurations of a program that really differ by
more than 3 % the simulation has 95 % in the right order.

With --least the machine is taken to have been quiet now and then: the shortest run of each configuration over all rounds is
compared with what the least of all recordings of its program says (skein trace least), or of a native program, whose
recordings differ, with what the shortest one says.

No prediction of a run is nearer than a run like it. So from two rounds on the table also has what the run of another round
would have said: with the same errors, of the runs of one round against the median of the others; with --least, of the
shortest runs of the odd rounds against those of the even ones.
"""
import argparse
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
MEDIAN_BOUND, WORST_BOUND, PAIRS_BOUND, DIFFERENT = 3.0, 8.0, 95.0, 3.0

# PEs, strategy, period.
CHOICES = [(2, "none", 0), (1, "none", 0), (2, "greedy", 5), (2, "greedy", 20), (2, "greedy-refine", 1),
           (2, "greedy-refine", 10), (2, "refine", 2), (2, "refine", 20), (2, "auto", "auto")]
FEW_CHOICES = [(2, "none", 0), (1, "none", 0), (2, "greedy", 5), (2, "greedy-refine", 1), (2, "refine", 10),
               (2, "auto", "auto")]


class Program:
    def __init__(self, name, ranks, command, choices, options=(), env=None, native=False, input_file=None):
        self.name, self.ranks, self.command, self.choices = name, ranks, command, choices
        self.options, self.env, self.native, self.input_file = list(options), env or {}, native, input_file


def programs(bench):
    scenarios = os.path.join(ROOT, "apps/seismic/scenarios")
    found = []
    for scenario, steps in (("ligurian", 160), ("niigata", 180)):
        for ranks in (16, 64):
            found.append(Program(f"{scenario}-{ranks}", ranks,
                                 [bench.own("seismic"), f"{scenarios}/{scenario}.txt", "--steps", str(steps), "--migrate",
                                  "1", "--output", bench.path("out")], CHOICES if ranks == 16 else FEW_CHOICES))
    found.append(Program("kneighbor-16", 16, [bench.own("kneighbor"), "500", "0.5"], FEW_CHOICES))
    for problem, steps in (("sedov", 60), ("shockpool3d", 20)):
        found.append(Program(f"samr-{problem}", 0, [bench.app("samr"), "--scenario",
                                                    os.path.join(ROOT, f"apps/samr/scenarios/{problem}.ini"), "--steps", str(steps)],
                             FEW_CHOICES, native=True))
    if os.environ.get("LULESH"):
        for ranks, size in ((8, 24), (64, 12)):
            found.append(Program(f"lulesh-{ranks}", ranks, [os.environ["LULESH"], "-s", str(size), "-i", "100"],
                                 FEW_CHOICES, options=["--sync-at", "MPI_Allreduce"]))
    for variable, ranks, steps in (("BT_MZ", 16, 300), ("BT_MZ_64", 64, 12)):
        if os.environ.get(variable):
            found.append(Program(f"bt-mz-{ranks}", ranks, [os.environ[variable]], FEW_CHOICES,
                                 env={"OMP_NUM_THREADS": "1"}, input_file=("inputbt-mz.data", f"{steps}\n0.0\n0\n")))
    found.append(Program("moldyn-droplet", 0, [bench.app("moldyn"), "--scenario", "droplet", "--steps", "120", "--sync", "1"],
                         FEW_CHOICES, native=True))
    return found


class Bench:
    def __init__(self, options):
        self.options = options
        self.build = os.path.abspath(options.build)
        self.skein = os.path.join(self.build, "bin/skein")
        self.work = os.path.abspath(options.work)
        os.makedirs(self.path("reports"), exist_ok=True)
        self.platform = options.platform or self.path("here.platform")
        self.until = time.monotonic() + options.seconds
        self.programs = [p for p in programs(self) if re.search(options.only, p.name)]

    def path(self, name):
        return os.path.join(self.work, name)

    def app(self, name):
        return os.path.join(self.build, "apps", name, name)

    def own(self, name):
        """Compiles a program of the project for virtual ranks when it is first wanted. Returns its path."""
        path = self.path(name)
        if not os.path.exists(path):
            sources = {"seismic": [f"{ROOT}/apps/seismic/{name}" for name in sorted(os.listdir(f"{ROOT}/apps/seismic"))
                                   if name.endswith(".c")],
                       "kneighbor": [f"{ROOT}/bench/kneighbor/kneighbor.c"]}[name]
            # As apps/seismic/CMakeLists.txt compiles it.
            subprocess.run([self.skein, "cc", "-std=c11", "-O3", "-ffp-contract=off", "-falign-functions=64", *sources,
                            "-lm", "-o", path], check=True)
        return path

    def run(self, program, pes, settings):
        """Runs with these settings of skein run; returns the processor time that others had meanwhile, s."""
        if program.input_file:
            with open(self.path(program.input_file[0]), "w", encoding="utf-8") as file:
                file.write(program.input_file[1])
        if program.native:
            command = [*os.environ.get("SKEIN_MPIEXEC", "mpirun").split(), "-n", str(pes), *program.command, *[f"--skein.{key}={value}" for key, value in settings]]
        else:
            command = [self.skein, "run", "-p", str(pes), "-n", str(program.ranks), *program.options,
                       *[word for key, value in settings for word in (f"--{key}", str(value))], *program.command]
        before = processor_seconds_of_others()
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, cwd=self.work,
                                env={**os.environ, **program.env})
        if result.returncode:
            sys.exit(f"accuracy.py: {' '.join(command)}: status {result.returncode}\n{result.stderr}")
        return processor_seconds_of_others() - before

    def trace_of(self, program, number):
        return self.path(f"{program.name}.{number}.sktrace")

    def measured(self):
        """Returns the lines of runs.jsonl: of recordings (without `lb`) and of runs."""
        try:
            with open(self.path("runs.jsonl"), encoding="utf-8") as file:
                return [json.loads(line) for line in file]
        except FileNotFoundError:
            return []

    def measure(self):
        """Makes a round of each program, of those with the fewest first: it is recorded, and run in each way."""
        rounds = {program.name: 0 for program in self.programs}
        for line in self.measured():
            rounds[line["program"]] = max(rounds.get(line["program"], 0), line["round"] + 1)
        for program in sorted(self.programs, key=lambda program: rounds[program.name]):
            if time.monotonic() > self.until:
                break
            number = rounds[program.name]
            self.measure_one(program, number, None)
            for choice in program.choices:
                self.measure_one(program, number, choice)

    def measure_one(self, program, number, choice):
        pes, lb, period = choice or (2, "none", 0)
        line = {"program": program.name, "round": number, "pes": pes}
        # Without a strategy LB steps measure and take time, so there must be none.
        settings = [("lb-period", 1000000000 if lb == "none" else period)]
        if choice:
            line.update(lb=lb, period=period, report=self.path(f"reports/{program.name}.{number}.{pes}.{lb}.{period}.json"))
            settings.append(("lb", lb))
        else:
            line.update(trace=self.trace_of(program, number),
                        report=self.path(f"reports/{program.name}.{number}.recorded.json"))
            settings.append(("trace", line["trace"]))
        others = self.run(program, pes, settings + [("lb-report", line["report"])])
        line.update(seconds=end_of(line["report"]), others_s=round(others, 3))
        print(f"{program.name:16} {pes} PE {lb if choice else 'recorded':14} {period if choice else '':5} "
              f"{line['seconds']:.3f} s, others had {others:.3f} s", flush=True)
        with open(self.path("runs.jsonl"), "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def least_trace(self, program, rounds):
        """Joins several recordings, anew; returns the name that replaces the number of a round."""
        if program.native or len(rounds) < 2:
            return rounds[0]
        subprocess.run([self.skein, "trace", "least", *[self.trace_of(program, number) for number in rounds], "-o",
                        self.trace_of(program, "least")], stdout=subprocess.DEVNULL, check=True)
        return "least"

    def simulated(self, program, number, pes, lb, period):
        command = [self.skein, "simulate", self.trace_of(program, number), "--platform", self.platform, "--pes", str(pes), "--alone",
                   "--json", "--lb", lb, "--map", "recorded" if program.native and pes == 2 else "block"]
        if lb != "none":
            command += ["--lb-period", str(period)]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if result.returncode:
            sys.exit(f"accuracy.py: {' '.join(command)}: status {result.returncode}\n{result.stderr}")
        with open(self.path(f"reports/{program.name}.{number}.{pes}.{lb}.{period}.simulated.json"), "w", encoding="utf-8") as file:
            file.write(result.stdout)
        return json.loads(result.stdout)["makespan_s"]

    def compare(self):
        runs, recordings = {}, {}
        for line in self.measured():
            if "lb" in line:
                runs.setdefault((line["program"], line["pes"], line["lb"], line["period"]), []).append(line)
            else:
                recordings.setdefault(line["program"], []).append(line)
        rows = []
        for program in self.programs:
            if self.options.least and recordings.get(program.name):
                by_length = sorted(recordings[program.name], key=lambda line: line["seconds"])
                least = self.least_trace(program, [line["round"] for line in by_length])
            for choice in program.choices:
                lines = runs.get((program.name, *choice), [])
                if not lines:
                    continue
                rounds = [least] if self.options.least else [line["round"] for line in lines]
                simulated = [self.simulated(program, number, *choice) for number in rounds]
                real = [line["seconds"] for line in lines]
                compared = [min(real)] if self.options.least else real
                errors = [100 * (time_s / seconds - 1) for time_s, seconds in zip(simulated, compared)]
                rows.append({"program": program.name, "pes": choice[0], "lb": choice[1], "period": choice[2],
                             "runs_s": real, "simulations_s": simulated, "errors_percent": errors,
                             "real_s": statistics.median(compared), "simulated_s": statistics.median(simulated),
                             "error_percent": statistics.median(errors)})
        if not rows:
            sys.exit("accuracy.py: nothing has been measured yet")
        self.tell(rows)

    def tell(self, rows):
        print(f"{'program':16} {'PEs':>3} {'strategy':14} {'period':>6} {'real s':>8} {'simulated':>9} {'error':>7}   of each round")
        for row in rows:
            print(f"{row['program']:16} {row['pes']:>3} {row['lb']:14} {row['period']!s:>6} {row['real_s']:8.3f} "
                  f"{row['simulated_s']:9.3f} {row['error_percent']:+6.1f} %   "
                  + " ".join(f"{error:+.1f}" for error in row["errors_percent"]))
        errors = [abs(row["error_percent"]) for row in rows]
        right, pairs = ordered_pairs(rows)
        summary = {"configurations": len(rows), "median_error_percent": statistics.median(errors),
                   "worst_error_percent": max(errors), "pairs": pairs, "pairs_in_order": right}
        print(f"{len(rows)} configurations: median error {summary['median_error_percent']:.1f} % (at most {MEDIAN_BOUND:.0f} %), "
              f"worst {summary['worst_error_percent']:.1f} % (at most {WORST_BOUND:.0f} %)")
        if pairs:
            print(f"order: {right} of {pairs} pairs that differ by more than {DIFFERENT:.0f} % are right, "
                  f"{100 * right / pairs:.1f} % (at least {PAIRS_BOUND:.0f} %)")
        summary["by_another_run"] = by_other_least(rows) if self.options.least else by_another_run(rows)
        if summary["by_another_run"]:
            print("a real run of another round instead of the simulation: median error {median_error_percent:.1f} %, worst "
                  "{worst_error_percent:.1f} %; {pairs_in_order} of {pairs} pairs in order".format(**summary["by_another_run"]))
        with open(self.path("accuracy.json"), "w", encoding="utf-8") as file:
            json.dump({"summary": summary, "rows": rows}, file, indent=1)


def processor_seconds_of_others():
    """Returns the time of all processes of the machine and its host except this one's children, since it
    booted."""
    with open("/proc/stat", encoding="utf-8") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    own = os.times()
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK") - sum(own[:4])


def end_of(report):
    with open(report, encoding="utf-8") as file:
        return json.loads(file.readlines()[-1])["end"]["at_s"]


def by_another_run(rows):
    """Returns the summary of rows in which real runs replace the simulations: in each round the run of the first round,
    which is no row's own. Uses as few rounds as any row has; None if that is one."""
    rounds = min(len(row["runs_s"]) for row in rows)
    if rounds < 2:
        return None
    told = []
    for row in rows:
        stand_in, *others = row["runs_s"][:rounds]
        told.append({**row, "real_s": statistics.median(others), "simulated_s": stand_in,
                     "error_percent": 100 * statistics.median(stand_in / other - 1 for other in others)})
    return summary_of_others(told, rounds)


def by_other_least(rows):
    """Returns the summary of rows in which the shortest runs of the odd rounds replace the simulations, against
    those of the even ones."""
    rounds = min(len(row["runs_s"]) for row in rows)
    if rounds < 2:
        return None
    told = []
    for row in rows:
        even, odd = min(row["runs_s"][0:rounds:2]), min(row["runs_s"][1:rounds:2])
        told.append({**row, "real_s": even, "simulated_s": odd, "error_percent": 100 * (odd / even - 1)})
    return summary_of_others(told, rounds)


def summary_of_others(told, rounds):
    errors = [abs(row["error_percent"]) for row in told]
    right, pairs = ordered_pairs(told)
    return {"rounds": rounds, "median_error_percent": statistics.median(errors), "worst_error_percent": max(errors),
            "pairs": pairs, "pairs_in_order": right}


def ordered_pairs(rows):
    """Returns how many pairs of configurations of a program that really differ are in the right order, and how many there
    are."""
    right = pairs = 0
    for a, b in itertools.combinations(rows, 2):
        if a["program"] != b["program"]:
            continue
        fast, slow = sorted((a, b), key=lambda row: row["real_s"])
        if slow["real_s"] <= (1 + DIFFERENT / 100) * fast["real_s"]:
            continue
        pairs += 1
        right += fast["simulated_s"] < slow["simulated_s"]
    return right, pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["measure", "compare"])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--work", default="accuracy", help="folder for recordings, reports and runs.jsonl")
    parser.add_argument("--platform", help="of skein calibrate -p 2 (default: here.platform in the folder)")
    parser.add_argument("--only", default="", help="regular expression: programs")
    parser.add_argument("--least", action="store_true", help="compares shortest runs with the least of the recordings")
    parser.add_argument("--seconds", type=float, default=1e9, help="no run is begun after so many")
    options = parser.parse_args()
    getattr(Bench(options), options.what)()


if __name__ == "__main__":
    main()
