# SPDX-License-Identifier: Apache-2.0
"""O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato: Quantifying the Effectiveness of Load Balance Algorithms, ICS 2012.

table1: rows (a) to (d) with their moments, and how many steps diffusion takes to level each, which the moments do not tell.
gamma:  Algorithm 2 as it is printed, beside what the simulator of diffusion here does.
model:  Figures 6(a) and 6(b): none, global (Zoltan at the first step) and diffusive (Koradi at every step) over cases of the
        benchmark (apps/graph), simulated (graph_cases.cpp), and what the model chooses.
runs:   the same of real runs of the benchmark, whose elements wait in place of computing, since there are more processes
        than cores.

Figures 4, 6(c) and Tables 4 and 5 are of ddcMD: pearce_moldyn.py. Figure 5 is of ParaDiS: pearce_dislocations.py.
"""
import json
import os
import random
import re
import subprocess

import pearce_dislocations
import pearce_moldyn
from frame.paper import Item, Paper

# Table 1: mean, percent imbalance, standard deviation, skewness, kurtosis.
TABLE1 = {"a": (2, 0, 0, 0, 0), "b": (2, 50, 1, 0, -2), "c": (2, 50, 0.5, 2, 1), "d": (2, 50, 0.5, 2, 1)}
MEASURES = ("perfect_finish_s", "imbalance_percent", "standard_deviation_s", "skewness", "kurtosis")


def metrics(bench, file, diffusion):
    return json.loads(bench.run([bench.skein, "lb", "metrics", file, "--strategy", diffusion, "--json"]))


def table1(bench):
    figures, rows = {}, []
    for row, theirs in TABLE1.items():
        file = bench.make(f"table1.{row}.json", lambda path, row=row: [
            bench.skein, "lb", "generate", f"pattern-{row}", "--objects", "800", "--pes", "8", "-o", path])
        told = metrics(bench, file, "diffusion")
        cube = metrics(bench, file, "diffusion:graph=hypercube")["convergence_steps"]
        ours = [told[name] for name in MEASURES]
        figures.update({f"{name} {row}": value for name, value in zip(MEASURES, ours)})
        figures[f"steps {row}"], figures[f"steps {row}, hypercube"] = told["convergence_steps"], cube
        rows.append([f"({row})"] + [f"{a:g} {b:.3g}" for a, b in zip(theirs, ours)] + [told["convergence_steps"], cube])
    bench.table("Table 1, each: theirs ours", ["", "mean", "imbalance %", "deviation", "skewness", "kurtosis",
                                             "steps, elements' graph", "steps, hypercube"], rows)
    return figures


def printed(loads, gamma, steps, sign):
    """Algorithm 2 as printed (sign 1), on a row of processes; sign -1: load flows to those with less. Largest load, by step."""
    largest = [max(loads)]
    for _ in range(steps):
        flows = [sum(gamma * (mine - loads[j]) for j in (i - 1, i + 1) if 0 <= j < len(loads)) for i, mine in enumerate(loads)]
        loads = [mine + sign * flow for mine, flow in zip(loads, flows)]
        largest.append(max(loads))
    return largest


def steps_until(largest, limit):
    return next((step for step, load in enumerate(largest) if load <= limit), None)


def gamma(bench):
    """Plays row (d), whose load has to go through all processes; the threshold is 1 %."""
    row, figures, rows = [1, 2, 2, 2, 2, 2, 2, 3], {}, []
    as_printed = printed(row, 1, 20, 1)
    figures["as printed, largest after 20 steps"] = as_printed[-1]
    rows.append(["as printed, gamma = 1", f"{as_printed[-1]:.3g}", "never"])
    other_sign = printed(row, 1, 20, -1)
    figures["sign turned, largest after 20 steps"] = other_sign[-1]
    rows.append(["sign turned, gamma = 1", f"{other_sign[-1]:.3g}", "never"])
    for part in (1 / 2, 1 / 3):
        largest = printed(row, part, 1000, -1)
        figures[f"steps, sign turned, gamma {part:.2f}"] = steps_until(largest, 2.02)
        rows.append([f"sign turned, gamma = {part:.2f}", f"{largest[20]:.3g}", str(steps_until(largest, 2.02))])
    file = bench.make("table1.d.json", lambda path: [bench.skein, "lb", "generate", "pattern-d", "--objects", "800", "--pes", "8",
                                                     "-o", path])
    for part in (1, 0.5):
        steps = metrics(bench, file, f"diffusion:gamma={part}")["convergence_steps"]
        figures[f"steps, here, gamma {part}"] = steps
        rows.append([f"here, gamma = {part}", "", steps])
    bench.table("Algorithm 2 on row (d)", ["", "largest load after 20 steps", "steps to within 1 %"], rows)
    return figures


# Figure 6.

STEPS = 100
PLATFORM = "opteron288"
POLICIES = ("none", "global", "diffusive")


def cases(small):
    """Returns the cases, drawn before anything was measured; each number of processes is equally frequent."""
    draw = random.Random(2012)
    count, sizes = (12, [1000]) if small else (204, [8000] * 30 + [27000] * 3)
    for k in range(count):
        pes = (2, 4, 8, 16, 32, 64)[k % 6]
        vertices = 64000 if not small and k in (100, 203) else draw.choice(sizes)
        weights = draw.choice(["even", "hotspot", "gradient", "halves", "random"])
        placed = draw.choice(["boxes", "blocks", "skewed", "near", "far"])
        yield (f"{vertices} {draw.choice(['mesh2d', 'mesh3d', 'tetra'])} {pes} {weights} {draw.choice([3, 9, 27])} {placed} "
               f"{draw.choice([0.2, 0.5, 0.9])} {k + 1} {10 ** draw.uniform(0.7, 2.7):.1f}")


def simulated(bench):
    """Returns the results of graph_cases, kept case by case, so that a run that was stopped can be continued."""
    path = bench.path("cases.jsonl")
    lines = list(cases(bench.small))
    done = {}
    if os.path.exists(path) and not bench.again:
        with open(path, encoding="utf-8") as file:
            done = {told["case"]: told for told in map(json.loads, file)}
    left = [line for line in lines if line not in done]
    environment = {**os.environ, "LD_LIBRARY_PATH": os.path.join(bench.build, "lib"), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    workers = [subprocess.Popen([bench.maker("graph_cases"), PLATFORM, str(STEPS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                text=True, env=environment, cwd=bench.work) for _ in range(2)]
    mine = [left[k::2] for k in range(2)]
    for worker, lines_of_it in zip(workers, mine):
        # Short enough for a pipe to take at once.
        worker.stdin.write("".join(line + "\n" for line in lines_of_it))
        worker.stdin.close()
    with open(path, "a" if done else "w", encoding="utf-8") as file:
        waiting = [iter(lines_of_it) for lines_of_it in mine]
        for worker in range(2):
            for line in waiting[worker]:
                answer = workers[worker].stdout.readline()
                if not answer:
                    raise SystemExit(f"bench/papers: graph_cases ended at case '{line}'")
                done[line] = {"case": line, **json.loads(answer)}
                file.write(json.dumps(done[line]) + "\n")
                file.flush()
    for worker in workers:
        worker.wait()
    return [done[line] for line in lines]


def chosen(told):
    return {"zoltan": "global", "koradi:every_step": "diffusive"}.get(told["chosen"], "none")


def summed_up(results):
    """results: dicts with the totals of POLICIES and of `model`. Gains are 1 - total / none."""
    gain = {policy: [1 - told[policy] / told["none"] for told in results] for policy in ("global", "diffusive", "model")}
    best = [min(told[policy] for policy in POLICIES) for told in results]
    right = [told[chosen(told)] <= least * 1.000001 for told, least in zip(results, best)]
    missed = [told[chosen(told)] / least - 1 for told, least in zip(results, best)]
    worst_global = [told["global"] / told["none"] - 1 for told in results if told["global"] > told["none"]]
    figures = {"cases": len(results), "right %": 100 * sum(right) / len(right),
               "worst missed %": 100 * max(missed), "mean missed %": 100 * sum(missed) / len(missed),
               "within 6 % of right %": 100 * sum(one <= 0.06 for one in missed) / len(missed),
               "global slower %": 100 * len(worst_global) / len(results),
               "global slower, mean loss %": 100 * sum(worst_global) / max(1, len(worst_global)),
               "global slower, worst loss %": 100 * max(worst_global, default=0),
               "model, worst loss %": 100 * max(0, *(told["model"] / told["none"] - 1 for told in results))}
    for policy, of_it in gain.items():
        figures[f"gain {policy} %"] = 100 * sum(of_it) / len(of_it)
    for policy in POLICIES:
        figures[f"best {policy} %"] = 100 * sum(told[policy] == least for told, least in zip(results, best)) / len(results)
        figures[f"chosen {policy} %"] = 100 * sum(chosen(told) == policy for told in results) / len(results)
    imbalances = sorted(told["imbalance"] for told in results)
    figures["imbalance, median %"], figures["imbalance, most %"] = imbalances[len(imbalances) // 2], imbalances[-1]
    return figures


THEIRS = (("right %", "87"), ("gain model %", "49"), ("gain global %", "48"), ("gain diffusive %", "3"),
          ("global slower %", "4"), ("global slower, mean loss %", "35"), ("worst missed %", "5.43"))


def show(bench, title, figures):
    theirs = dict(THEIRS)
    bench.table(title, ["", "theirs", "ours"], [[name, theirs.get(name, ""), value] for name, value in figures.items()])
    return figures


def model(bench):
    results = [{**told, "model": told[chosen(told)] + told["in_vain"]} for told in simulated(bench)]
    figures = summed_up(results)
    figures["simulations by SimGrid %"] = 100 * sum(told["simgrid"] for told in results) / sum(told["simulations"] for told in results)
    for pes in sorted({told["pes"] for told in results}):
        of_it = summed_up([told for told in results if told["pes"] == pes])
        for name in ("right %", "gain model %", "gain global %", "gain diffusive %"):
            figures[f"{pes} PEs, {name}"] = of_it[name]
    return show(bench, f"Figure 6(a) and (b), {len(results)} cases simulated on {PLATFORM}, {STEPS} steps", figures)


RUN_CASES = (  # processes, options
    (2, "--weights hotspot --decomposition boxes --contrast 9"), (2, "--weights even --decomposition near --skew 0.9"),
    (4, "--weights halves --decomposition boxes --contrast 3"), (4, "--weights random --decomposition far --skew 0.5"),
    (4, "--weights even --decomposition boxes"), (6, "--weights gradient --decomposition boxes --contrast 9"),
    (8, "--weights hotspot --decomposition skewed --contrast 3"), (8, "--weights even --decomposition far --skew 0.9"))


def run_graph(bench, processes, options, more):
    out = bench.run(["mpirun", "-n", str(processes), os.path.join(bench.build, "apps", "graph", "graph"), "--wait", "--mesh", "mesh3d",
                     "--vertices", "1000" if bench.small else "4096", "--steps", "4" if bench.small else "60",
                     "--step-ms", "2" if bench.small else "20", *options.split(), *more])
    return {"seconds": float(re.search(r"^time: (\S+)", out, re.M)[1]), "advised": re.findall(r"^advice: (\S+),", out, re.M),
            "imbalance": float(re.search(r"imbalance of the weights (\S+)", out)[1])}


def runs(bench):
    """Plays global and diffusive whatever they cost: balance counts for a million steps. The model is asked at the first
    step, about all its strategies, for the remaining steps."""
    forced = ["--horizon", "1e6", "--advise", "1", "--strategy"]
    figures, rows, results = {}, [], []
    for processes, options in RUN_CASES[:2] if bench.small else RUN_CASES:
        told = {"none": run_graph(bench, processes, options, []),
                "global": run_graph(bench, processes, options, [*forced, "zoltan", "--once"]),
                "diffusive": run_graph(bench, processes, options, [*forced, "koradi:every_step"]),
                "model": run_graph(bench, processes, options, ["--advise", "1", "--once"])}
        seconds = {policy: of_it["seconds"] for policy, of_it in told.items()}
        results.append({**seconds, "imbalance": told["none"]["imbalance"]})
        rows.append([f"{processes}: {options}", told["none"]["imbalance"], *seconds.values(), *told["model"]["advised"][:1]])
    for policy in ("global", "diffusive", "model"):
        figures[f"gain {policy} %"] = 100 * sum(1 - told[policy] / told["none"] for told in results) / len(results)
    figures["cases"] = len(results)
    figures["model against the best of three, worst %"] = 100 * max(
        told["model"] / min(told[policy] for policy in POLICIES) - 1 for told in results)
    bench.table("Runs of the benchmark, seconds", ["", "imbalance %", *POLICIES, "model", "advised"], rows)
    return show(bench, "Runs", figures)


PARTS = {"table1": table1, "gamma": gamma, "model": model, "runs": runs, **pearce_dislocations.PARTS, **pearce_moldyn.PARTS}

ITEMS = [
    Item("Table 1, rows (a) to (d)", ["lb/metrics.cpp", "lb/generate/load_pattern.cpp"], "table1",
         "skewness 0, 0, 2, 2; kurtosis 0, -2, 1, 1; deviation 0, 1, 0.5, 0.5",
         "skewness {table1[skewness a]:.3g}, {table1[skewness b]:.3g}, {table1[skewness c]:.3g}, {table1[skewness d]:.3g}; kurtosis "
         "{table1[kurtosis a]:.3g}, {table1[kurtosis b]:.3g}, {table1[kurtosis c]:.3g}, {table1[kurtosis d]:.3g}; deviation "
         "{table1[standard_deviation_s a]:.3g}, {table1[standard_deviation_s b]:.3g}, {table1[standard_deviation_s c]:.3g}, "
         "{table1[standard_deviation_s d]:.3g}",
         "Equation 3 does not give the printed skewness of (c) and (d). One process as much over the mean as another is under it has none. And "
         "for any loads kurtosis is at least skewness squared minus 2, so a kurtosis of 1 excludes a skewness of 2. The deviations without "
         "their signs give 2. The paper shows the order of the loads in (b) in a picture; here they alternate."),
    Item("Table 1: (c) against (d)", ["lb/model/diffusion_forecast.cpp"], "table1",
         "(d) is far harder to correct than (c); no figure",
         "{table1[steps c]:.0f} and {table1[steps d]:.0f} steps of diffusion; on a hypercube {table1[steps c, hypercube]:.0f} and "
         "{table1[steps d, hypercube]:.0f}",
         "D is derived from the graph of the elements, as in Table 3. A hypercube hides the difference, since its links are not the "
         "application's."),
    Item("Equations 1 to 4, 13", ["include/skein/lb/metrics.hpp", "lb/metrics.cpp"], "table1", "no figure",
         "{table1[imbalance_percent b]:.0f} percent imbalance in row (b)",
         "They do not differ."),
    Item("Algorithm 2, Equation 10", ["lb/model/diffusion_forecast.cpp", "lb/kernel/pe_graph.hpp", "lb/model/outlook.cpp"], "gamma",
         "no figure; gamma is 1 where the application does not limit moves",
         "row (d) as printed: largest load {gamma[as printed, largest after 20 steps]:.3g} after twenty steps; with the sign turned "
         "{gamma[sign turned, largest after 20 steps]:.3g}; here {gamma[steps, here, gamma 1]:.0f} steps to within a hundredth, with a "
         "gamma of a half {gamma[steps, here, gamma 0.5]:.0f}",
         "Line 6 as printed carries load to processes that have much. With its sign turned, gamma = 1 still diverges on any process with two "
         "neighbours or more. So gamma is here the part of a step that converges on any graph (Cybenko's condition, weights of Metropolis "
         "chains). Line 7 multiplies elements by a load; here load moves, and its cost follows from the elements' bytes."),
    Item("Equations 5 to 9, 11", ["lb/model/cost.cpp", "lb/model/outlook.cpp", "include/skein/lb/model.hpp"], "model", "no figure",
         "used in {model[cases]:.0f} cases below",
         "Equation 7 moves Elements_max L_ave / (L_max - L_ave), which grows as imbalance falls; here the load above the average moves. Here "
         "the costs include messages, and the time of a decision counts as paid once it was made."),
    Item("Algorithm 3: the benchmark", ["apps/graph/mpi/main.cpp", "apps/graph/scenario.cpp", "bench/papers/graph_cases.cpp"], "runs",
         "no figure", "{runs[cases]:.0f} cases run",
         "Vertices are meshes, made by a formula or a graph file. Theirs come from simulations that they do not name."),
    Item("Figure 6(a): imbalance at first", ["apps/graph/scenario.cpp"], "model", "a plot",
         "median {model[imbalance, median %]:.0f} percent, largest {model[imbalance, most %]:.0f}",
         "Ours are drawn at random from kinds of weights and decompositions."),
    Item("Figure 6(b): right choices", ["lb/model/model.cpp", "bench/papers/graph_cases.cpp"], "model", "87 %",
         "{model[right %]:.0f} percent of {model[cases]:.0f} cases on 2 to 64 PEs",
         "Simulations judge the choices, {model[simulations by SimGrid %]:.0f} percent of them by SimGrid and the largest by the fast engine. "
         "The next rows tell what a wrong choice costs.", worse=True),
    Item("Figure 6(b): mean gains over none", ["bench/papers/graph_cases.cpp"], "model",
         "model 49 %, global 48 %, diffusive 3 %",
         "model {model[gain model %]:.0f}, global {model[gain global %]:.0f}, diffusive {model[gain diffusive %]:.0f} percent",
         "Gains follow from the cases' imbalance, which the paper does not print. Diffusive is Koradi here, which keeps its biases from step "
         "to step.", worse=True),
    Item("Figure 6(b): where global loses", ["bench/papers/graph_cases.cpp"], "model", "in 4 % of the cases, by 35 %",
         "in {model[global slower %]:.0f} percent, by {model[global slower, mean loss %]:.0f} percent on average",
         "Each case computes five to five hundred milliseconds a step, drawn evenly by magnitude. Where a hundred steps take little, Zoltan in "
         "one process does not pay. Theirs ran in parallel, on steps of an unknown length.", worse=True),
    Item("Figure 6(b): what wrong choices cost", ["lb/model/model.cpp"], "model", "at most 5.43 %",
         "at most {model[worst missed %]:.1f} percent, {model[mean missed %]:.2f} on average of all cases; within six percent of the best in "
         "{model[within 6 % of right %]:.0f} percent",
         "Decisions take processor time, which the model estimates from a single other graph.", worse=True),
    Item("Figure 6(b), by runs", ["apps/graph/mpi/main.cpp", "runtime/advisor/judge.cpp"], "runs", "the same figures",
         "in {runs[cases]:.0f} runs model {runs[gain model %]:.0f}, global {runs[gain global %]:.0f}, diffusive {runs[gain diffusive %]:.0f} "
         "percent",
         "Processes wait instead of computing, since all share two cores. Beside other jobs diffusive steps lost up to 153 percent by the time "
         "that decisions and messages then take.", worse=True),
    *pearce_dislocations.ITEMS,
    *pearce_moldyn.ITEMS,
]

PAPER = Paper("pearce", "O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato: Quantifying the Effectiveness of Load Balance Algorithms, ICS 2012", PARTS, ITEMS)
