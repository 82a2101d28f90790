// SPDX-License-Identifier: Apache-2.0
// Imbalance, and the load of PEs, over time.

/** Draws a line that is level over each interval, at `value(interval)`. */
function draw_level_line(context, view, run, value) {
  const last = run.interval_end.length;
  const first = Math.max(0, interval_at(run, Math.max(0, view.x.domain()[0])));
  context.beginPath();
  const most = view.y.domain()[1], beyond = [];
  for (let k = first; k < last && interval_begin(run, k) <= view.x.domain()[1]; ++k) {
    const y = view.y(Math.min(value(k), most));
    if (value(k) > most) beyond.push((interval_begin(run, k) + run.interval_end[k]) / 2);
    context.lineTo(view.x(interval_begin(run, k)), y);
    context.lineTo(view.x(run.interval_end[k]), y);
  }
  context.stroke();
  for (const at of beyond) draw_beyond(context, view.x(at));
}

/** Draws an arrow at the upper edge, for a value above it. */
function draw_beyond(context, x) {
  context.save();
  context.fillStyle = beyond_css;
  context.beginPath();
  context.moveTo(x - 5, 9);
  context.lineTo(x + 5, 9);
  context.lineTo(x, 0);
  context.fill();
  context.restore();
}

function draw_grid(context, view) {
  context.save();
  context.strokeStyle = style_colour("--line");
  context.lineWidth = 0.6;
  context.setLineDash([]);
  for (const tick of view.y.ticks(view.height / 40)) {
    context.beginPath();
    context.moveTo(0, view.y(tick));
    context.lineTo(view.width, view.y(tick));
    context.stroke();
  }
  context.restore();
}

function draw_series(context, view, series) {
  draw_grid(context, view);
  for (const {run, value, colour, dash, thin} of series) {
    context.strokeStyle = kind_colour(colour);
    context.lineWidth = thin ? 1.2 : 2;
    context.setLineDash(dash);
    draw_level_line(context, view, run, value);
  }
  context.setLineDash([]);
}

function add_imbalance(runs) {
  const section = add_section("imbalance", "Imbalance over time",
    "How far the fullest PE is above the average, in each interval. The dashed line is the same with all objects " +
    "where they started: what balancing had to deal with.");
  const series = runs.flatMap((run, i) => {
    const of_matrix = matrix => d3.range(matrix.intervals).map(k => imbalance_percent(matrix.summary(k)));
    const both = [["busy", "", []], ["unbalanced", ", had nothing ever moved", [5, 4]]];
    return both.filter(([which]) => run.loads[which]).map(([which, text, dash]) => {
      const values = of_matrix(run.loads[which]);
      return {run, name: run.name + text, colour: i, dash, thin: which !== "busy", values, value: k => values[k], text: percent_text};
    });
  });
  add_lines(section, series, {label: "Imbalance over time", title: "imbalance, %"});
}

function add_load(runs) {
  if (runs.every(run => run.kind === "recorded")) return;
  const section = add_section("load", "Average load over time",
    "Which part of each interval PEs computed: the average (line), and the fullest PE (dashed). The gap between them " +
    "is time that balancing could still save; what is above the fullest is waiting. Vertical lines are where runs ended.");
  const series = runs.flatMap((run, i) => {
    // Recorded ranks need not pass a sync point together, so that intervals have no common length.
    if (run.kind === "recorded") return [];
    const sums = d3.range(run.loads.busy.intervals).map(k => {
      const {mean, most} = run.loads.busy.summary(k), length = interval_length(run, k);
      return length > 0 ? [mean / length * 100, most / length * 100] : [0, 0];
    });
    return [["average", 0, []], ["fullest PE", 1, [5, 4]]].map(([text, at, dash]) => ({
      run, name: `${run.name}, ${text}`, colour: i, dash, thin: at === 1,
      values: sums.map(pair => pair[at]), value: k => sums[k][at], text: percent_text, end: at === 0,
    }));
  });
  add_lines(section, series, {label: "Average load over time", title: "part of the interval, %"});
}

function add_lines(section, series, {label, title}) {
  add_legend(section.node(), series);
  const {most, clipped, all} = clipped_scale(series.flatMap(one => {
    const weighty = weighty_intervals(one.run);
    return one.values.map((value, k) => [value, weighty[k]]);
  }));
  if (clipped)
    section.append("p").attr("class", "about").text(
      `Arrows at the upper edge: intervals that are beyond the scale, up to ${series[0].text(all)}. They are first, short, or nearly idle.`);
  const end = d3.max(series, ({run}) => run.seconds);
  new Plane(section.node(), {
    label, height: 260, wheel: "x",
    x: {domain: [0, end], title: "time, s", zoom: true, least: end / 1e4},
    y: {domain: [0, most * 1.06], title},
    draw: (context, view) => {
      draw_series(context, view, series);
      draw_ends(context, view, series);
    },
    describe: x => {
      const lines = [];
      for (const one of series) {
        const k = interval_at(one.run, x);
        if (k >= 0) lines.push(`${one.name}, interval ${k} of ${seconds_text(interval_length(one.run, k))}: ${one.text(one.values[k])}`);
      }
      return lines.length ? [`at ${seconds_text(x)}`, ...lines].join("\n") : null;
    },
  });
}

function draw_ends(context, view, series) {
  for (const {run, colour, end} of series) {
    if (!end) continue;
    context.strokeStyle = kind_colour(colour);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(view.x(run.seconds), 0);
    context.lineTo(view.x(run.seconds), view.height);
    context.stroke();
  }
}

charts.push(({with_loads}) => with_loads.length > 0 && add_imbalance(with_loads));
charts.push(({with_loads}) => with_loads.length > 0 && add_load(with_loads));
