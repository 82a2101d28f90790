// SPDX-License-Identifier: Apache-2.0
// What several charts ask of a run.

/** Reads the loads of all runs that have some, as run.loads. */
async function read_loads(runs) {
  for (const run of runs)
    run.loads = {busy: await load_matrix(run.busy, run.pes), unbalanced: await load_matrix(run.unbalanced, run.pes)};
}

const interval_begin = (run, interval) => interval === 0 ? 0 : run.interval_end[interval - 1];
const interval_length = (run, interval) => run.interval_s[interval];

/** The interval at a time, or -1. */
function interval_at(run, seconds) {
  if (seconds < 0 || seconds > run.interval_end[run.interval_end.length - 1]) return -1;
  return d3.bisectLeft(run.interval_end, seconds);
}

/** The moves of each step: [object, from, to, object, from, to, ...]. */
async function moves_by_step(run) {
  if (!run.moves) return [];
  const all = await array_of(run.moves.triples), steps = [];
  let first = 0;
  for (const count of run.moves.counts) {
    steps.push(all.subarray(first * 3, (first + count) * 3));
    first += count;
  }
  return steps;
}
