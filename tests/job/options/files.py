# SPDX-License-Identifier: Apache-2.0
"""The files that the rows of rows.py name."""
import json
import os
import shutil
import subprocess

WORLD = """
#include <mpi.h>
int main(int argc, char** argv) {
  int value = 1;
  MPI_Init(&argc, &argv);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return MPI_Finalize();
}
"""


def platform(path, **members):
    """Writes a platform of four PEs on which only computing takes time, except for the given members."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"name": "made-up", "nodes": 1, "pes_per_node": 8, "node": {"latency_ns": 0, "receive_byte_ns": 0}, **members}, file)
    return path


def make(skein, here, folder):
    """Makes the files, and returns their paths by the names in rows."""
    at = lambda name: os.path.join(folder, name)
    call = lambda *words: subprocess.run([skein, *words], check=True, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
    with open(at("world.c"), "w", encoding="utf-8") as file:
        file.write(WORLD)
    with open(at("map"), "w", encoding="utf-8") as file:
        file.writelines(f"{rank} {rank % 3}\n" for rank in range(8))
    call("cc", "-O1", os.path.join(here, "program.c"), "-o", at("program"))
    os.mkdir(at("deep"))
    shutil.copy(at("program"), at("deep/deeper"))
    call("cc", at("world.c"), "-o", at("world"))
    call("run", "-p", "1", "-n", "4", "--trace", at("world.sktrace"), at("world"))
    for pes, ranks, name in ((1, 8, "run.sktrace"), (2, 8, "pair.sktrace"), (1, 4, "coarse.sktrace")):
        call("run", "-p", str(pes), "-n", str(ranks), "--trace", at(name), at("program"))
    call("run", "-p", "2", "-n", "8", "--lb-period", "4", "--lb-dump", at("loads.json"), at("program"))
    return {"TRACE": at("run.sktrace"), "PAIR": at("pair.sktrace"), "COARSE": at("coarse.sktrace"), "WORLD": at("world.sktrace"), "MAP": at("map"),
            "LOADS": at("loads.json"), "PROGRAM": at("program"), "FOLDER": folder, "DEEPER": at("deep"),
            "MACHINE": platform(at("machine.json")), "SLOW": platform(at("slow.json"), speed=0.5),
            "CONTENDED": platform(at("contended.json"), contention=[1, 1.5]),
            "NOISY": platform(at("noisy.json"), noise=0.1),
            "NETWORK": platform(at("network.json"), nodes=4, pes_per_node=1, network={"latency_ns": 50000, "byte_ns": 100, "gap_ns": 0})}
