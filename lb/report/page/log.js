// SPDX-License-Identifier: Apache-2.0
// The LB steps of a run as a table: moves, reasons, costs and gains.

const first_steps = 60, most_named = 400;

const cost_of = step => (step.meet ?? 0) + (step.collect ?? 0) + (step.decide ?? 0) + (step.move ?? 0);

function why_text(step) {
  if (step.why) return step.why.split("\n", 1)[0];
  if (step.before === null) return "";
  const found = `the fullest PE was ${percent_text(step.before)} above the average`;
  return step.moved === 0 ? `${found}; nothing better was found` : `${found}; expected after: ${percent_text(step.after)}`;
}

/** Describes a decision that was applied late. */
const late_text = late => `decided ${counted(late.points, "sync points")} before, in ${seconds_text(late.decide)}, while all went on` +
  (late.dropped ? "; dropped, since it would have made it worse" : "");

/** Returns [part, seconds] of a step's costs. */
const cost_parts = step => [["meeting", step.meet], ["collecting", step.collect], ["deciding", step.decide], ["moving", step.move]]
  .filter(([, seconds]) => seconds > 0);

function name_moves(run, triples) {
  const lines = [];
  for (let i = 0; i < Math.min(triples.length / 3, most_named); ++i)
    lines.push(`${one_of(run.noun)} ${triples[3 * i]}: PE ${triples[3 * i + 1]} → ${triples[3 * i + 2]}`);
  if (triples.length / 3 > most_named) lines.push(`and ${count_text(triples.length / 3 - most_named)} more`);
  return lines.join("\n");
}

function add_log(runs) {
  const with_steps = runs.filter(run => run.steps.some(is_lb_step));
  if (with_steps.length === 0) return;
  const section = add_section("log", "LB log",
    "Each LB step: what it found, what it moved, what it cost, and what it gained: the time that the fullest PE " +
    "would have computed in the interval behind it had the step moved nothing, less what it did compute.");
  const controls = section.append("div").attr("class", "controls");
  const body = add_table(section.node(), "LB log");
  const more = section.append("div").attr("class", "controls").style("margin-top", "0.6rem");
  const show = run => moves_by_step(run).then(moves => fill_log(body, more, run, moves, first_steps));
  if (with_steps.length > 1)
    add_choice(controls, "Run", with_steps.map((run, i) => [i, `${run.name} (${run_kinds[run.kind]})`]), i => show(with_steps[i]));
  show(with_steps[0]);
}

function fill_log(body, more, run, moves, most) {
  const gained = run.steps.some(step => step.gain !== null);
  const columns = ["step", "at", "strategy", "what moved", "why", "cost", ...(gained ? ["gained"] : [])];
  const numbers = new Set(["step", "at", "cost", "gained"]);
  const table = body.html("").append("table");
  table.append("thead").append("tr").selectAll("th").data(columns).join("th").attr("scope", "col")
    .attr("class", d => numbers.has(d) ? "number" : null).text(d => d);
  const steps = run.steps.filter(is_lb_step), moved = moves.filter((_, i) => is_lb_step(run.steps[i]));
  const rows = table.append("tbody").selectAll("tr").data(steps.slice(0, most)).join("tr");
  rows.append("td").attr("class", "number").text((_, i) => i + 1);
  rows.append("td").attr("class", "number").text(step => seconds_text(step.at));
  rows.append("td").text(step => step.strategy);
  rows.append("td").each(function(step, i) { tell_moved(d3.select(this), run, step, moved[i]); });
  rows.append("td").each(function(step) {
    const cell = d3.select(this);
    if (step.why.includes("\n")) add_details(cell, why_text(step), () => step.why.slice(step.why.indexOf("\n") + 1));
    else cell.text(why_text(step));
    if (step.late) cell.append("div").attr("class", "faint").text(late_text(step.late));
  });
  rows.append("td").attr("class", "number").text(step => seconds_text(cost_of(step)))
    .attr("title", step => cost_parts(step).map(([part, s]) => `${part} ${seconds_text(s)}`).join(", "));
  if (gained) rows.append("td").attr("class", "number").text(step => seconds_text(step.gain));

  more.html("");
  if (steps.length > most)
    more.append("button").attr("type", "button").text(`Show all ${count_text(steps.length)} steps`)
      .on("click", () => fill_log(body, more, run, moves, steps.length));
}

/** Adds details whose text is written when they are opened, since it is long. */
function add_details(cell, summary, text) {
  const details = cell.append("details");
  details.append("summary").text(summary);
  details.on("toggle", () => { if (details.select("pre").empty()) details.append("pre").text(text()); });
}

function tell_moved(cell, run, step, triples) {
  const bytes = step.bytes > 0 ? `, ${bytes_text(step.bytes)}` : "";
  const text = step.moved === 0 ? "nothing" : counted(step.moved, run.noun) + bytes;
  if (triples && triples.length > 0) add_details(cell, text, () => name_moves(run, triples));
  else cell.text(text);
  if (step.pinned > 0) cell.append("div").attr("class", "faint").text(`${counted(step.pinned, run.noun)} had to stay`);
}

charts.push(({runs}) => add_log(runs));
