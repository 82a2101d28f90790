// SPDX-License-Identifier: Apache-2.0
// The frame of the page: a section for each chart, with its name in the navigation.

/**
 * The charts in the order of the page, which is that of its files. Each file adds its own, as a function of {runs, tunings,
 * slices, with_loads: the runs whose loads are known}.
 */
const charts = [];

function add_section(id, title, text) {
  d3.select("nav").append("a").attr("href", `#${id}`).text(title);
  const section = d3.select("main").append("section").attr("id", id).attr("aria-label", title);
  section.append("h2").text(title);
  if (text) section.append("p").attr("class", "about").text(text);
  return section;
}

const run_kinds = {real: "real run", simulated: "simulated", recorded: "recorded"};

function add_run_heading(parent, run) {
  const heading = d3.select(parent).append("h3").text(run.name);
  heading.append("span").attr("class", "kind").text(run_kinds[run.kind]);
  return heading;
}

/** Adds a choice: `options` is [value, text] pairs. */
function add_choice(controls, name, options, changed) {
  const label = controls.append("label").text(`${name} `);
  const select = label.append("select").on("change", () => changed(select.property("value")));
  select.selectAll("option").data(options).join("option").attr("value", d => d[0]).text(d => d[1]);
  return select;
}

/** Adds for each item what `mark` draws into an svg of this size, and its text; drawn anew with the theme. */
function add_marks(parent, items, width, height, mark, text, more = "") {
  const legend = d3.select(parent).append("div").attr("class", "legend");
  const draw = () => {
    const entries = legend.html("").selectAll("span").data(items).join("span");
    mark(entries.append("svg").attr("width", width).attr("height", height).attr("aria-hidden", "true"));
    entries.append("span").text(text);
    if (more) legend.append("span").text(more);
  };
  theme_watchers.push(draw);
  draw();
}

/** Adds the lines of the series with their dashes and names. */
function add_legend(parent, series) {
  add_marks(parent, series, 26, 10, svg => svg.append("line").attr("x2", 26).attr("y1", 5).attr("y2", 5).attr("stroke-width", 2.5)
    .attr("stroke", d => kind_colour(d.colour)).attr("stroke-dasharray", d => d.dash.join(" ") || null), d => d.name);
}

/** Adds squares of colours with their texts, followed by `more`. */
function add_colour_legend(parent, items, colour, text, more = "") {
  add_marks(parent, items, 12, 12, svg => svg.append("rect").attr("width", 12).attr("height", 12).attr("fill", colour), text, more);
}

/** Adds the colours of pe_pixels(). */
function add_pe_legend(parent, pes) {
  if (pes <= kinds_light.length) add_colour_legend(parent, d3.range(pes), kind_colour, pe => `PE ${pe}`);
  else draw_scale(parent, viridis, ["PE 0", `PE ${pes - 1}`]);
}

/** Adds a table that scrolls; `name` describes it for those who do not see it. */
function add_table(parent, name) {
  return d3.select(parent).append("div").attr("class", "table").attr("tabindex", 0).attr("role", "region").attr("aria-label", name);
}

/** Fills a table with rows of texts, of which all but the first are numbers. */
function fill_table(body, titles, rows) {
  const table = body.html("").append("table"), number = (_, i) => i > 0 ? "number" : null;
  table.append("thead").append("tr").selectAll("th").data(titles).join("th").attr("scope", "col").attr("class", number).text(d => d);
  table.append("tbody").selectAll("tr").data(rows).join("tr").selectAll("td").data(d => d).join("td").attr("class", number).text(d => d);
}
