# SPDX-License-Identifier: Apache-2.0
"""Z. Lan, V. E. Taylor, G. Bryan: A Novel Dynamic Load Balancing Scheme for Parallel Systems, J. Parallel Distrib. Comput. 62, 2002."""
import json
import os
import statistics

import lan_simulated
from frame.bench import ROOT
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


def steps_of(bench, problem, steps, pes, greatest, strategy):
    """The LB steps of apps/samr under a strategy, one after each adaptation of each level: what `skein lb compare` says of each."""
    size = ["--cells", "8,8,8", "--levels", "2"] if bench.small else []
    path = bench.path(f"{problem}-{pes}-{greatest}.json")
    bench.run(["mpirun", "-n", str(pes), os.path.join(bench.build, "apps", "samr", "samr"), "--scenario",
               os.path.join(ROOT, "apps", "samr", "scenarios", f"{problem}.ini"), *size, "--steps", str(steps), "--greatest", str(greatest),
               "--skein.lb-period=1", f"--skein.lb-dump={path}", *([] if strategy == "none" else [f"--skein.lb={strategy}"])])
    lines = bench.run([bench.skein, "lb", "compare", path, "--phase", "all", "--strategies", strategy, "--json"]).splitlines()
    return [row for line in lines for row in json.loads(line)["rows"] if row["strategy"] == strategy]


def idle_percent(steps, pes):
    """Equation 3: PEs without load."""
    return 100 * statistics.mean(step["idle_pes"] for step in steps) / pes


def shorter_percent(steps, before):
    """How much less `steps` take than `before`: levels run one after another, each as long as its fullest PE computes."""
    took = [sum(step["levels_s"] for step in each) for each in (steps, before)]
    return 100 * (1 - took[0] / took[1])


def played(bench, problem, steps, sizes, many=(8, 16)):
    """Figures and rows of a problem: for each number of PEs and of cells of a grid, with each scheme."""
    figures, rows = {}, []
    for pes in (3,) if bench.small else many:
        for greatest in sizes[:1] if bench.small else sizes:
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
    figures, rows = played(bench, "shockpool3d", 2 if bench.small else 3, GREATEST)
    bench.table("Imbalance ratio of ShockPool3D by apps/samr, mean over the LB steps of a run (theirs: without balancing 2.19 to 2.96 on 8 to 64\n"
                f"PEs; {THEIRS}; execution time less by 8.1 % on 8 PEs and 14.2 % on 16)", COLUMNS, rows)
    return figures


def amr64(bench):
    figures, rows = played(bench, "amr64", 1, GREATEST[:1], many=(8, 16, 32))
    bench.table(f"Imbalance ratio of AMR64 by apps/samr, mean over the LB steps of a run (theirs: without balancing 2.02 to 25.64 on 4 to 64 PEs;\n"
                f"{THEIRS}; execution time less by 12.6 % on 8 PEs, 34.2 % on 16 and 57.5 % on 32)", COLUMNS, rows)
    return figures


def amr128(bench):
    figures, rows = played(bench, "amr128", 1, GREATEST[:1])
    bench.table(f"Imbalance ratio of AMR128 by apps/samr, mean over the LB steps of a run ({THEIRS};\n"
                "execution time more by 4.8 % on 8 PEs and 2.3 % on 16)", COLUMNS, rows)
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


PARTS = {"quality": quality, "threshold": threshold, "application": application, "amr64": amr64, "amr128": amr128,
         "application_threshold": application_threshold, **lan_simulated.PARTS}

LATER = "their ENZO runs AMR64, AMR128 and ShockPool3D on an Origin2000; here trees of grids refined around a point are made up"
ITEMS = [
    Item("Figure 3: the original scheme", ["lb/strategies/enzo.cpp", "tests/unit/lb/enzo_test.cpp"], "quality",
         "above 1.5 times the least load", "imbalance ratio {quality[enzo_8_3]:.2f} on 8 PEs to {quality[enzo_64_3]:.2f} on 64, 3 grids a PE; with `ratio` and `threshold` as it had them before, "
         "{quality[old_8_3]:.2f} and {quality[old_64_3]:.2f}",
         "as printed, but it ends where no grid goes, which the printed loop does not. It was called `move`, and was "
         "`enzo:ratio=1.05,threshold=1.5`"),
    Item("Figure 8: their scheme", ["lb/strategies/move_split.cpp", "tests/unit/lb/move_split_test.cpp"], "quality",
         "threshold 1.20; always below 1.80",
         "at most {quality[worst_ratio]:.2f}; {quality[moved]:.1f} grids moved and {quality[parts]:.1f} of them split off; `whole=heaviest`: at most "
         "{quality[worst_ours]:.2f}, {quality[moved_ours]:.1f} and {quality[parts_ours]:.1f}",
         "as printed, with two ends that it lacks: a part below a thousandth of an average PE's load is not split off, and the moving phase "
         "ends at the threshold as the text says, not after as many moves as there are grids. `whole=heaviest` levels to the average and not to "
         "the threshold"),
    Item("Figures 4 and 9: the example", ["tests/unit/lb/move_split_test.cpp"], "", "grid 0 is split, grid 1 moved and split",
         "its rest moves, grid 1 is split", "the paper has no sizes: with 9 + 8, 3, 0, 4 all PEs get the average"),
    Item("Equations 1 to 3: the metrics", ["include/skein/lb/metrics.hpp", "tests/unit/lb/metrics_test.cpp"], "", "avg_std below 0.035",
         "by `skein lb metrics --phase all`", "printed is MaxLoad(i) for a load of processor i, which is read as L_i; a processor without load, for which "
         "Equation 2 is infinite, is left out, as their values show that it was: they have idle processors"),
    Item("Figure 12: imbalance ratio", ["lb/generate/samr.cpp"], "quality", "33 to 615 % better than the original",
         "{quality[least_better_percent]:.0f} to {quality[most_better_percent]:.0f} % better",
         LATER + ", in which one adaptation is balanced and not thousands in turn; few grids are as large as all others. On 8 PEs with 3 grids each both do the same", True),
    Item("Figures 6 and 12: ShockPool3D", ["apps/samr/director.cpp", "apps/samr/scenarios/shockpool3d.ini"], "application",
         "ratio 2.19 to 2.96 without balancing, on 8 to 64 PEs; below 1.80 with their scheme; time less by 8.1 % on 8 PEs and 14.2 % on 16",
         "grids hardly cut, 8 and 16 PEs: {application[none_8_64]:.2f} and {application[none_16_64]:.2f} without balancing, `enzo` "
         "{application[enzo_8_64]:.2f} and {application[enzo_16_64]:.2f}, `move-split` {application[theirs_8_64]:.2f} and "
         "{application[theirs_16_64]:.2f}, `whole=heaviest` {application[ours_8_64]:.2f} and {application[ours_16_64]:.2f}; from `enzo` to "
         "`move-split` the levels, one after another, take {application[shorter_8_64]:.1f} and {application[shorter_16_64]:.1f} % less",
         "grids are made where their parents are, so that without balancing all of a level may be on few PEs; 32^3 cells at the root, three "
         "levels, three steps; loads are cells times steps of their level. Of grids of 16 cells at most there are enough to go round: `enzo` "
         "{application[enzo_8_16]:.2f} and {application[enzo_16_16]:.2f}, `move-split` {application[theirs_8_16]:.2f} and "
         "{application[theirs_16_16]:.2f}. Grids hardly cut on 8 PEs: in three of eight LB steps one PE has nearly all, its largest whole grid fills half "
         "of what the least loaded one lacks, and both are the most and the least loaded still: there the printed scheme ends, at 2.49, 2.72 and 3.38. "
         "Played on where a whole grid went, as their text reads, the same steps end at 1.20 at most", True),
    Item("Figures 6 and 12, Table 2: AMR64", ["apps/samr/director_gravity.cpp", "apps/samr/scenarios/amr64.ini"], "amr64",
         "ratio 2.02 to 25.64 without balancing, on 4 to 64 PEs; below 1.80 with their scheme; time less by 12.6 % on 8 PEs, 34.2 % on 16 and 57.5 % on 32",
         "8 and 16 PEs: {amr64[none_8_64]:.2f} and {amr64[none_16_64]:.2f} without balancing, `enzo` {amr64[enzo_8_64]:.2f} and "
         "{amr64[enzo_16_64]:.2f}, `move-split` {amr64[theirs_8_64]:.2f} and {amr64[theirs_16_64]:.2f}, `whole=heaviest` {amr64[ours_8_64]:.2f} and "
         "{amr64[ours_16_64]:.2f}; 32 PEs: {amr64[none_32_64]:.2f}, {amr64[enzo_32_64]:.2f}, {amr64[theirs_32_64]:.2f}, {amr64[ours_32_64]:.2f}. From "
         "`enzo` to `move-split` the levels, one after another, take {amr64[shorter_8_64]:.1f}, {amr64[shorter_16_64]:.1f} and {amr64[shorter_32_64]:.1f} % less",
         "six overdensities in gas and particles, 32^3 cells at the root, grids hardly cut; one step of level 0, in a space that does not expand; "
         "loads are cells and particles times steps of their level, so the time is computing alone, without messages and what ghost zones cost"),
    Item("Figures 6 and 12, Table 2: AMR128", ["apps/samr/scenarios/amr128.ini"], "amr128",
         "below 1.80 with their scheme; time more by 4.8 % on 8 PEs and 2.3 % on 16",
         "8 and 16 PEs: {amr128[none_8_64]:.2f} and {amr128[none_16_64]:.2f} without balancing, `enzo` {amr128[enzo_8_64]:.2f} and "
         "{amr128[enzo_16_64]:.2f}, `move-split` {amr128[theirs_8_64]:.2f} and {amr128[theirs_16_64]:.2f}; the levels take "
         "{amr128[shorter_8_64]:.1f} and {amr128[shorter_16_64]:.1f} % less", "as AMR64, with 64^3 cells at the root"),
    Item("Figure 13: idle PEs", ["include/skein/lb/metrics.hpp"], "amr64", "5.9 to 81.2 % with the original, 0 to 25 % with theirs",
         "AMR64 on 8, 16 and 32 PEs: {amr64[idle_enzo_8_64]:.0f}, {amr64[idle_enzo_16_64]:.0f} and {amr64[idle_enzo_32_64]:.0f} % with `enzo`, "
         "{amr64[idle_theirs_8_64]:.0f}, {amr64[idle_theirs_16_64]:.0f} and {amr64[idle_theirs_32_64]:.0f} % with `move-split`",
         "each PE has a grid of level 0 here, where theirs may have none"),
    Item("Table 2: execution time", ["lb/generate/samr.cpp"], "quality", "4.84 % more to 57.54 % less",
         "the fullest PE computes {quality[least_shorter_percent]:.0f} to {quality[most_shorter_percent]:.0f} % less",
         LATER + "; computing alone, without what ghost zones of split grids cost. its imbalance in apps/samr is in the row above"),
    Item("Figures 14 to 17: the threshold", ["lb/strategies/move_split.cpp"], "threshold", "best time at 1.25; the smaller, the smaller the ratio",
         "ratio {threshold[ratio_110]:.3f}, {threshold[ratio_125]:.3f}, {threshold[ratio_200]:.3f}; "
         "{threshold[moved_110]:.1f}, {threshold[moved_125]:.1f}, {threshold[moved_200]:.1f} moved",
         "of thresholds 110, 125 and 200 %; made-up trees, balanced once"),
    Item("Figures 14 to 17: the threshold in a program", ["apps/samr/scenarios/amr64.ini"], "application_threshold",
         "time least at 1.25, or at most 5 % above the least",
         "AMR64 on 8 PEs: ratio {application_threshold[amr64_ratio_110]:.2f}, {application_threshold[amr64_ratio_125]:.2f}, "
         "{application_threshold[amr64_ratio_200]:.2f}; levels take {application_threshold[amr64_longer_110]:+.1f} and "
         "{application_threshold[amr64_longer_200]:+.1f} % at the first and the last against the second. ShockPool3D: "
         "{application_threshold[shockpool3d_ratio_110]:.2f}, {application_threshold[shockpool3d_ratio_125]:.2f}, "
         "{application_threshold[shockpool3d_ratio_200]:.2f}; {application_threshold[shockpool3d_longer_110]:+.1f} and "
         "{application_threshold[shockpool3d_longer_200]:+.1f} %",
         "of thresholds 110, 125 and 200 %; computing alone, without what moves and ghost zones of parts cost, which theirs has. ShockPool3D is "
         "shortest at 150 %: see above where the printed scheme ends early", True),
    *lan_simulated.ITEMS,
]
PAPER = Paper("lan", "Z. Lan, V. E. Taylor, G. Bryan: A Novel Dynamic Load Balancing Scheme for Parallel Systems, J. Parallel Distrib. Comput. 62, 2002",
              PARTS, ITEMS)
