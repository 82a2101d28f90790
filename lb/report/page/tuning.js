// SPDX-License-Identifier: Apache-2.0
// The configurations that a tuning has tried.

function add_tuning(tunings) {
  for (const [number, tuning] of tunings.entries()) {
    const section = add_section(number ? `tuning-${number}` : "tuning", "Tuning",
      "What was tried, the fastest first. On the frontier: no other one is faster with as few PEs.");
    if (tuning.command) {
      section.append("p").attr("class", "told").text("The command to use:");
      section.append("p").attr("class", "command").text(tuning.command);
    }
    if (tuning.note) section.append("p").attr("class", "about").text(tuning.note);
    add_tuning_charts(section, tuning);
    fill_tuning(add_table(section.node(), "Configurations"), tuning, {by: "seconds", up: true});
  }
}

/** Adds time over PEs with the frontier, and time over the period, in the colours of the strategies. */
function add_tuning_charts(section, tuning) {
  const strategies = [...new Set(tuning.rows.map(row => row.strategy))];
  add_legend(section.node(), strategies.map((name, colour) => ({name, colour, dash: []})));
  const balanced = tuning.rows.filter(row => row.strategy !== "none");
  const periods = [...new Set(balanced.map(row => row.period))].sort((a, b) => (a || Infinity) - (b || Infinity));
  // Both get their places before the first is drawn, so that each is drawn once.
  const beside = section.append("div").attr("class", "beside"), places = periods.length < 2 ? [0] : [0, 1];
  const figures = places.map(() => beside.append("div").node());
  const frontier = tuning.rows.filter(row => row.frontier).sort((a, b) => a.pes - b.pes);
  const chart = (label, title, values, value_of, rows, lines) => {
    // Periods and PEs are doubled and halved rather than counted: each value has a place of its own.
    const place = new Map(values.map((value, i) => [value, i + 0.5]));
    const at = row => place.get(value_of(row)) + spread_of(row, strategies);
    const most = d3.max(rows, row => row.seconds) * 1.06 || 1;
    new Plane(figures.shift(), {
      label: `${label} of ${counted(rows.length, "configurations")}`, height: 260,
      x: {domain: [0, values.length], title, cells: true, format: i => values[i] === 0 ? "auto" : count_text(values[i] ?? "")},
      y: {domain: [0, most], title: "time, s"},
      draw: (context, view) => {
        draw_grid(context, view);
        lines(context, row => [view.x(at(row)), view.y(row.seconds)]);
        for (const row of rows) draw_configuration(context, view.x(at(row)), view.y(row.seconds), row, strategies);
      },
      describe: (x, y, view) => {
        const far = row => Math.hypot(view.x(at(row)) - view.x(x), view.y(row.seconds) - view.y(y));
        const row = rows[d3.minIndex(rows, far)];
        return row && far(row) < 40 ? configuration_text(row) : null;
      },
    });
  };
  const numbers = key => [...new Set(tuning.rows.map(row => row[key]))].sort((a, b) => a - b);
  chart("Time over PEs", "PEs; the line is the frontier", numbers("pes"), row => row.pes, tuning.rows,
        (context, point) => draw_chain(context, frontier.map(point), style_colour("--text"), []));
  if (periods.length < 2) return;
  const series = d3.groups ? d3.groups(balanced, key_of_series) : d3.nest().key(key_of_series).entries(balanced).map(({key, values}) => [key, values]);
  chart("Time over the period", "period, sync points; lines: one strategy on as many PEs", periods, row => row.period, balanced, (context, point) => {
    for (const [, rows] of series)
      draw_chain(context, rows.filter(row => row.period > 0).sort((a, b) => a.period - b.period).map(point),
                 kind_colour(strategies.indexOf(rows[0].strategy)), [3, 3]);
  });
}

const key_of_series = row => `${row.strategy} ${row.pes} ${row.ranks} ${row.mode ?? ""}`;
/** Returns an offset that puts strategies beside each other, so that none is drawn over another. */
const spread_of = (row, strategies) => (strategies.indexOf(row.strategy) + 0.5) / strategies.length * 0.6 - 0.3;

function draw_chain(context, points, colour, dash) {
  context.strokeStyle = colour;
  context.lineWidth = 1.4;
  context.setLineDash(dash);
  context.beginPath();
  for (const point of points) context.lineTo(...point);
  context.stroke();
  context.setLineDash([]);
}

function draw_configuration(context, x, y, row, strategies) {
  context.fillStyle = context.strokeStyle = kind_colour(strategies.indexOf(row.strategy));
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, row.frontier ? 5 : 3, 0, 2 * Math.PI);
  if (row.frontier) context.fill();
  else context.stroke();
}

function configuration_text(row) {
  const how = row.strategy === "none" ? "nobody moves" : `${row.strategy}, period ${row.period === 0 ? "auto" : count_text(row.period)}`;
  return `${how}${row.mode ? `, ${row.mode}` : ""}\n${counted(row.ranks, "ranks")} on ${counted(row.pes, "PEs")}: ${seconds_text(row.seconds)}` +
    (row.frontier ? "\non the frontier" : "");
}

const tuning_columns = [
  {key: "strategy", title: "strategy", text: row => row.strategy},
  {key: "period", title: "period", number: true, text: row => row.period === 0 ? "auto" : count_text(row.period)},
  {key: "mode", title: "mode", text: row => row.mode ?? "inline"},
  {key: "ranks", title: "ranks", number: true, text: row => row.ranks ? count_text(row.ranks) : "–"},
  {key: "pes", title: "PEs", number: true, text: row => count_text(row.pes)},
  {key: "seconds", title: "time", number: true, text: row => seconds_text(row.seconds)},
  {key: "spread", title: "sure to", number: true, text: row => row.spread ? `± ${seconds_text(row.spread)}` : "–"},
  {key: "steps", title: "LB steps", number: true, text: row => row.steps === null ? "–" : digits(row.steps)},
  {key: "moved", title: "moved", number: true, text: row => row.moved === null ? "–" : digits(row.moved)},
  {key: "imbalance", title: "imbalance", number: true, text: row => percent_text(row.imbalance)},
  {key: "frontier", title: "frontier", text: row => row.frontier ? "●" : ""},
];

function fill_tuning(body, tuning, order) {
  const columns = tuning_columns.filter(({key}) => tuning.rows.some(row => row[key] !== null && row[key] !== undefined));
  const table = body.html("").append("table");
  const heads = table.append("thead").append("tr").selectAll("th").data(columns).join("th").attr("scope", "col")
    .attr("class", d => d.number ? "number" : null)
    .attr("aria-sort", d => d.key === order.by ? (order.up ? "ascending" : "descending") : null);
  heads.append("button").attr("type", "button").text(d => d.title + (d.key === order.by ? (order.up ? " ▲" : " ▼") : ""))
    .on("click", d => fill_tuning(body, tuning, {by: d.key, up: d.key === order.by ? !order.up : true}));
  const sorted = [...tuning.rows].sort((a, b) => (order.up ? 1 : -1) * d3.ascending(a[order.by], b[order.by]));
  const best = d3.min(tuning.rows, row => row.seconds);
  const rows = table.append("tbody").selectAll("tr").data(sorted).join("tr").attr("class", row => row.seconds === best ? "best" : null);
  for (const column of columns) rows.append("td").attr("class", column.number ? "number" : null).text(column.text);
}

charts.push(({tunings}) => add_tuning(tunings));
