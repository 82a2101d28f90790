# SPDX-License-Identifier: Apache-2.0
"""R. Keller Tesser et al., INRIA RR-9031, 2017."""
import shutil
import statistics
import subprocess

from frame import seismic
from frame.paper import Item, Paper

NAMES = {"niigata": "Chuetsu-Oki", "ligurian": "Ligurian"}
# The paper has 300x300x150 cells and 500 steps, 500x350x130 and 300; here they are 2.5 times as coarse in space and time.
SCALE = 2.5
SIZES = {"niigata": ((120, 120, 60), 200), "ligurian": ((200, 140, 52), 120)}
SMALL = {"niigata": ((64, 64, 12), 12), "ligurian": ((64, 64, 12), 12)}
STRATEGIES = ("greedy", "refine:tolerance=1.05", "greedy-refine")
LEVELS = (2, 3, 4, 8, 16)


def gain(run, still):
    return 100 * (1 - run["makespan_s"] / still["makespan_s"])


def moved(run):
    return float(sum(step["objects_moved"] for step in run["steps"]))


def names(bench):
    return {"ligurian": "Ligurian"} if bench.small else NAMES


def levels(bench):
    return (4, 16) if bench.small else LEVELS


def rounds(bench):
    return 1 if bench.small else 2


def periods_of(bench):
    return (2, 4) if bench.small else (4, 8, 12, 16)  # theirs 10, 20, 30, 40, of 2.5 times as many steps


def usual_period(bench):
    return 4 if bench.small else 8


def earthquake(bench, name):
    cells, steps = (SMALL if bench.small else SIZES)[name]
    return seismic.scenario(bench, name, cells, steps)


def recorded(bench, name, y):
    return seismic.recorded(bench, earthquake(bench, name), 16, y, rounds(bench))


def scaled(found):
    seismic.scale_sizes(found, SCALE ** 3, SCALE ** 2)


def paraplui(bench):
    """Returns the platform paraplui, scaled as if the grids had the published sizes."""
    return seismic.platform(bench, "paraplui", "scaled", scaled)


# Figure 2: the origins of imbalance in time.

KINDS = ("zero", "normal", "mixed", "sporadic", "subnormal")


def counted_instructions(bench, kind):
    """Returns the instructions of one call of the kernel, as valgrind counts them; None without valgrind."""
    if not shutil.which("valgrind"):
        return None
    result = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=update_velocity",
                             bench.maker("zero_handling"), kind, "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    return float(next(line for line in result.stderr.splitlines() if "Collected" in line).split()[-1])


def zeros(bench):
    figures, rows, calls = {}, [], "20" if bench.small else "2000"
    for kind in KINDS:
        figures[f"cycles_{kind}"] = float(bench.run([bench.maker("zero_handling"), kind, calls]))
        figures[f"flushed_{kind}"] = float(bench.run([bench.maker("zero_handling"), kind, calls, "flush"]))
        count = counted_instructions(bench, kind)
        if count is not None:
            figures[f"instructions_{kind}"] = count
        rows.append([kind, figures[f"cycles_{kind}"], figures[f"flushed_{kind}"], count or "not counted"])
    bench.table("What the velocity kernel takes for a cell (theirs, of a kernel of another shape: both differences zero is fast, none zero\n"
                "168 cycles more, one of both longest)", ["stresses", "cycles", "cycles, flushed to zero", "instructions a call"], rows)

    cells, steps = ((32, 32, 12), 12) if bench.small else ((96, 72, 32), 100)
    rows = []
    for keys, name in (("subnormals=0", "flushed"), ("subnormals=1", "kept")):
        file = seismic.scenario(bench, "ligurian", cells, steps, keys)
        trace, others = seismic.recorded(bench, file, 4, 4, rounds(bench) + 1, ("--no-skip",))
        loads = [rank[2:] for rank in seismic.loads(bench, trace)]  # without the program's beginning
        # Medians over tenths of the run, so that a disturbance of one step does not count.
        tenth = max(1, len(loads[0]) // 10)
        told = [[statistics.median(rank[at:at + tenth]) for at in range(0, len(rank) - tenth + 1, tenth)] for rank in loads]
        in_time = [max(rank) / min(rank) for rank in told]
        in_space = [max(at) / statistics.mean(at) for at in zip(*told)]
        figures[f"{name}_in_time"], figures[f"{name}_most_in_time"] = statistics.median(in_time), max(in_time)
        figures[f"{name}_most_in_space"] = max(in_space)
        figures[f"{name}_compute_s"] = seismic.info(bench, trace)["compute_s"]
        figures[f"{name}_others_percent"] = others
        rows.append([name, figures[f"{name}_in_time"], max(in_time), min(in_space), max(in_space), figures[f"{name}_compute_s"], others])
    bench.table("seismic, all cells updated at each step, 16 ranks: a rank's load in tenths of the run, largest / least; ranks' loads in\n"
                "a tenth, largest / mean (theirs, Figure 2: imbalance in time above that in space, no branch in the code)",
                ["below 1e-38", "in time, median", "most", "in space, least", "most", "s", "others had %"], rows)
    return figures


# Figure 4.

def cluster_trace(bench):
    cells, steps, x, y = ((96, 96, 12), 8, 24, 24) if bench.small else ((384, 384, 16), 60, 96, 48)
    file = seismic.scenario(bench, "ligurian", cells, steps, layer=3)
    trace, others = seismic.recorded(bench, file, x, y, 1, ("--no-skip",))
    return seismic.steady(bench, trace), others, x, y


HIERARCHIES = ("hierarchical:node=hwtopo,pe=nuco", "hierarchical:node=hwtopo,pe=hwtopo")
CLUSTER_STRATEGIES = ("refine:tolerance=1.05", "nuco", "hwtopo", *HIERARCHIES, "greedy-refine", "hierarchical")


def short(strategy):
    return strategy.replace("hierarchical:node=", "").replace(",pe=", "+").split(":")[0]


def cluster(bench):
    trace, others, x, y = cluster_trace(bench)
    pes = 72 if bench.small else 288
    # 384x384x16 cells for the paper's 1152x1152x384.
    platform = seismic.platform(bench, "opteron288", "scaled", lambda found: seismic.scale_sizes(found, 216, 72))
    figures = {"others_percent": others}
    one = seismic.coarsened(bench, trace, f"{x}x{y}", f"{x // 4}x{y // 4}" if not bench.small else f"{x // 2}x{y // 4}")
    mpi = bench.simulate(one, platform, pes)
    period = 2 if bench.small else 8
    traces = {16: trace, 8: seismic.coarsened(bench, trace, f"{x}x{y}", f"{x // 2}x{y}")} if not bench.small else {8: trace}
    for each, of in sorted(traces.items()):
        still = bench.simulate(of, platform, pes)
        figures[f"ampi_{each}"] = gain(still, mpi)
        rows = [["none, beside a rank a PE", still["makespan_s"], gain(still, mpi), 0.0, "6.29"]]
        for strategy in CLUSTER_STRATEGIES:
            run = bench.simulate(of, platform, pes, strategy, period)
            figures[f"{strategy}_{each}".replace(":", "_").replace("=", "_").replace(",", "_").replace(".", "_")] = gain(run, still)
            rows.append([strategy, run["makespan_s"], gain(run, still), moved(run), "36.58" if "refine:" in strategy and each == 8 else ""])
        bench.table(f"{each} ranks a PE on {pes} PEs, times of the published size; others had {others:.1f} % of the processors",
                    ["strategy", "s", "gain %", "moved", "theirs %"], rows)
    return figures


def cluster_why(bench):
    """Changes one thing at a time, to find the possible gain in Figure 4, with 8 ranks a PE."""
    cells, steps, x, y, pes = ((96, 96, 12), 8, 24, 24, 72) if bench.small else ((384, 384, 16), 60, 48, 48, 288)
    platform = seismic.platform(bench, "opteron288", "scaled", lambda found: seismic.scale_sizes(found, 216, 72))
    figures, rows = {}, []
    for name, keys, more in (("as it is", "floor=1e-10", ("--no-skip",)), ("below 1e-38 kept", "subnormals=1", ("--no-skip",)),
                             ("tiles at rest skipped", "floor=1e-10", ())):
        trace, others = seismic.recorded(bench, seismic.scenario(bench, "ligurian", cells, steps, keys, 3), x, y, 1, more)
        trace = seismic.steady(bench, trace)
        mpi = bench.simulate(seismic.coarsened(bench, trace, f"{x}x{y}", f"{x // 2}x{y // 4}"), platform, pes)
        still = bench.simulate(trace, platform, pes)
        loads = [rank[2:] for rank in seismic.loads(bench, trace)]  # without the program's beginning
        of_pe = [0.0] * pes
        for rank, steps_of in enumerate(loads):
            of_pe[rank * pes // len(loads)] += sum(steps_of)
        figures[f"{name} imbalance"] = 100 * (max(of_pe) * pes / sum(of_pe) - 1)
        figures[f"{name} none"], figures[f"{name} others"] = gain(still, mpi), others
        for strategy in CLUSTER_STRATEGIES:
            figures[f"{name} {short(strategy)}"] = gain(bench.simulate(trace, platform, pes, strategy, 2 if bench.small else 8), still)
        rows.append([name, figures[f"{name} imbalance"], figures[f"{name} none"],
                     *(figures[f"{name} {short(strategy)}"] for strategy in CLUSTER_STRATEGIES), others])
    bench.table(f"Figure 4, {pes} PEs, 8 ranks each, one thing changed at a time: gains, % (theirs: 6.29 over a rank a PE, Refine 36.58 over that)",
                ["", "imbalance of the run", "8 ranks a PE", *map(short, CLUSTER_STRATEGIES), "others had"], rows)
    return figures


# Figures 6 and 7.

def balancing(bench):
    figures, rows = {}, []
    for name, told in names(bench).items():
        trace, others = recorded(bench, name, 4)
        platform = paraplui(bench)
        still = bench.simulate(trace, platform, 16)
        figures[f"{name}_others_percent"] = others
        figures[f"{name}_none_s"] = still["makespan_s"]
        for strategy in STRATEGIES:
            run = bench.simulate(trace, platform, 16, strategy, usual_period(bench))
            short = strategy.split(":")[0]
            figures[f"{name}_{short}"] = gain(run, still)
            rows.append([f"{told}, {short}", run["makespan_s"], gain(run, still), moved(run),
                         {"niigatagreedy": "best", "ligurianrefine": "best"}.get(name + short, "")])
    bench.table("Figure 6: 64 ranks on 16 PEs of paraplui, an LB step every 20 of their steps", ["", "s", "gain %", "moved", "theirs"], rows)
    return figures


def periods(bench):
    figures = {}
    for name, told in names(bench).items():
        trace, _ = recorded(bench, name, 4)
        # One thing changed at a time.
        variants = {"": (trace, paraplui(bench)), "steady bursts": (seismic.steady(bench, trace), paraplui(bench)),
                    "sizes as recorded": (trace, "paraplui"),
                    "all cells updated": (seismic.recorded(bench, earthquake(bench, name), 16, 4, rounds(bench), ("--no-skip",))[0], paraplui(bench)),
                    "moves cost nothing": (trace, seismic.platform(bench, "paraplui", "free-moves",
                                                                   lambda found: (scaled(found), seismic.free_moves(found))))}
        rows = []
        for variant, (of, platform) in variants.items():
            still = bench.simulate(of, platform, 16)
            for strategy in ("greedy", "refine:tolerance=1.05", "refine:tolerance=1.02"):
                gains = [gain(bench.simulate(of, platform, 16, strategy, period), still) for period in periods_of(bench)]
                rows.append([strategy + (", " + variant if variant else "")] + gains)
                key = f"{name}_{strategy}_{variant}".replace(":tolerance=1.0", "").replace(" ", "_").rstrip("_")
                figures[key + "_often"], figures[key + "_seldom"] = gains[0], gains[-1]
        bench.table(f"Figure 7, left: gain over none, %, {told} (theirs, Ligurian: frequent steps hurt Greedy and help Refine)",
                    ["period"] + [f"{period * SCALE:g}" for period in periods_of(bench)], rows)
    return figures


def decompositions(bench):
    figures = {}
    for name, told in names(bench).items():
        fine, others = recorded(bench, name, 16)
        platform = paraplui(bench)
        dear = [seismic.platform(bench, "paraplui", f"calls-{times}-times", lambda found: (scaled(found), seismic.scale_calls(found, times)))
                for times in (100, 1000)]
        rows, qualities = [], [others]
        for y in levels(bench):
            traces = {}
            if y < 16:
                traces[f"16x{y} recorded"], others = recorded(bench, name, y)
                qualities.append(others)
            if 16 % y == 0:
                traces[f"16x{y} of 16x16"] = fine if y == 16 else seismic.coarsened(bench, fine, "16x16", f"16x{y}")
            for which, trace in traces.items():
                way = "of_fine" if "of" in which else "recorded"
                still = bench.simulate(trace, platform, 16)
                row = [which, still["makespan_s"]]
                figures[f"{name}_{way}_{y}_none_s"] = still["makespan_s"]
                for strategy in STRATEGIES:
                    row.append(bench.simulate(trace, platform, 16, strategy, usual_period(bench))["makespan_s"])
                    figures[f"{name}_{way}_{y}_{strategy.split(':')[0]}_s"] = row[-1]
                for times, costly in zip((100, 1000), dear):
                    row.append(bench.simulate(trace, costly, 16)["makespan_s"])
                    figures[f"{name}_{way}_{y}_calls_{times}_s"] = row[-1]
                rows.append(row)
        figures[f"{name}_others_percent"] = statistics.mean(qualities)
        best = {strategy: min((y for y in levels(bench) if 16 % y == 0), key=lambda y: figures[f"{name}_of_fine_{y}_{strategy}_s"])
                for strategy in ("greedy", "refine")}
        figures[f"{name}_best_greedy"], figures[f"{name}_best_refine"] = float(best["greedy"]), float(best["refine"])
        bench.table(f"Figure 7, right: s, {told}, 16 PEs; others had {statistics.mean(qualities):.0f} % of the processors (theirs, Ligurian:\n"
                    "without balancing each level costs; Refine is best at 4, Greedy at 2)",
                    ["ranks", "none", "greedy", "refine", "greedy-refine", "none, calls x 100", "x 1000"], rows)
    return figures


# Figure 3.

def differences(ours, theirs):
    """Returns the differences for each rank and step of the second half, before which most cells rest, and for each rank
    over this half; %."""
    since = len(theirs[0]) // 2
    steps = [100 * abs(a / b - 1) for x, y in zip(ours, theirs) for a, b in zip(x[since:], y[since:]) if b > 0]
    return steps, [100 * abs(sum(x[since:]) / sum(y[since:]) - 1) for x, y in zip(ours, theirs)]


def coarsening(bench):
    figures, rows = {}, []
    for name, told in names(bench).items():
        fine, fine_others = recorded(bench, name, 16)
        real_trace, real_others = recorded(bench, name, 4)
        between, _ = recorded(bench, name, 8)
        cells = "x".join(map(str, (SMALL if bench.small else SIZES)[name][0][:2]))
        real, platform = seismic.loads(bench, real_trace), paraplui(bench)
        for way, more in (("plain", ()), ("calibrated", ("--cells", cells, "--calibrate-with", between))):
            joined = seismic.coarsened(bench, fine, "16x16", "16x4", more)
            steps, ranks = differences(seismic.loads(bench, joined), real)
            runs = [100 * (bench.simulate(joined, platform, 16, strategy, usual_period(bench))["makespan_s"] /
                           bench.simulate(real_trace, platform, 16, strategy, usual_period(bench))["makespan_s"] - 1)
                    for strategy in ("none",) + STRATEGIES]
            figures.update({f"{name}_{way}_median_step": statistics.median(steps), f"{name}_{way}_worst_step": max(steps),
                            f"{name}_{way}_median_rank": statistics.median(ranks), f"{name}_{way}_worst_rank": max(ranks),
                            f"{name}_{way}_worst_makespan": max(runs, key=abs)})
            rows.append([f"{told}, {way}", statistics.median(steps), max(steps), statistics.median(ranks), max(ranks), *runs])
        figures[f"{name}_others_percent"] = (fine_others + real_others) / 2
    bench.table("Coarsening 16x16 to 16x4 against 16x4 recorded: differences of loads in the second half and of makespans, % (theirs: minimal)",
                ["", "step, median", "worst", "rank, median", "worst", "none", "greedy", "refine", "greedy-refine"], rows)
    return figures


PARTS = {"zeros": zeros, "coarsening": coarsening, "balancing": balancing, "periods": periods, "decompositions": decompositions,
         "cluster": cluster, "cluster_why": cluster_why}
ITEMS = [
    Item("Figure 2d: what zeros cost", ["apps/seismic/update.c", "bench/papers/zero_handling.c"], "zeros",
         "both differences zero is fast, none zero takes 168 cycles more, one zero longest",
         "zeros {zeros[cycles_zero]:.1f}, normal numbers {zeros[cycles_normal]:.1f}, both mixed {zeros[cycles_mixed]:.1f}, numbers below 1e-38 "
         "{zeros[cycles_subnormal]:.0f}, such in one of 64 cells {zeros[cycles_sporadic]:.0f} cycles a cell; {zeros[instructions_zero]:.0f} instructions "
         "a call with zeros, {zeros[instructions_subnormal]:.0f} with such numbers",
         "x86 does not multiply zeros faster. Numbers below 1e-38 cost time; they are sporadic at the front of the wave, like their third "
         "kind. This machine has no counters of the processor: instructions are valgrind's, cycles the time stamp's."),
    Item("Figure 2b: imbalance in time", ["apps/seismic/main.c", "apps/seismic/tests/subnormals.sh"], "zeros",
         "imbalance in time above that in space, without a branch",
         "a rank's largest load over its least: {zeros[kept_in_time]:.1f} in the median; with numbers below 1e-38 as zero {zeros[flushed_in_time]:.2f}; "
         "others had {zeros[kept_others_percent]:.0f} % of the processors",
         "The scenario has the key `subnormals=1` and no `floor`, with `--no-skip`. Their code keeps such numbers; ours makes them zero by "
         "default."),
    Item("Figure 3: coarser from finer", ["lb/trace/coarsen/order.hpp"], "coarsening", "minimal difference",
         "loads of a rank in a step: median {coarsening[ligurian_calibrated_median_step]:.0f} % and {coarsening[niigata_calibrated_median_step]:.1f} %, worst "
         "{coarsening[ligurian_calibrated_worst_step]:.0f} %; makespan, worst {coarsening[niigata_calibrated_worst_makespan]:.1f} %; without calibration "
         "{coarsening[niigata_plain_median_step]:.0f} and {coarsening[niigata_plain_worst_makespan]:.0f} % (Chuetsu-Oki); others had "
         "{coarsening[niigata_others_percent]:.0f} % of the processors",
         "Blocks have 12x9 cells, and their halos and sleeping tiles are not those of larger ones. A step of a rank at rest takes "
         "microseconds, so chance is most of it. `bench/coarsening.py` has blocks of 21x9 and nine recordings.", True),
    Item("Figure 4: AMPI over MPI", ["lb/simulate/platforms/opteron288.json"], "cluster", "6.29 %",
         "8 ranks a PE {cluster[ampi_8]:.1f} %, 16 {cluster[ampi_16]:.1f} %; others had {cluster[others_percent]:.0f} % of the processors",
         "Ours has one rank a PE from the same recording, coarsened, and so no other work. It is simulated; theirs ran. Ranks of a PE hide "
         "each other's waiting.", True),
    Item("Figure 4: Refine and others", ["lb/strategies/hierarchical.cpp", "tests/unit/lb/hierarchical_test.cpp"], "cluster",
         "Refine 36.58 %, best of all, with 8 ranks a PE",
         "Refine {cluster[refine_tolerance_1_05_8]:.1f} %, Nuco {cluster[nuco_8]:.1f}, HwTopo {cluster[hwtopo_8]:.1f}, Hierarchical of HwTopo and Nuco "
         "{cluster[hierarchical_node_hwtopo_pe_nuco_8]:.1f}, of HwTopo twice {cluster[hierarchical_node_hwtopo_pe_hwtopo_8]:.1f}, Greedy-Refine "
         "{cluster[greedy-refine_8]:.1f}; with 16 ranks a PE Refine {cluster[refine_tolerance_1_05_16]:.1f}",
         "Ours has 384x384x16 cells with times of theirs. Only absorbing layers and the basin make it uneven, with numbers below 1e-38 as "
         "zero. So there is hardly anything to gain in 60 steps, and strategies move ranks for chance in one recording (next row). "
         "Bursts are medians over eleven steps.", True),
    Item("Figure 4, one thing at a time: what there is to gain", ["bench/papers/keller_tesser.py", "apps/seismic/update.c"], "cluster_why",
         "Refine 36.58 %, best of all; 6.29 % by 8 ranks a PE",
         "numbers below 1e-38 kept: Refine {cluster_why[below 1e-38 kept refine]:.1f} %, Nuco {cluster_why[below 1e-38 kept nuco]:.1f}, HwTopo "
         "{cluster_why[below 1e-38 kept hwtopo]:.1f}, Hierarchical of HwTopo and Nuco {cluster_why[below 1e-38 kept hwtopo+nuco]:.1f}, of HwTopo twice "
         "{cluster_why[below 1e-38 kept hwtopo+hwtopo]:.1f}, Greedy-Refine {cluster_why[below 1e-38 kept greedy-refine]:.1f}; 8 ranks over one a PE "
         "{cluster_why[below 1e-38 kept none]:.1f} %. As it is, Refine {cluster_why[as it is refine]:.1f} %; with tiles at rest skipped "
         "{cluster_why[tiles at rest skipped refine]:.1f}. Others had {cluster_why[below 1e-38 kept others]:.0f} % of the processors",
         "The processor's handling of small numbers makes the difference, as in their Figure 2: with them the most loaded PE has "
         "{cluster_why[below 1e-38 kept imbalance]:.0f} % more than the mean, without them {cluster_why[as it is imbalance]:.0f} %. The "
         "scenario key is `subnormals=1`. Ranks at the edge of the wave have them, so it hardly matters which strategy levels. Bursts are "
         "medians over eleven steps."),
    Item("Figure 6: Greedy and Refine", ["apps/seismic/scenarios/niigata.txt", "apps/seismic/scenarios/ligurian.txt"], "balancing",
         "Chuetsu-Oki: Greedy better than Refine; Ligurian: Refine better",
         "Chuetsu-Oki: Greedy {balancing[niigata_greedy]:.1f} %, Refine {balancing[niigata_refine]:.1f} %; Ligurian: {balancing[ligurian_greedy]:.1f} % and "
         "{balancing[ligurian_refine]:.1f} %; others had {balancing[ligurian_others_percent]:.0f} % of the processors",
         "Grids are the published ones, 2.5 times as coarse in space and time; messages and moves cost as at the published size. On "
         "Chuetsu-Oki both are alike here; with free moves Greedy is better there, too (Figure 7).", True),
    Item("Figure 7, left: frequency", ["bench/papers/frame/seismic.py"], "periods", "frequent steps hurt Greedy and help Refine (Ligurian)",
         "a step every 10 and every 40 of theirs: Greedy {periods[ligurian_greedy_often]:.1f} and {periods[ligurian_greedy_seldom]:.1f} %, Refine "
         "{periods[ligurian_refine5_often]:.1f} and {periods[ligurian_refine5_seldom]:.1f} %; with free moves Greedy "
         "{periods[ligurian_greedy_moves_cost_nothing_often]:.1f} and {periods[ligurian_greedy_moves_cost_nothing_seldom]:.1f} %; costs of the recorded size: "
         "Refine {periods[ligurian_refine5_sizes_as_recorded_often]:.1f} and {periods[ligurian_refine5_sizes_as_recorded_seldom]:.1f} %; where all cells are updated "
         "from the start, {periods[ligurian_refine5_all_cells_updated_often]:.1f} and {periods[ligurian_refine5_all_cells_updated_seldom]:.1f} %, on Chuetsu-Oki "
         "{periods[niigata_refine5_all_cells_updated_often]:.1f} and {periods[niigata_refine5_all_cells_updated_seldom]:.1f} %; others had "
         "{balancing[ligurian_others_percent]:.0f} % of the processors",
         "They agree. Frequent steps of Greedy pay for moves, not for chance in the loads: bursts made steady change little. Refine is helped "
         "as far as the load moves. If all is computed from the start, as where the wave is everywhere early in a long run, there is less to "
         "follow."),
    Item("Figure 7, right: over-decomposition", ["lb/simulate/platforms/paraplui.json"], "decompositions",
         "without balancing each level costs; Refine best at 4, Greedy at 2",
         "recorded, 2, 4, 8 ranks a PE without balancing: {decompositions[ligurian_recorded_2_none_s]:.1f}, {decompositions[ligurian_recorded_4_none_s]:.1f}, "
         "{decompositions[ligurian_recorded_8_none_s]:.1f} s; of one recording of 16: {decompositions[ligurian_of_fine_2_none_s]:.1f} to "
         "{decompositions[ligurian_of_fine_16_none_s]:.1f} s, and with messages and switches that cost 1,000 times as much "
         "{decompositions[ligurian_of_fine_2_calls_1000_s]:.1f} to {decompositions[ligurian_of_fine_16_calls_1000_s]:.1f} s; recorded, Refine "
         "{decompositions[ligurian_recorded_2_refine_s]:.1f}, {decompositions[ligurian_recorded_4_refine_s]:.1f}, "
         "{decompositions[ligurian_recorded_8_refine_s]:.1f} s, Greedy {decompositions[ligurian_recorded_2_greedy_s]:.1f}, "
         "{decompositions[ligurian_recorded_4_greedy_s]:.1f}, {decompositions[ligurian_recorded_8_greedy_s]:.1f} s; others had "
         "{decompositions[ligurian_others_percent]:.0f} % of the processors",
         "Recorded, each level costs here, too, by the halos that ranks pack and the caches that they share. With the work of one recording it "
         "costs nothing until a message costs hundreds of microseconds, since messages of a PE are a copy here. Greedy gains more by smaller "
         "ranks here than its moves cost.", True),
]
PAPER = Paper("keller_tesser", "R. Keller Tesser et al., INRIA RR-9031, 2017", PARTS, ITEMS)
