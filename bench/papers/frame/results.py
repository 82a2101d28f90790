# SPDX-License-Identifier: Apache-2.0
"""results.json: the figures of the last run at full size of each part, with the machine and the date."""
import datetime
import json
import os
import platform

from frame.bench import HERE, fail

PATH = os.path.join(HERE, "results.json")
VERSION = 1


def machine():
    """Returns the processor and its number of cores: 'Intel Xeon, 2 cores'."""
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return f"{model}, {len(os.sched_getaffinity(0))} cores"


def read():
    """Returns paper -> part -> {"machine", "date", "figures"}."""
    if not os.path.exists(PATH):
        return {}
    with open(PATH, encoding="utf-8") as file:
        try:
            stored = json.load(file)
        except json.JSONDecodeError as error:
            fail(f"{PATH} is not JSON: {error}; delete it and run bench/papers/run.sh again")
    if stored.get("version") != VERSION:
        fail(f"{PATH} has version {stored.get('version')}, this program reads {VERSION}: delete it and run bench/papers/run.sh again")
    return stored["papers"]


def write(paper, found):
    """Replaces the earlier results of parts of a paper by those in `found`."""
    papers = read()
    told = {"machine": machine(), "date": datetime.date.today().isoformat()}
    papers.setdefault(paper, {}).update({part: {**told, "figures": figures} for part, figures in found.items()})
    with open(PATH + ".tmp", "w", encoding="utf-8") as file:
        json.dump({"version": VERSION, "papers": papers}, file, indent=1, sort_keys=True)
        file.write("\n")
    os.rename(PATH + ".tmp", PATH)
