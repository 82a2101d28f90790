// SPDX-License-Identifier: Apache-2.0
// Questions about a run that several charts ask.

/** Reads the loads of all runs that have some, as run.loads. */
async function read_loads(runs) {
  for (const run of runs)
    run.loads = {busy: await load_matrix(run.busy, run.pes), unbalanced: await load_matrix(run.unbalanced, run.pes)};
}

const interval_begin = (run, interval) => interval === 0 ? 0 : run.interval_end[interval - 1];
const interval_length = (run, interval) => run.interval_s[interval];

/** Returns the interval at a time, or -1. */
function interval_at(run, seconds) {
  if (seconds < 0 || seconds > run.interval_end[run.interval_end.length - 1]) return -1;
  return d3.bisectLeft(run.interval_end, seconds);
}

// An interval shorter than this part of a usual one, or with less computing, has no weight: the parts before the first step and
// behind the last one say nothing about the run.
const least_length = 0.05, least_computed = 0.2;

/** Returns by interval whether scales are made for it. Of several, the first is not: its objects touch their memory first. */
function weighty_intervals(run) {
  const lengths = run.interval_s, usual = d3.median(lengths.filter(s => s > 0)) ?? 0;
  const computed = lengths.map((_, k) => run.loads.busy.summary(k).mean), much = d3.median(computed) ?? 0;
  const weighty = lengths.map((s, k) => s >= least_length * usual && computed[k] >= least_computed * much && !(k === 0 && lengths.length > 2));
  return weighty.some(Boolean) ? weighty : lengths.map(() => true);
}

/**
 * Returns the end of a scale, and whether a value is beyond it. `values`: [value, weighty] pairs. The scale includes weighty
 * values, and the others if they make it no more than a quarter longer.
 */
function clipped_scale(values) {
  const weighty = d3.max(values, ([value, counts]) => counts ? value : 0) || 0, all = d3.max(values, ([value]) => value) || 0;
  const most = all <= 1.25 * weighty || weighty === 0 ? all : weighty;
  return {most: most || 1, clipped: all > most, all};
}

/** Returns false for intervals of traces that end with a sync point which is no LB step. */
const is_lb_step = step => step.strategy !== "";

/** Returns the moves of each step: [object, from, to, object, from, to, ...]. */
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
