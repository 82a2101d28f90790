# SPDX-License-Identifier: Apache-2.0
"""options.py SKEIN TRACE_TEXT PROGRAM WORK: --trace FILE:counters=, FILE:last=, and files that cannot be written."""
import os
import pathlib
import subprocess
import sys
import threading

skein, trace_text, program, work = sys.argv[1:]


def run(trace, *arguments, pes=1, **more):
    return subprocess.run([skein, "run", "-p", str(pes), "-n", "4", "--trace", trace, program, *arguments],
                          capture_output=True, text=True, **more)


def text_of(trace, *options):
    return subprocess.run([trace_text, trace, *options], check=True, capture_output=True, text=True).stdout


def expect(condition, what):
    if not condition:
        sys.exit(what)


# Counters: the processor time is counted with each burst, so it is about the burst's and never negative.
events = "perf::TASK-CLOCK,perf::PAGE-FAULTS"
trace = str(pathlib.Path(work) / "counters.sktrace")
done = run(f"{trace}:counters={events}", "5", "1000")
if "cannot be counted here" not in done.stderr:
    expect(done.returncode == 0, done.stderr)
    lines = [line.split(" call ")[1].split() for line in text_of(trace, "--times").splitlines() if " call " in line]
    counted = [[int(n) for n in line[1:]] for line in lines if len(line) == 3]
    expect(len(counted) > 100 and all(a >= 0 and b >= 0 for a, b in counted), "counters are missing, or negative")
    # 4 ranks compute 3 to 4 ms in each of 5 rounds, in nanoseconds of the processor, as far as they get it.
    expect(sum(a for a, _ in counted) > 0, "no time was counted")
done = run(f"{trace}:counters=NO_SUCH_EVENT")
expect(done.returncode != 0 and "NO_SUCH_EVENT" in done.stderr and "--trace" in done.stderr, done.stderr)

# The last part of a run, and a job that is shorter than that.
whole, part = (str(pathlib.Path(work) / f"{name}.sktrace") for name in ("whole", "part"))
for pes in (1, 2):
    expect(run(whole + ":last=1000", "20", "100", pes=pes).returncode == 0, "last=1000 failed")
    expect(run(part + ":last=0.02", "400", "100", pes=pes).returncode == 0, "last=0.02 failed")
    checked = subprocess.run([skein, "trace", "check", part], capture_output=True, text=True, check=False)
    expect(checked.returncode == 1 and checked.stdout.startswith(f"error: {part}: it has only the ends of its streams"),
           checked.stdout)
    told = subprocess.run([skein, "trace", "info", part], capture_output=True, text=True, check=True).stdout
    expect("only the ends of their streams" in told, told)
    of_rank = 1 + 20 * 7 + 2  # its head, events, MPI_Finalize and the end
    expect(text_of(whole).count("\n") == 1 + 4 * of_rank, f"{text_of(whole).count(chr(10))} lines of a short run")
    sections = text_of(part).split("object ")[1:]
    for section in sections:
        expect(section.endswith("end\n"), "the end of a run is missing")
        expect(section.count("\n") < 400 * 7 // 2, "the beginning of a run is there")

# A file that cannot be written, from the start and later: a reader reads the beginning, and goes.
done = run("/dev/full")
expect(done.returncode != 0 and "No space left" in done.stderr and "--trace" in done.stderr, done.stderr)
done = run(str(pathlib.Path(work) / "missing" / "file"))
expect(done.returncode != 0 and "No such file" in done.stderr, done.stderr)
pipe = pathlib.Path(work) / "pipe"
pipe.unlink(missing_ok=True)
os.mkfifo(pipe)


def read_a_little():
    with open(pipe, "rb", buffering=0) as end:
        for _ in range(2):  # the beginning is written in one piece or in two
            end.read(65536)


reader = threading.Thread(target=read_a_little)
reader.start()
done = run(str(pipe), "1000", "100", restore_signals=False)  # some seconds: pieces are written all the while
reader.join()
expect(done.returncode not in (0, -13, 141) and "the trace could not be written further" in done.stderr,
       f"status {done.returncode}: {done.stderr}")
expect(done.stdout == "bursts\n", "the job did not go on without its trace")
