# SPDX-License-Identifier: Apache-2.0
"""Z. Lan, V. E. Taylor, G. Bryan: A Novel Dynamic Load Balancing Scheme for Parallel Systems, J. Parallel Distrib. Comput. 62, 2002."""
import json
import os
import statistics

import lan_simulated
from frame.bench import ROOT, fail
from frame.paper import Item, Paper

# The original scheme, theirs, and what move-split does besides.
SCHEMES = {"enzo": "enzo", "old": "enzo:ratio=1.05,threshold=1.5", "theirs": "move-split", "ours": "move-split:whole=heaviest"}
PES = (8, 16, 32, 48, 64)
GRIDS = (3, 8)  # a PE


def cases(bench):
    """Trees of grids refined around a point, as a file each: (PEs, grids a PE, path)."""
    for pes in PES[:2] if bench.small else PES:
        for grids in GRIDS:
            for seed in range(1, 3 if bench.small else 21):
                name = f"samr-{pes}-{grids}-{seed}.json"
                yield pes, grids, bench.make(name, lambda path: [bench.skein, "lb", "generate", "samr:splittable=1,levels=12", "--objects",
                                                                 str(pes * grids), "--pes", str(pes), "--seed", str(seed), "-o", path])


def compared(bench, path, strategies):
    """strategy -> what `skein lb compare` says of it."""
    told = json.loads(bench.run([bench.skein, "lb", "compare", path, "--strategies", ",".join(strategies), "--json"]))
    return {row["strategy"]: row for row in told["rows"]}


def ratio(row, when="after"):
    """Equation 1: largest over mean load."""
    return 1 + row[f"imbalance_{when}_percent"] / 100


def quality(bench):
    figures, rows = {}, []
    found = {}
    for pes, grids, path in cases(bench):
        found.setdefault((pes, grids), []).append(compared(bench, path, ["none", *SCHEMES.values()]))
    for (pes, grids), runs in found.items():
        mean = {name: statistics.mean(ratio(run[text]) for run in runs) for name, text in SCHEMES.items()}
        none = statistics.mean(ratio(run["none"]) for run in runs)
        moves = [statistics.mean(run[SCHEMES[name]]["objects_moved"] for run in runs) for name in ("theirs", "ours")]
        parts = [statistics.mean(run[SCHEMES[name]]["parts_split_off"] for run in runs) for name in ("theirs", "ours")]
        rows.append([f"{pes}, {grids}", none, *mean.values(), 100 * (mean["enzo"] / mean["theirs"] - 1),
                     100 * (1 - mean["theirs"] / mean["enzo"]), *moves, *parts])
        for name, value in {**mean, "none": none}.items():
            figures[f"{name}_{pes}_{grids}"] = value
    bench.table("Imbalance ratio (Equation 1) of made-up trees of grids, mean over seeds (theirs: their scheme always below 1.80, and 33 to\n"
                "615 % below the original; execution time less by -5 to 58 %)",
                ["PEs, grids a PE", "none", "enzo", "enzo as it was", "move-split", "whole=heaviest", "better by %",
                 "a step less by %", "moved", "of ours", "split", "of ours"], rows)
    better = [row[6] for row in rows]
    shorter = [row[7] for row in rows]
    figures.update({"least_better_percent": min(better), "most_better_percent": max(better), "least_shorter_percent": min(shorter),
                    "most_shorter_percent": max(shorter), "worst_ratio": max(row[4] for row in rows), "worst_ours": max(row[5] for row in rows),
                    "worst_old": max(row[3] for row in rows), "worst_enzo": max(row[2] for row in rows),
                    "moved": statistics.mean(row[8] for row in rows), "moved_ours": statistics.mean(row[9] for row in rows),
                    "parts": statistics.mean(row[10] for row in rows), "parts_ours": statistics.mean(row[11] for row in rows)})
    return figures


THRESHOLDS = (1.1, 1.2, 1.25, 1.5, 1.75, 2.0)


def threshold(bench):
    figures, rows = {}, []
    strategies = {each: f"move-split:threshold={each:g}" for each in THRESHOLDS}
    told = {each: [] for each in THRESHOLDS}
    for pes, grids, path in cases(bench):
        run = compared(bench, path, strategies.values())
        for each, text in strategies.items():
            told[each].append((ratio(run[text]), run[text]["objects_moved"], run[text]["parts_split_off"]))
    for each, runs in told.items():
        row = [statistics.mean(values) for values in zip(*runs)]
        rows.append([f"{each:g}", *row])
        figures.update({f"ratio_{each * 100:.0f}": row[0], f"moved_{each * 100:.0f}": row[1], f"parts_{each * 100:.0f}": row[2]})
    bench.table("Thresholds (Figures 16 and 17: the smaller, the smaller the imbalance ratio; time least at 1.25)",
                ["threshold", "imbalance ratio", "moved", "split"], rows)
    return figures


GREATEST = (64, 16)  # cells of a grid along an axis: hardly cut, as theirs, and cut


def dump_of(bench, problem, steps, pes, greatest, strategy):
    """The LB steps of apps/samr under a strategy, one after each adaptation of each level, as a file of loads. These are cells and
    particles, so that they do not depend on what else the processors do, or on how many PEs share one."""
    size = ["--cells", "8,8,8", "--levels", "2"] if bench.small else []
    run = ["mpirun", "-n", str(pes), os.path.join(bench.build, "apps", "samr", "samr"), "--scenario",
           os.path.join(ROOT, "apps", "samr", "scenarios", f"{problem}.ini"), *size, "--steps", str(steps), "--greatest", str(greatest),
           "--skein.lb-period=1", *([] if strategy == "none" else [f"--skein.lb={strategy}"])]
    name = "-".join([problem, str(steps), str(pes), str(greatest), *strategy.replace("=", ":").replace(",", ":").split(":")])
    return bench.make(f"{name}.json", lambda path: [*run, f"--skein.lb-dump={path}"])


def each_step(bench, path, strategies):
    """strategy -> what `skein lb compare` says of it at each LB step of a file."""
    lines = bench.run([bench.skein, "lb", "compare", path, "--phase", "all", "--strategies", ",".join(strategies), "--json"]).splitlines()
    rows = [row for line in lines for row in json.loads(line)["rows"]]
    return {each: [row for row in rows if row["strategy"] == each] for each in strategies}


def steps_of(bench, problem, steps, pes, greatest, strategy):
    """What `skein lb compare` says of a strategy at each LB step of a run under it."""
    return each_step(bench, dump_of(bench, problem, steps, pes, greatest, strategy), [strategy])[strategy]


def idle_percent(steps, pes):
    """Equation 3: PEs without load."""
    return 100 * statistics.mean(step["idle_pes"] for step in steps) / pes


def shorter_percent(steps, before):
    """How much less `steps` take than `before`: levels run one after another, each as long as its fullest PE computes."""
    took = [sum(step["levels_s"] for step in each) for each in (steps, before)]
    return 100 * (1 - took[0] / took[1])


def played(bench, problem, steps, many):
    """Figures and rows of a problem: for each number of PEs and of cells of a grid, with each scheme."""
    figures, rows = {}, []
    for greatest, numbers in {GREATEST[0]: [3]}.items() if bench.small else many.items():
        for pes in numbers:
            found = {name: steps_of(bench, problem, steps, pes, greatest, strategy)
                     for name, strategy in {"none": "none", **SCHEMES}.items()}
            mean = {name: statistics.mean(map(ratio, of)) for name, of in found.items()}
            shorter = shorter_percent(found["theirs"], found["enzo"])
            idle = {name: idle_percent(found[name], pes) for name in ("enzo", "theirs")}
            rows.append([f"{pes}, {greatest}", *mean.values(), shorter, *idle.values()])
            figures.update({f"{name}_{pes}_{greatest}": value for name, value in mean.items()})
            figures.update({f"idle_{name}_{pes}_{greatest}": value for name, value in idle.items()})
            figures[f"shorter_{pes}_{greatest}"] = shorter
    return figures, rows


COLUMNS = ["PEs, cells at most", "none", "enzo", "enzo as it was", "move-split", "whole=heaviest", "move-split less by %",
           "idle, enzo, %", "idle, move-split, %"]
THEIRS = "their scheme below 1.80, with 0 to 25 % of PEs idle, where the original has 5.9 to 81.2"


def application(bench):
    figures, rows = played(bench, "shockpool3d", 2 if bench.small else 3, {GREATEST[0]: PES})
    bench.table("Imbalance ratio of ShockPool3D by apps/samr, mean over the LB steps of a run (theirs: without balancing 2.19 to 2.96 on 8 to 64\n"
                f"PEs; {THEIRS}; execution time less by 8.1, 14.2, 23.7, 24.2 and 42.1 %)", COLUMNS, rows)
    return figures


def application_cut(bench):
    figures, rows = played(bench, "shockpool3d", 2 if bench.small else 3, {GREATEST[1]: PES[:2]})
    bench.table("The same of grids of 16 cells at most, of which there are enough to go round", COLUMNS, rows)
    return figures


def amr64(bench):
    figures, rows = played(bench, "amr64", 1, {GREATEST[0]: PES})
    bench.table(f"Imbalance ratio of AMR64 by apps/samr, mean over the LB steps of a run (theirs: without balancing 2.02 to 25.64 on 4 to 64 PEs;\n"
                f"{THEIRS}; execution time less by 12.6, 34.2, 57.5, 54.2 and 53.7 %)", COLUMNS, rows)
    return figures


def amr128(bench):
    figures, rows = played(bench, "amr128", 1, {GREATEST[0]: PES})
    bench.table(f"Imbalance ratio of AMR128 by apps/samr, mean over the LB steps of a run ({THEIRS};\n"
                "execution time more by 4.8 and 2.3 % on 8 and 16 PEs, less by 20.2, 9.1 and 7.5 % on 32, 48 and 64)", COLUMNS, rows)
    return figures


# In place of their scheme: others, and what goes level by level.
BESIDE = {"none": "none", "enzo": "enzo", "theirs": "move-split", "ours": "move-split:whole=heaviest", "greedy_refine": "greedy-refine",
          "diffusion": "diffusion", "theirs_by_level": "move-split:by_level=1", "ours_by_level": "move-split:whole=heaviest,by_level=1",
          "greedy_refine_by_level": "greedy-refine:by_level=1", "diffusion_by_level": "diffusion:by_level=1", "auto": "auto"}
RUNS = {"amr64": 1, "shockpool3d": 3}  # problem -> steps of level 0


def beside(bench):
    """What levels would take, one after another, had each LB step of the run without balancing been one of a strategy: % above the
    least of them."""
    figures, rows = {}, []
    for problem, steps in RUNS.items():
        for pes in (3,) if bench.small else PES:
            path = dump_of(bench, problem, 2 if bench.small else steps, pes, GREATEST[0], "none")
            found = each_step(bench, path, BESIDE.values())
            took = {name: sum(step["levels_s"] for step in found[text]) for name, text in BESIDE.items()}
            least = min(took.values())
            longer = {name: 100 * (seconds / least - 1) for name, seconds in took.items()}
            rows.append([f"{problem}, {pes}", *longer.values()])
            figures.update({f"{problem}_{name}_{pes}": value for name, value in longer.items()})
    for name in BESIDE:
        values = [value for key, value in figures.items() if key.split("_", 1)[1].rsplit("_", 1)[0] == name]
        figures.update({f"most_{name}": max(values), f"mean_{name}": statistics.mean(values)})
    bench.table("What levels of apps/samr take, one after another, under each strategy: % above the least of the row", ["problem, PEs", *BESIDE.values()],
                rows)
    return figures


def told_plainly(path):
    """The LB steps of a file for a plain MPI program: its grids with what the advisor is told of them, and nothing else. Two paths: of a
    file for `skein lb compare`, and of one for grids_advised."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    lines, tenths = [], 1e7  # loads are tenths of a cell and step, as whole numbers: no sum of them is rounded
    for phase in data["phases"]:
        pes = [{**task, "time": 0} for task in phase["tasks"] if "skein_pe_speed" in task.get("attributes", {})]
        grids = sorted((task for task in phase["tasks"] if task["entity"]["migratable"]), key=lambda task: task["node"])
        for number, grid in enumerate(grids):
            grid.pop("attributes", None)
            grid["time"] = round(grid["time"] * tenths)
            grid["entity"]["seq_id"] = number
            lines.append(f"{phase['id']} {number} {grid['node']} {grid['time']} {grid['user_defined']['task_serialized_bytes']}\n")
        phase["tasks"] = pes + grids
        phase.pop("communications", None)
    plain, text = path.replace(".json", ".plain.json"), path.replace(".json", ".txt")
    with open(plain, "w", encoding="utf-8") as file:
        json.dump(data, file)
    with open(text, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return plain, text


def advised(bench):
    """Their two schemes asked for by a plain MPI program, through the advisor: it moves whole grids, as strategies do for grids that
    cannot be split. Ends where a ratio is not that of `skein lb compare`."""
    figures, rows = {}, []
    for problem, steps in (("amr64", 1),) if bench.small else (("amr64", 1), ("shockpool3d", 3)):
        pes = 3 if bench.small else 8
        plain, text = told_plainly(dump_of(bench, problem, steps, pes, GREATEST[0], "none"))
        found = each_step(bench, plain, ["enzo", "move-split"])
        for strategy, of in found.items():
            said = bench.run(["mpirun", "-n", str(pes), bench.maker("grids_advised"), text, strategy]).splitlines()
            ratios = [float(line.split()[2]) for line in said]
            if len(ratios) != len(of) or any(abs(a - ratio(row)) > 1e-9 for a, row in zip(ratios, of)):
                fail(f"{problem}: the advisor's {strategy} leaves {ratios}, skein lb compare says {[ratio(row) for row in of]}")
            row = [len(of), statistics.mean(ratio(each, "before") for each in of), statistics.mean(ratios)]
            rows.append([f"{problem}, {strategy}", *row])
            figures.update({f"{problem}_{strategy}_{name}": value for name, value in zip(("asked", "before", "after"), row)})
    bench.table("Whole grids of apps/samr, moved by a plain MPI program as the advisor says: imbalance ratio, the same as of skein lb compare",
                ["problem, strategy", "adaptations", "before", "after"], rows)
    return figures


def application_threshold(bench):
    figures, rows = {}, []
    for problem, steps in (("amr64", 1),) if bench.small else (("shockpool3d", 3), ("amr64", 1)):
        pes = 3 if bench.small else 8
        found = {each: steps_of(bench, problem, steps, pes, GREATEST[0], f"move-split:threshold={each:g}")
                 for each in (THRESHOLDS[::2] if bench.small else THRESHOLDS)}
        for each, of in found.items():
            values = [statistics.mean(map(ratio, of)), -shorter_percent(of, found[1.25]),
                      *(sum(step[name] for step in of) for name in ("objects_moved", "parts_split_off"))]
            rows.append([problem, f"{each:g}", *values])
            figures.update({f"{problem}_{name}_{each * 100:.0f}": value for name, value in zip(("ratio", "longer", "moved", "parts"), values)})
    bench.table("Thresholds in apps/samr on 8 PEs (Figures 14 to 17: time least at 1.25, and never 5 % above the least there)",
                ["problem", "threshold", "imbalance ratio", "longer than 1.25 by %", "moved", "split"], rows)
    return figures


PARTS = {"quality": quality, "threshold": threshold, "application": application, "application_cut": application_cut, "amr64": amr64,
         "amr128": amr128, "application_threshold": application_threshold, "beside": beside, "advised": advised, **lan_simulated.PARTS}


def listed(values):
    *first, last = map(str, values)
    return ", ".join(first) + " and " + last


def over(part, name, digits=2, numbers=PES):
    """Returns the text of a figure on each number of PEs."""
    return listed(f"{{{part}[{name.format(pes)}]:.{digits}f}}" for pes in numbers)


def schemes(part, numbers=PES):
    """Returns the text of what played() found, on each number of PEs."""
    texts = {"none": "without balancing", "enzo": "`enzo`", "theirs": "`move-split`", "ours": "`whole=heaviest`"}
    found = "; ".join(f"{text} {over(part, name + '_{}_64', 2, numbers)}" for name, text in texts.items())
    return (f"on {listed(numbers)} PEs: {found}. From `enzo` to `move-split` the levels, one after another, take "
            f"{over(part, 'shorter_{}_64', 1, numbers)} % less")


LATER = "Their ENZO runs AMR64, AMR128 and ShockPool3D on an Origin2000; here trees of grids refined around a point are made up."
ITEMS = [
    Item("Figure 3: the original scheme", ["lb/strategies/enzo.cpp", "tests/unit/lb/enzo_test.cpp"], "quality",
         "above 1.5 times the least load", "imbalance ratio {quality[enzo_8_3]:.2f} on 8 PEs to {quality[enzo_64_3]:.2f} on 64, 3 grids a PE; with `ratio` and `threshold` as it had them before, "
         "{quality[old_8_3]:.2f} and {quality[old_64_3]:.2f}",
         "The algorithm is as printed, but it ends where no grid goes, which the printed loop does not. It was called `move`, and was "
         "`enzo:ratio=1.05,threshold=1.5`."),
    Item("Figure 8: their scheme", ["lb/strategies/move_split.cpp", "tests/unit/lb/move_split_test.cpp"], "quality",
         "threshold 1.20; always below 1.80",
         "at most {quality[worst_ratio]:.2f}; {quality[moved]:.1f} grids moved and {quality[parts]:.1f} of them split off; `whole=heaviest`: at most "
         "{quality[worst_ours]:.2f}, {quality[moved_ours]:.1f} and {quality[parts_ours]:.1f}",
         "The algorithm is as printed, with two ends that it lacks. A part below a thousandth of an average PE's load is not split off. The "
         "moving phase ends at the threshold, as the text says, and not after as many moves as there are grids. `whole=heaviest` levels to the "
         "average instead of the threshold."),
    Item("Figures 4 and 9: the example", ["tests/unit/lb/move_split_test.cpp"], "", "grid 0 is split, grid 1 moved and split",
         "its rest moves, grid 1 is split",
         "The paper has no sizes: with 9 + 8, 3, 0, 4 all PEs get the average."),
    Item("Equations 1 to 3: the metrics", ["include/skein/lb/metrics.hpp", "tests/unit/lb/metrics_test.cpp"], "", "avg_std below 0.035",
         "by `skein lb metrics --phase all`",
         "The paper prints MaxLoad(i) for a load of processor i, which is read as L_i. A processor without load, for which Equation 2 is "
         "infinite, is left out. Their values show that it was: they have idle processors."),
    Item("Figure 12: imbalance ratio", ["lb/generate/samr.cpp"], "quality", "33 to 615 % better than the original",
         "{quality[least_better_percent]:.0f} to {quality[most_better_percent]:.0f} % better",
         LATER + " In ours one adaptation is balanced, and not thousands in turn; few grids are as large as all others. On 8 PEs with 3 grids each "
         "both schemes do the same.", True),
    Item("Figures 6 and 12, Table 2: ShockPool3D", ["apps/samr/director.cpp", "apps/samr/scenarios/shockpool3d.ini"], "application",
         "ratio 2.19 to 2.96 without balancing, on 8 to 64 PEs; below 1.80 with their scheme; time less by 8.1, 14.2, 23.7, 24.2 and 42.1 %",
         "grids hardly cut, " + schemes("application"),
         "Without balancing grids are placed once, where their parents are, as under mpirun alone, so all of a level may be on few PEs. There "
         "are 32^3 cells at the root, three levels and three steps; loads are cells times steps of their level. Of grids of at most 16 cells "
         "there are enough to go round on 8 and 16 PEs: `enzo` {application_cut[enzo_8_16]:.2f} and {application_cut[enzo_16_16]:.2f}, "
         "`move-split` {application_cut[theirs_8_16]:.2f} and {application_cut[theirs_16_16]:.2f}. With grids hardly cut on 8 PEs, "
         "there are two of eight LB steps in which one PE has nearly all, its largest whole grid fills half of what the least loaded PE lacks, and "
         "both are still the most and the least loaded. There the printed scheme ends, at 2.46 and 3.38; on 64 PEs once, at 5.01.", True),
    Item("Figures 6 and 12, Table 2: AMR64", ["apps/samr/director_gravity.cpp", "apps/samr/scenarios/amr64.ini"], "amr64",
         "ratio 2.02 to 25.64 without balancing, on 4 to 64 PEs; below 1.80 with their scheme; time less by 12.6, 34.2, 57.5, 54.2 and 53.7 %",
         schemes("amr64"),
         "There are six overdensities in gas and particles, 32^3 cells at the root, grids hardly cut, and one step of level 0, in a space that "
         "does not expand. Loads are cells and particles times steps of their level, so the time is computing alone, without the cost of "
         "messages and ghost zones."),
    Item("Figures 6 and 12, Table 2: AMR128", ["apps/samr/scenarios/amr128.ini"], "amr128",
         "below 1.80 with their scheme; time more by 4.8 and 2.3 % on 8 and 16 PEs, less by 20.2, 9.1 and 7.5 % on 32, 48 and 64",
         schemes("amr128"),
         "All is as in AMR64, with 64^3 cells at the root."),
    Item("Figure 13: idle PEs", ["include/skein/lb/metrics.hpp"], "amr64", "5.9 to 81.2 % with the original, 0 to 25 % with theirs",
         f"AMR64 on 8, 16, 32, 48 and 64 PEs: {over('amr64', 'idle_enzo_{}_64', 0)} % with `enzo`, {over('amr64', 'idle_theirs_{}_64', 0)} % with `move-split`",
         "Each PE has a grid of level 0 here; theirs may have none."),
    Item("Figures 3 and 8, in a program that moves its own grids", ["bench/papers/grids_advised.cpp", "include/skein/advisor.hpp"], "advised",
         "their schemes are part of ENZO",
         "a plain MPI program that asks the advisor gets the ratios of `skein lb compare` on the same grids at each of "
         "{advised[amr64_enzo_asked]:.0f} and {advised[shockpool3d_enzo_asked]:.0f} adaptations of AMR64 and ShockPool3D on 8 processes: from "
         "{advised[amr64_enzo_before]:.2f} and {advised[shockpool3d_enzo_before]:.2f} `enzo` comes to {advised[amr64_enzo_after]:.2f} and "
         "{advised[shockpool3d_enzo_after]:.2f}, `move-split` to {advised[amr64_move-split_after]:.2f} and {advised[shockpool3d_move-split_after]:.2f}",
         "The advisor moves whole grids and splits none, and `move-split` ends early where it cannot split."),
    Item("Section 5: strategies in the place of theirs", ["lb/model/outlook.cpp", "lb/kernel/levels.cpp"], "beside", "theirs and the original",
         "the time of the levels, one after another, above that of the best of eleven strategies, in the mean of AMR64 and ShockPool3D on 8 to 64 "
         "PEs: `enzo` "
         "{beside[mean_enzo]:.0f} %, `move-split` {beside[mean_theirs]:.0f}, `whole=heaviest` {beside[mean_ours]:.0f}, `greedy-refine` "
         "{beside[mean_greedy_refine]:.0f}, `diffusion` {beside[mean_diffusion]:.0f}; with `by_level=1` `move-split` {beside[mean_theirs_by_level]:.0f}, "
         "`whole=heaviest` {beside[mean_ours_by_level]:.1f}, `greedy-refine` {beside[mean_greedy_refine_by_level]:.0f}, `diffusion` "
         "{beside[mean_diffusion_by_level]:.0f}; `auto` {beside[mean_auto]:.1f}, at most {beside[most_auto]:.1f}",
         "Each strategy decides each LB step of the runs without balancing. Their scheme levels what a PE has of all levels together, but "
         "while a level runs PEs without grids of it wait."),
    Item("Table 2: execution time", ["lb/generate/samr.cpp"], "quality", "4.84 % more to 57.54 % less",
         "the fullest PE computes {quality[least_shorter_percent]:.0f} to {quality[most_shorter_percent]:.0f} % less",
         LATER + " Ours is computing alone, without the cost of ghost zones of split grids. The rows of Figures 6 and 12 have the imbalance in "
         "apps/samr."),
    Item("Figures 14 to 17: the threshold", ["lb/strategies/move_split.cpp"], "threshold", "best time at 1.25; a smaller threshold gives a smaller ratio",
         "ratio {threshold[ratio_110]:.3f}, {threshold[ratio_125]:.3f}, {threshold[ratio_200]:.3f}; "
         "{threshold[moved_110]:.1f}, {threshold[moved_125]:.1f}, {threshold[moved_200]:.1f} moved",
         "Thresholds are 110, 125 and 200 %; trees are made up, and balanced once."),
    Item("Figures 14 to 17: the threshold in a program", ["apps/samr/scenarios/amr64.ini"], "application_threshold",
         "time least at 1.25, or at most 5 % above the least",
         "AMR64 on 8 PEs: ratio {application_threshold[amr64_ratio_110]:.2f}, {application_threshold[amr64_ratio_125]:.2f}, "
         "{application_threshold[amr64_ratio_200]:.2f}; levels take {application_threshold[amr64_longer_110]:+.1f} and "
         "{application_threshold[amr64_longer_200]:+.1f} % at the first and the last against the second. ShockPool3D: "
         "{application_threshold[shockpool3d_ratio_110]:.2f}, {application_threshold[shockpool3d_ratio_125]:.2f}, "
         "{application_threshold[shockpool3d_ratio_200]:.2f}; {application_threshold[shockpool3d_longer_110]:+.1f} and "
         "{application_threshold[shockpool3d_longer_200]:+.1f} %",
         "Thresholds are 110, 125 and 200 %. Ours is computing alone; theirs includes moves and ghost zones of parts. ShockPool3D is shortest "
         "at 150 %: its row tells where the printed scheme ends early.", True),
    *lan_simulated.ITEMS,
]
PAPER = Paper("lan", "Z. Lan, V. E. Taylor, G. Bryan: A Novel Dynamic Load Balancing Scheme for Parallel Systems, J. Parallel Distrib. Comput. 62, 2002",
              PARTS, ITEMS)
