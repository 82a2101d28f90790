# SPDX-License-Identifier: Apache-2.0
"""Records apps/seismic for the papers: scenarios of any size after its two earthquakes, traces, and the loads in traces."""
import json
import os
import re
import shutil

from frame.bench import ROOT, fail

APP = os.path.join(ROOT, "apps", "seismic")
# nx, ny, nz, spacing, step of the scenario file; layer is 10 cells.
OWN = {"ligurian": (336, 140, 48, 500, 0.035), "niigata": (180, 200, 64, 400, 0.028)}


def program(bench):
    path = bench.path("seismic")
    if not os.path.exists(path):
        sources = sorted(os.path.join(APP, name) for name in os.listdir(APP) if name.endswith(".c"))
        bench.run([bench.skein, "cc", "-std=c11", "-O3", "-ffp-contract=off", "-falign-functions=64", *sources, "-lm", "-o", path])
    return path


def scenario(bench, name, cells, steps, time_keys="floor=1e-10", layer=4):
    """Makes a file with the earthquake `name` on a grid of `cells` over the same region along x, and the step that this allows."""
    nx, _, _, own_spacing, own_step = OWN[name]
    spacing = own_spacing * nx / cells[0]
    least, most = 4 * spacing, (cells[2] - 4) * spacing  # where a source may lie
    with open(os.path.join(APP, "scenarios", name + ".txt"), encoding="utf-8") as file:
        lines = [line for line in file if re.match("layer |basin |source |attenuation ", line)]
    lines = [re.sub(r"^(source .*) z=(\S+)", lambda found: f"{found[1]} z={max(least, min(float(found[2]), most)):g}", line) for line in lines]
    path = bench.path(f"{name}-{'x'.join(map(str, cells))}-{steps}-{re.sub('[^a-z0-9]+', '-', time_keys)}.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"grid nx={cells[0]} ny={cells[1]} nz={cells[2]} spacing={spacing:.6g}\n"
                   f"time step={own_step * spacing / own_spacing:.6g} steps={steps} {time_keys}\n"
                   f"boundary layer={layer} frequency=0.3 free_surface=1\n")
        file.writelines(lines)
    return path


def recorded(bench, file, x, y, rounds, more=()):
    """Returns the least of `rounds` recordings of x times y ranks, and the share of the processors that other programs had
    meanwhile, %. Ends if that is above --others."""
    base = f"{os.path.basename(file).removesuffix('.txt')}-{x}x{y}{''.join(more)}"
    traces, told = [], []
    for number in range(rounds):
        traces.append(bench.make(f"{base}.{number}.sktrace",
                                 lambda trace: [bench.skein, "run", "-q", "-p", "2", "-n", str(x * y), "--trace", trace, program(bench), file,
                                                "--migrate", "1", "--dims", f"{x}x{y}", "--output", bench.path("out"), *more]))
        told.append(info(bench, traces[-1]))
        others = others_had(told[-1:])
        if others > bench.others:
            os.remove(traces[-1])
            fail(f"others had {others:.0f} % of the processors while {os.path.basename(traces[-1])} was recorded, and at most {bench.others:g} % "
                 "are accepted: run again on a quiet machine, or take what there is with --others 100, which the page tells")
    others = others_had(told)
    if rounds == 1:
        return traces[0], others
    least = bench.make(f"{base}.least.sktrace", lambda path: [bench.skein, "trace", "least", *traces, "-o", path])
    return least, others


def others_had(told):
    """Returns the share of the processors that other programs had during these recordings, %."""
    return 100 * sum(one["others_had_s"] for one in told) / max(1e-9, sum(one["by_the_clock_s"] for one in told))


def info(bench, trace):
    return json.loads(bench.run([bench.skein, "trace", "info", trace, "--json"]))


def coarsened(bench, fine, grid, to, more=()):
    name = os.path.basename(fine).removesuffix(".sktrace") + f"-to-{to}{'-calibrated' if more else ''}.sktrace"
    return bench.make(name, lambda path: [bench.skein, "trace", "coarsen", fine, "--grid", grid, "--to", to, *more, "-o", path])


def steady(bench, trace):
    name = os.path.basename(trace).removesuffix(".sktrace") + "-steady.sktrace"
    return bench.make(name, lambda path: [bench.maker("steady_trace"), path, trace])


def loads(bench, trace):
    """Returns the loads by rank and step, ns: those between two sync points of the exported TI trace, whose flop are nanoseconds."""
    folder = bench.path("loads.ti")
    shutil.rmtree(folder, ignore_errors=True)
    bench.run([bench.skein, "trace", "export", trace, "--format", "ti", "--migrate", "-o", folder])
    names = [name for name in os.listdir(folder) if name != "traces.txt"]
    result = []
    for name in sorted(names, key=lambda name: int(re.sub(r"\D", "", name) or -1)):
        steps, load = [], 0.0
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for line in file:
                words = line.split()
                if words[1] == "compute":
                    load += float(words[2])
                elif words[1] == "migrate":
                    steps.append(load)
                    load = 0.0
        result.append(steps)
    return result


def platform(bench, name, label, changes):
    """Returns the platform, changed by changes(platform)."""
    with open(os.path.join(ROOT, "lb", "simulate", "platforms", name + ".json"), encoding="utf-8") as file:
        found = json.load(file)
    changes(found)
    found["name"] = f"{name}, {label}"
    path = bench.path(f"{name}-{label}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file)
    return path


def scale_sizes(found, volume, face):
    """Scales the platform as if each rank had `volume` times the cells, and messages `face` times the bytes."""
    found["speed"] /= volume
    for level in ("pe", "node", "network"):
        for key in ("byte_ns", "send_byte_ns", "receive_byte_ns", "fetch_byte_ns"):
            if key in found.get(level, {}):
                found[level][key] *= face
    for key in ("node_byte_ns", "network_byte_ns"):
        found["moves"][key] *= volume


def scale_calls(found, times):
    """Makes messages, whatever their bytes, and switches between ranks cost the processors `times` as much."""
    for level in ("pe", "node", "network"):
        for key in ("send_ns", "receive_ns", "latency_ns"):
            if key in found.get(level, {}):
                found[level][key] *= times
    found["switch_ns"] *= times


def free_moves(found):
    for key in found["moves"]:
        found["moves"][key] = 0
