# SPDX-License-Identifier: Apache-2.0
"""O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato: MPMD Framework for Offloading Load Balance Computation.

The programs are those of bench/lazy: lazy_drift lets loads drift behind a decision, lazy_paper plays whole runs of up to 65,536
processes by the loads of their steps. The paper has its figures as plots; its numbers here are those that its text prints.
"""
import os
import re
from statistics import mean

from frame.paper import Item, Paper

NUMBER = r"([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)"


def program(bench, name):
    return os.path.join(bench.build, "bench", "lazy", name)


def lazy_paper(bench, objects, pes, steps, *more, kind="bodies"):
    """Returns the output of lazy_paper, kept in the work folder under its arguments."""
    words = [kind, "--objects", str(objects), "--pes", ",".join(map(str, pes)), "--steps", str(steps), *more]
    kept = bench.path("lazy_paper " + " ".join(words).replace("--", "").replace("/", "_") + ".txt")
    if not os.path.exists(kept) or bench.again:
        said = bench.run([program(bench, "lazy_paper"), *words])
        with open(kept, "w", encoding="utf-8") as file:
            file.write(said)
    with open(kept, encoding="utf-8") as file:
        return file.read()


def runs_in(text):
    """Returns ns an interaction -> PEs -> the runs played there."""
    machines = {}
    for line in text.splitlines():
        if found := re.match(NUMBER + " ns an interaction", line):
            ns = found[1]
            machines[ns] = {}
        elif found := re.match(rf" *(\d+) PEs: inline {NUMBER} s, a decision {NUMBER} s, .*by {NUMBER} s; unbalanced {NUMBER} s", line):
            here = {"inline": float(found[2]), "decision": float(found[3]), "loss": float(found[4]), "none": float(found[5]),
                    "decoupled": {}, "lazy": {}}
            machines[ns][int(found[1])] = here
        elif found := re.match(rf"  (decoupled|lazy):pes=(\d+) +decides in +{NUMBER} s, exchanges in +{NUMBER} s: +{NUMBER} s .*loss +{NUMBER} s",
                               line):
            here[found[1]][int(found[2])] = {"decide": float(found[3]), "exchange": float(found[4]), "seconds": float(found[5]),
                                             "loss": float(found[6])}
        elif found := re.match(rf"  best: (\S+), {NUMBER} % of inline; the model chooses (\S+), {NUMBER} % of inline, {NUMBER} %", line):
            here |= {"best": found[1], "best_percent": float(found[2]), "chosen": found[3], "chosen_percent": float(found[4]),
                     "regret": float(found[5])}
        elif found := re.match(rf"  asked with alpha {NUMBER}, i {NUMBER}, t {NUMBER}, f\(p\) {NUMBER} s, g\((\d+)\) {NUMBER} s, h\(\d+, p\) {NUMBER} s", line):
            here |= zip(("alpha", "i", "t", "f_s", "m", "g_s", "h_s"), map(float, found.groups()))
        elif found := re.match(rf"  f\((\d+)\): {NUMBER} s, .*\({NUMBER} %\)", line):
            machines[ns][int(found[1])] |= {"f": float(found[2]), "f_error": float(found[3])}
    return machines


def by_hyper(bench):
    """The run of Figures 11 and 13: one decision by the hypergraph of sampled interactions, placed by hyper."""
    bodies, pes, deciding = (2000, [64], "1,8") if bench.small else (300_000, [65_536], "64,512,2048,8192")
    return runs_in(lazy_paper(bench, bodies, pes, 8 if bench.small else 20, "--period", "2", "--decisions", "1", "--deciding",
                              deciding, "--strategy", "hyper", "--interaction-ns", "100")), pes[0]


def partitioner(bench):
    """Figure 2: the curve g(m), which lazy_paper has."""
    vertices, fastest, element_s = 265_000, 2048, 1225.7e-9

    def decides_s(m):
        return element_s * vertices / m + element_s * vertices / fastest**2 * m
    processes = [32 << k for k in range(12)]
    least = min(processes, key=decides_s)
    theirs = {2048: "least", 65_536: "all communication"}
    bench.table("Figure 2: deciding on 265,000 vertices (the curve of bench/lazy/decision_curve.hpp)",
                ["processes", "theirs, a plot", "ours, ms"], [[str(m), theirs.get(m, "-"), 1e3 * decides_s(m)] for m in processes])
    return {"least_at": least, "times_longer_at_all": decides_s(65_536) / decides_s(least),
            "messages_percent_at_all": 100 * (1 - element_s * vertices / 65_536 / decides_s(65_536))}


def drifted(bench, kind, objects, pes, steps):
    """The rows of lazy_drift, at steps 1, 2, 5, 10, ..."""
    said = bench.run([program(bench, "lazy_drift"), kind, "--objects", str(objects), "--pes", str(pes), "--steps", str(steps)])
    return [[float(word) for word in line.split()] for line in said.splitlines() if re.match(r" *\d+ ", line)]


def drift(bench):
    """Figure 9: Barnes-Hut."""
    bodies, pes, steps = (1000, 8, 20) if bench.small else (3000, 30, 500)
    rows = drifted(bench, "bodies", bodies, pes, steps)
    bench.table(f"Figure 9: {bodies} bodies on {pes} processes; theirs: 26 million interactions on 8,192",
                ["steps since the decision", "work, %", "unchanged, %", "changed by above 5 %, %", "a step changes 95 % by at most, %",
                 "imbalance of the late decision, %", "not late, %"],
                [[row[0], row[1], row[8], row[2], row[9], row[6], row[7]] for row in rows])
    print("  theirs: within 5 %; about 50 % unchanged, the others by up to 5 % a step; imbalance grows slightly (a plot)\n")
    after = {int(row[0]): row for row in rows}
    near, middle, last = after[5], after.get(50, rows[-1]), rows[-1]
    return {"work_percent": max(abs(row[1]) for row in rows), "unchanged_5_percent": near[8], "changed_50_percent": middle[2],
            "unchanged_50_percent": middle[8], "step_percent": max(row[9] for row in rows), "imbalance_5_percent": near[6],
            "imbalance_50_percent": middle[6], "imbalance_500_percent": last[6], "steps": last[0]}


def dislocations(bench):
    """Figure 10: ParaDiS; played by apps/dislocations."""
    segments, pes, steps = (60, 4, 10) if bench.small else (550, 16, 500)
    rows = drifted(bench, "dislocations", segments, pes, steps)
    bench.table(f"Figure 10: {segments} segments on {pes} processes; theirs: 16 million interactions on 2,048",
                ["steps since the decision", "work, %", "came", "ended", "processes that change in a step, %", "by, %",
                 "imbalance of the late decision, %", "not late, %"],
                [[f"{row[0]:.0f}", row[1], row[5], row[4], row[10], row[11], row[6], row[7]] for row in rows])
    print("  theirs: work grows; nearly all processes change in each step; imbalance of at most 7 %\n")
    lasted = [row[0] - before for row, before in zip(rows, [0] + [row[0] for row in rows])]
    figures = {"steps": rows[-1][0], "work, last": 100 + rows[-1][1], "imbalance anew": mean(row[7] for row in rows)}
    for name, column in (("PEs changed", 10), ("change in a step", 11)):
        figures[name] = sum(row[column] * steps for row, steps in zip(rows, lasted)) / rows[-1][0]
    for row in rows:
        figures |= {f"imbalance after {row[0]:.0f}": row[6], f"added by {row[0]:.0f}": row[6] - rows[0][6]}
    return figures


def overhead(bench):
    """Figure 11: what decoupling costs, by the processes that decide."""
    machines, pes = by_hyper(bench)
    run = machines["100"][pes]
    balanced = run["lazy"]
    rows = []
    for m, decoupled in run["decoupled"].items():
        lazy = balanced[m]
        rows.append([str(m), decoupled["decide"], decoupled["exchange"], decoupled["decide"] + decoupled["exchange"],
                     max(0.0, lazy["loss"] - decoupled["loss"])])
    bench.table(f"Figure 11: one decision at {pes} processes, s (inline decides in {run['decision']:.5f} s); theirs is a plot",
                ["deciding", "the algorithm", "communication", "overhead, decoupled", "overhead, lazy: steps longer than decoupled's"], rows)
    least = min(rows, key=lambda row: row[3])
    return {"inline_decision_ms": 1e3 * run["decision"], "least_decoupled_ms": 1e3 * least[3], "least_at": int(least[0]),
            "lazy_ms": 1e3 * min(row[4] for row in rows), "exchange_first_ms": 1e3 * rows[0][2]}


def curves(bench):
    """Figure 12: the curve of a balanced step, against what it was not fitted to, and against the steps themselves."""
    pes, steps = ([8, 16, 32] if bench.small else [4096, 8192, 16_384, 32_768, 65_536]), 6
    runs = runs_in(lazy_paper(bench, 2000 if bench.small else 100_000, pes, steps, "--period", "2", "--interaction-ns", "100",
                              "--deciding", "1" if bench.small else "1,2048"))["100"]
    longer = [100 * runs[n]["loss"] / (steps * runs[n]["f"]) for n in pes]
    bench.table("Figure 12: a step on n processes; theirs is a plot",
                ["n", "theirs", "f(n), ms", "by the curve through the others, %", "steps longer than f, as bodies cannot be divided, %"],
                [[str(n), "-", 1e3 * runs[n]["f"], runs[n]["f_error"], more] for n, more in zip(pes, longer)])
    asked = runs[pes[-1]]
    bench.table("Table II; theirs has no values but p = 65,536", ["p", "alpha", "i", "t", "f(p), ms", "m", "g(m), ms", "h(m, p), ms"],
                [[str(pes[-1]), asked["alpha"], asked["i"], asked["t"], 1e3 * asked["f_s"], asked["m"], 1e3 * asked["g_s"], 1e3 * asked["h_s"]]])
    return {"p": pes[-1], **{key: asked[key] for key in ("alpha", "i", "t", "m", "f_s", "g_s", "h_s")}, "f_error_percent": max(abs(runs[n]["f_error"]) for n in pes), "longer_first_percent": longer[0],
            "longer_last_percent": longer[-1]}


def runtimes(bench):
    """Figure 13 and the choices of the model."""
    machines, pes = by_hyper(bench)
    run = machines["100"][pes]
    best = {mode: min(run[mode].items(), key=lambda item: item[1]["seconds"]) for mode in ("decoupled", "lazy")}
    gains = {mode: 100 * (1 - row["seconds"] / run["inline"]) for mode, (_, row) in best.items()}
    bench.table(f"Figure 13: runs of {pes} processes by hyper, one decision, s; theirs: 15 to 46 % less than inline",
                ["mode", "deciding", "seconds", "less than inline, %"],
                [["none", "-", run["none"], 100 * (1 - run["none"] / run["inline"])], ["inline", "all", run["inline"], 0]] +
                [[mode, str(m), row["seconds"], gains[mode]] for mode, (m, row) in best.items()])
    print(f"  best {run['best']}; the model chooses {run['chosen']}, {run['regret']:.2f} % longer than the best\n")
    return {"decoupled_percent": gains["decoupled"], "lazy_percent": gains["lazy"], "none_over_inline_percent":
            100 * (run["none"] / run["inline"] - 1), "chosen_percent": -run["chosen_percent"], "regret_percent": run["regret"]}


def choices(bench):
    """How often the model is right, over machines and numbers of processes, placed by sfc."""
    speeds = ("--interaction-ns", "10,100,1000", "--deciding", "1,64,512,2048")
    pes = [16, 64] if bench.small else [4096, 32_768, 65_536]
    bodies = lazy_paper(bench, 1000 if bench.small else 100_000, pes, 6 if bench.small else 20, "--period", "2" if bench.small else "5", *speeds)
    segments = lazy_paper(bench, 300 if bench.small else 22_000, [16, 64] if bench.small else [512, 4096], 6 if bench.small else 12,
                          "--period", "2" if bench.small else "4", *speeds, kind="dislocations")
    rows = [[kind, f"{ns} ns", str(n), run["best"], run["chosen"], -run["best_percent"], -run["chosen_percent"], run["regret"]]
            for kind, text in (("bodies", bodies), ("dislocations", segments)) for ns, of_pes in runs_in(text).items()
            for n, run in of_pes.items()]
    bench.table("The model's choices, placed by sfc; theirs: right in all cases but one",
                ["loads", "an interaction", "processes", "best", "chosen", "best gains, %", "chosen gains, %", "longer than the best, %"], rows)
    large = [row for row in rows if row[2] == str(pes[-1]) and row[0] == "bodies"]
    figures = {"least_gain_percent": min(row[6] for row in large), "most_gain_percent": max(row[6] for row in large)}
    for kind in ("bodies", "dislocations"):
        regrets = [row[7] for row in rows if row[0] == kind]
        figures |= {f"{kind} cases": len(regrets), f"{kind} right": sum(regret <= 1 for regret in regrets), f"{kind} worst": max(regrets)}
    return figures


def bound(bench):
    """What the bound of t by t' does to the model's choices, judged by simulated jobs."""
    said = bench.run([program(bench, "judge_model")])
    found = re.findall(rf"(.*), (\d+) cases: right within 1 % in {NUMBER} %; mean regret {NUMBER} %, largest {NUMBER} %", said)
    bench.table("The model's choices in 96 jobs with a hot spot that travels; theirs: right in all cases but one",
                ["", "cases", "right, %", "longer than the best, mean %", "at most, %"], [list(row) for row in found])
    figures = {}
    for name, (_, cases, right, mean_regret, largest) in zip(("bounded", "not bounded"), found):
        figures |= {"cases": int(cases), f"{name} right": float(right), f"{name} mean": float(mean_regret), f"{name} worst": float(largest)}
    return figures


PARTS = {"partitioner": partitioner, "drift": drift, "overhead": overhead, "curves": curves, "runtimes": runtimes,
         "choices": choices, "bound": bound, "dislocations": dislocations}

DISLOCATIONS = ["apps/dislocations", "bench/lazy/drift.cpp", "bench/lazy/changing_load.hpp"]
STEP_RUN = ["bench/lazy/paper.cpp", "bench/lazy/step_run.hpp"]

ITEMS = [
    Item("Algorithm 1: inline", ["runtime/balance/planned_scheme.cpp"], "", "all processes run the algorithm together",
         "each PE decides alone on the whole snapshot; distributed strategies work as theirs",
         "Most strategies are sequential and fast; with `decoupled:pes=P` all PEs decide together."),
    Item("Algorithm 2: decoupled", ["runtime/balance/roles.hpp", "runtime/advisor/mpmd/decider.hpp", "lb/simulate/balancer.cpp"], "",
         "those that decide are among those that compute, all pause", "the same",
         "`decoupled:reserved` is ours, and never gains time."),
    Item("Algorithms 3 and 4, Figures 5 to 7: lazy", ["include/skein/lb/lazy.hpp", "runtime/advisor/remote.hpp"], "",
         "two flags; applied at the next stopping point", "the same; ranks agree on the point at which all stop",
         "Virtual ranks are not at the same point at the same time."),
    Item("Equations 1 and 3: t' bounds t", ["bench/lazy/resources.hpp", "bench/lazy/resources.cpp", "lb/model/live_mode.cpp", "bench/lazy/judge_model.cpp"], "bound",
         "t is at most t'; the choice is right in all cases but one",
         "of {bound[cases]} jobs the choice is within a hundredth of the best in {bound[bounded right]:.0f} %, at worst {bound[bounded worst]:.0f} % "
         "longer; with t not bounded in {bound[not bounded right]:.0f} %, at worst {bound[not bounded worst]:.0f} %",
         "The bound makes choices worse here, since an old decision still balances something. It is kept, as printed, where the model is asked "
         "with a report; a job that chooses by its own steps while it runs is not bounded.", worse=True),
    Item("Equations 2 and 3, Table I: u", ["bench/lazy/resources.hpp", "bench/lazy/resources.cpp"], "",
         "lazy takes t f + u alpha f", "the u steps are a part of the t steps, and cost only what they are longer",
         "By the printed equation the steps made while waiting would compute nothing."),
    Item("Equation 4, drifted assignments", ["include/skein/lb/late.hpp"], "", "C(v) is the application's", "new objects go to their "
         "parent's or nearest object's place, else to the PE that is done first",
         "Objects are generic here."),
    Item("Section VI-B: sampled interactions as a hypergraph", ["lb/strategies/hyper.cpp", "apps/barneshut/piece_interactions.hpp"], "",
         "vertices are sampled interactions", "vertices are pieces, or in simulations bodies: each stands for its interactions",
         "An element of the advisor is what the program can move."),
    Item("Table II: parameters of the model", STEP_RUN + ["bench/lazy/resources.hpp"], "curves",
         "p = 65,536; alpha, i, t from the application; f, g, h fitted: no values",
         "p = {curves[p]:.0f}, alpha = {curves[alpha]:.2f}, i = {curves[i]:.4f}, t = {curves[t]:.0f}; f(p) = {curves[f_s]:.1e} s, "
         "g({curves[m]:.0f}) = {curves[g_s]:.1e} s, h({curves[m]:.0f}, p) = {curves[h_s]:.1e} s",
         "The values are of the run of Figure 12. alpha and i are measured from its steps, by the loss of steps still made by the previous "
         "decision: hardly anything in two steps. The paper has the imbalance at first."),
    Item("Figure 2: the partitioner by processes", ["bench/lazy/decision_curve.hpp"], "partitioner",
         "least at 2,048 processes; at 65,536 all communication",
         "least at {partitioner[least_at]}; at 65,536 {partitioner[times_longer_at_all]:.0f} times as long, "
         "{partitioner[messages_percent_at_all]:.1f} % of it communication",
         "No machine here has so many processes: the curve's minimum is theirs, and its scale is that of scotch as calibrated."),
    Item("Figure 9: drift of Barnes-Hut", ["bench/lazy/drift.cpp"], "drift",
         "total work within 5 % over 500 steps; half of the particles unchanged, the others by up to 5 % a step; imbalance grows slightly",
         "work within {drift[work_percent]:.1f} %; after 50 steps {drift[changed_50_percent]:.0f} % have changed by more than a twentieth, "
         "{drift[unchanged_50_percent]:.0f} % not at all; in a step all but a twentieth change by at most {drift[step_percent]:.1f} %; imbalance "
         "{drift[imbalance_5_percent]:.1f}, {drift[imbalance_50_percent]:.1f}, {drift[imbalance_500_percent]:.1f} % after 5, 50, 500",
         "Theirs has 26 million interactions on 8,192 processes, ours 3,000 bodies on 30. Theirs has a cutoff radius, so distant changes leave "
         "a particle's work alone; in ours each body interacts with all.", worse=True),
    Item("Figure 11: overhead by the processes that decide", STEP_RUN, "overhead", "plots without numbers in the text",
         "inline decides in {overhead[inline_decision_ms]:.2f} ms; decoupled at least {overhead[least_decoupled_ms]:.2f} ms, with "
         "{overhead[least_at]}; lazy steps lose at least {overhead[lazy_ms]:.2f} ms; communication with 64 takes {overhead[exchange_first_ms]:.2f} ms",
         "Objects are placed by hyper on 65,536 simulated processes; g is the curve of Figure 2."),
    Item("Figure 12: curves fitted", STEP_RUN + ["include/skein/lb/curve.hpp"], "curves", "plots without numbers in the text",
         "f, fitted to other numbers of processes, is met within {curves[f_error_percent]:.1f} %; steps are longer than it by "
         "{curves[longer_first_percent]:.0f} % on 4,096 and {curves[longer_last_percent]:.0f} % on 65,536",
         "f is work / n here, and all of it is simulated. The cost of bodies that cannot be divided is a term of its own, and so is what "
         "strategies leave. g and h are curves by formula."),
    Item("Figure 13: one decision, 65,536 processes", STEP_RUN, "runtimes", "decoupled and lazy 15 to 46 % less than inline",
         "placed by hyper: without balancing {runtimes[none_over_inline_percent]:+.0f} %, decoupled {runtimes[decoupled_percent]:.0f} %, lazy {runtimes[lazy_percent]:.0f} % less; the model's choice "
         "{runtimes[chosen_percent]:.0f} %, {runtimes[regret_percent]:.1f} % longer than the best",
         "No text tells how long their steps and runs are. Ours have 100 ns an interaction and 20 steps."),
    Item("Section VII-B: the model's choices", STEP_RUN + ["bench/lazy/judge_model.cpp"], "choices",
         "right in all cases but one; its choice 17 to 46 % less than inline",
         "within a hundredth of the best in {choices[bodies right]} of {choices[bodies cases]}, at worst {choices[bodies worst]:.1f} % longer than the best; at 65,536 "
         "{choices[least_gain_percent]:.0f} to {choices[most_gain_percent]:.0f} % less; of dislocations on 512 and 4,096 in {choices[dislocations right]} of "
         "{choices[dislocations cases]}, at worst {choices[dislocations worst]:.1f} %",
         "Objects are placed by sfc, and steps take 10 to 1,000 ns an interaction. Where the choice is most wrong a step takes 0.2 ms, and no "
         "decision comes before the end in either mode.", worse=True),
    Item("Figure 10(a): ParaDiS, total work", DISLOCATIONS, "dislocations", "grows over 500 steps",
         "{dislocations[work, last]:.0f} % of the first step's after {dislocations[steps]:.0f} steps",
         "Frank-Read sources under a constant stress multiply lines; their input is another crystal."),
    Item("Figure 10(b): processes whose work changes in a step", DISLOCATIONS, "dislocations", "nearly all",
         "{dislocations[PEs changed]:.0f} %, by {dislocations[change in a step]:.2f} % of their load",
         "We count stresses, which change where nodes come and go; theirs are times."),
    Item("Figure 10(c): imbalance of a drifted assignment", DISLOCATIONS, "dislocations", "at most 7 %",
         "{dislocations[added by 10]:+.1f} points after 10 steps, {dislocations[added by 100]:+.1f} after 100; "
         "{dislocations[imbalance anew]:.1f} % if decided anew by rcb",
         "Work is {dislocations[work, last]:.0f} % of the first step's at the end, since lines multiply where sources are. Theirs grows less, "
         "by their figure. Ours has 16 PEs, theirs 2,048.", worse=True),
]

PAPER = Paper("mpmd", "O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato: MPMD Framework for Offloading Load Balance Computation", PARTS, ITEMS)
