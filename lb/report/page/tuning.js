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
    const body = section.append("div").attr("class", "table").attr("tabindex", 0).attr("role", "region").attr("aria-label", "Configurations");
    fill_tuning(body, tuning, {by: "seconds", up: true});
  }
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
