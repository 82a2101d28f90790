// SPDX-License-Identifier: Apache-2.0
// The changes between asking for a decision and applying it, for runs whose decisions are applied late.

const drift_figures = [
  ["imbalance", [], "imbalance of what was decided, by the loads when it was applied"],
  ["change", [7, 4], "of the loads have changed, in all"],
  ["changed", [2, 3], "of the objects have another load"],
  ["work", [9, 3, 2, 3], "more work than when it was asked for"],
];

function add_drift(runs) {
  const late_steps = run => run.steps.filter(step => step.late);
  const series = runs.flatMap((run, i) => late_steps(run).length === 0 ? [] : drift_figures.map(([figure, dash, text]) =>
    ({run, figure, text, dash, colour: i, name: `${run.name}: ${text}`, steps: late_steps(run)})));
  if (series.length === 0) return;
  const section = add_section("drift", "Drift",
    "Decisions that came late: each mark is one, where it was applied. What it says is how far the job had gone on since " +
    "the sync point that the decision was made for. Open marks are decisions that were dropped, since they would have " +
    "made it worse.");
  add_legend(section.node(), series);
  const values = series.flatMap(({steps, figure}) => steps.map(step => step.late[figure]));
  const least = Math.min(0, d3.min(values)), most = Math.max(1, d3.max(values));
  const end = d3.max(series, ({run}) => run.seconds);
  new Plane(section.node(), {
    label: "Drift", height: 260, wheel: "x",
    x: {domain: [0, end], title: "time, s", zoom: true, least: end / 1e4},
    y: {domain: [least * 1.06, most * 1.06], title: "percent"},
    draw: (context, view) => {
      draw_grid(context, view);
      for (const one of series) draw_drift(context, view, one);
    },
    describe: x => describe_drift(series, x),
  });
}

function draw_drift(context, view, {steps, figure, dash, colour}) {
  const at = step => [view.x(step.at), view.y(step.late[figure])];
  context.strokeStyle = context.fillStyle = kind_colour(colour);
  context.lineWidth = 1.5;
  context.setLineDash(dash);
  context.beginPath();
  for (const step of steps) context.lineTo(...at(step));
  context.stroke();
  context.setLineDash([]);
  for (const step of steps) {
    context.beginPath();
    context.arc(...at(step), 3.5, 0, 2 * Math.PI);
    if (step.late.dropped) context.stroke();
    else context.fill();
  }
}

/** Describes for each run the decision that was applied nearest to a time. */
function describe_drift(series, x) {
  const lines = [];
  for (const {run, figure, text, steps} of series) {
    const step = steps[d3.minIndex(steps, one => Math.abs(one.at - x))];
    if (figure === drift_figures[0][0])
      lines.push(`${run.name} at ${seconds_text(step.at)}: ${late_text(step.late)}`);
    lines.push(`${percent_text(step.late[figure])} ${text}`);
  }
  return lines.join("\n");
}

charts.push(({runs}) => add_drift(runs));
