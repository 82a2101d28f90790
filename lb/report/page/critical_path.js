// SPDX-License-Identifier: Apache-2.0
// The parts of each run's critical path, and the best possible time of the run if a part of it were faster.

const path_kinds = [["compute", "computing"], ["transfer", "messages"], ["collective", "collectives, reductions"],
                    ["balancing", "LB steps"], ["between", "between two of a PE"], ["waiting", "waiting otherwise"]];
const most_of_path = 10;  // ranks in the table

function add_critical_path(runs) {
  const known = runs.filter(run => run.path || run.what_if.length > 0);
  if (known.length === 0) return;
  const section = add_section("critical-path", "Critical path",
    "The chain of computing, messages and steps that the time of the run is the sum of: what is not on it gains nothing by " +
    "being faster. What is on it gains at most so much, since another chain may be the longest then: " +
    "skein simulate TRACE --platform NAME --what-if WHAT=FACTOR plays that run.");
  let factor = 2;
  const tables = [];
  add_choice(section.append("div").attr("class", "controls"), "What if it were faster:",
             [1.25, 1.5, 2, 4, 10].map(value => [value, `${value} times`]),
             value => { factor = Number(value); tables.forEach(fill => fill()); })
    .property("value", factor);
  for (const run of known) {
    const figure = section.append("div").node();
    add_run_heading(figure, run);
    for (const {what, factor: times, seconds} of run.what_if)
      d3.select(figure).append("p").attr("class", "told").text(
        `Played with ${what} ${digits(times)} times as fast: ${seconds_text(seconds)}, ${more_text(seconds / run.seconds)}.`);
    if (!run.path) continue;
    const body = add_table(figure, "Parts of the critical path");
    d3.select(figure).append("p").attr("class", "told").text(
      `It goes from one ${one_of(run.noun)} to another ${count_text(run.path.handed_on)} times. Computing is told by region and by ${one_of(run.noun)}, too.`);
    const fill = () => fill_table(body, ["on the path", "time", "part", `if ${factor} times as fast, at best`],
                                  path_rows(run).map(([name, seconds]) => [
                                    name, seconds_text(seconds), percent_text(seconds / run.seconds * 100),
                                    seconds_text(run.seconds - seconds * (1 - 1 / factor))]));
    tables.push(fill);
    fill();
  }
}

/** Returns the rows of the table: kinds of time, regions, and the ranks with most. */
function path_rows({path, noun}) {
  const kinds = path_kinds.filter(([key]) => path[key] > 0).map(([key, title]) => [title, path[key]]);
  const regions = path.of_regions.length > 1 || path.of_regions[0]?.[0] ? path.of_regions : [];
  const objects = [...path.of_objects].sort((a, b) => b[1] - a[1]).slice(0, most_of_path);
  return [...kinds, ...regions.map(([name, seconds]) => [`in ${name || "no region"}`, seconds]),
          ...objects.map(([object, seconds]) => [`of ${one_of(noun)} ${object}`, seconds])];
}

charts.push(({runs}) => add_critical_path(runs));
