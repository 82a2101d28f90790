// SPDX-License-Identifier: Apache-2.0
// The computing inside the regions that a program names, or in its entry methods: by region and by object.

/** By region the times of each object in it: {compute, call, times}, by object, and sums over them. */
class RegionTimes {
  constructor(objects, {object, name, times, compute, call}) {
    this.of = new Map();
    for (let i = 0; i < object.length; ++i) {
      if (!this.of.has(name[i]))
        this.of.set(name[i], {compute: new Float32Array(objects), call: new Float32Array(objects), inside: [], times: 0, computed: 0, called: 0});
      const region = this.of.get(name[i]);
      region.compute[object[i]] = compute[i];
      region.call[object[i]] = call[i];
      region.inside.push(object[i]);
      region.times += times[i];
      region.computed += compute[i];
      region.called += call[i];
    }
    this.order = [...this.of.keys()].sort((a, b) => this.of.get(b).computed - this.of.get(a).computed || a - b);
  }
}

async function region_times(run) {
  if (!run.regions) return null;
  return new RegionTimes(run.objects, await read_columns(run.regions, ["object", "name", "times", "compute", "call"]));
}

async function region_names(run) {
  const times = await region_times(run);
  return times ? new RegionNames(run.regions.names, times.order) : new RegionNames([], []);
}

const region_values = {
  compute: {title: "computed", of: (region, object) => region.compute[object]},
  call: {title: "in calls, which wait", of: (region, object) => region.call[object]},
  both: {title: "both", of: (region, object) => region.compute[object] + region.call[object]},
};

async function add_regions(runs) {
  const known = runs.filter(run => run.regions);
  if (known.length === 0) return;
  const section = add_section("regions", known.every(run => run.noun === "elements") ? "Entry methods" : "Regions",
    "What was done between MPI_Pcontrol(1, name) and MPI_Pcontrol(-1, name), or in entry methods. What is in a region " +
    "inside of another counts for both. In the chart each row is a region and each column one of the " + known[0].noun +
    "; the colour goes from nothing to the most that one did in this region.");
  const planes = [], tables = [];
  let chosen = "compute";
  add_choice(section.append("div").attr("class", "controls"), "Colour, and time of each:",
             Object.entries(region_values).map(([key, {title}]) => [key, title]),
             value => { chosen = value; planes.forEach(plane => plane.redraw()); tables.forEach(fill => fill()); });
  for (const run of known) {
    const times = await region_times(run), regions = await region_names(run), {order} = times, figure = section.append("div").node();
    add_run_heading(figure, run);
    add_region_table(figure, run, times, regions);
    const value = (row, object) => region_values[chosen].of(times.of.get(order[row]), object);
    planes.push(new Plane(figure, {
      label: `Time of ${counted(run.objects, run.noun)} of ${run.name} in ${counted(order.length, "regions")}`,
      height: clamp(order.length * 40, 80, 480), margin: {left: 190},
      x: counting(run.objects, one_of(run.noun)),
      y: {...counting(order.length, ""), down: true, format: row => shortened(regions.names[order[row]] ?? "", 28)},
      draw: (context, view) => draw_pixels(context, (pixels, columns, rows) => fill_regions(pixels, columns, rows, view, run.objects, order.length, value)),
      describe: of_cells(run.objects, order.length, (object, row) => describe_region(run, times, regions, row, object)),
    }));
    tables.push(add_times_of_each(figure, run, times, regions, () => region_values[chosen].of));
  }
}

/** Cuts off a text's beginning: names differ at their ends (in C++, behind the class). */
const shortened = (text, most) => text.length > most ? `…${text.slice(1 - most)}` : text;

/** Fills a map of regions. Each row has its own scale, so that short regions are seen, too. */
function fill_regions(pixels, columns, rows, view, objects, count, value) {
  const column = cells_under(view.x, columns, objects), row = cells_under(view.y, rows, count);
  for (let j = 0, done = -1; j < rows; ++j) {
    if (done >= 0 && row.first[j] === row.first[done]) {
      pixels.copyWithin(j * columns, done * columns, (done + 1) * columns);
      continue;
    }
    done = j;
    let most = 0;
    for (let object = 0; object < objects; ++object) most = Math.max(most, value(row.first[j], object));
    for (let i = 0; i < columns; ++i) {
      let found = 0;
      for (let object = column.first[i]; object < column.end[i]; ++object) found = Math.max(found, value(row.first[j], object));
      pixels[j * columns + i] = viridis[most > 0 ? Math.min(255, Math.floor(found / most * 256)) : 0];
    }
  }
}

function describe_region(run, times, regions, row, object) {
  const name = times.order[row], {compute, call, computed, inside} = times.of.get(name), mean = computed / inside.length;
  const lines = [`${one_of(run.noun)} ${object} in ${regions.names[name]}`,
                 `computed ${seconds_text(compute[object])}, ${seconds_text(call[object])} in calls`];
  if (mean > 0) lines.push(`${more_text(compute[object] / mean)} against the average`);
  return lines.join("\n");
}

function add_region_table(parent, run, times, regions) {
  const noun = run.noun, by = region => region.inside.map(object => region.compute[object]);
  const columns = [
    ["region", name => regions.names[name]],
    ["entered", (_, region) => count_text(region.times)],
    [noun, (_, region) => count_text(region.inside.length)],
    ["computed", (_, region) => seconds_text(region.computed)],
    ["in calls", (_, region) => seconds_text(region.called)],
    [`average of ${noun}`, (_, region) => seconds_text(region.computed / region.inside.length)],
    ["most", (_, region) => of_one(region, d3.maxIndex(by(region)))],
    ["least", (_, region) => of_one(region, d3.minIndex(by(region)))],
    ["imbalance", (_, region) => percent_text(imbalance_percent({most: d3.max(by(region)), mean: region.computed / region.inside.length}))],
  ];
  const of_one = ({compute, inside}, k) => `${seconds_text(compute[inside[k]])} (${one_of(noun)} ${inside[k]})`;
  fill_table(add_table(parent, "Regions"), columns.map(([title]) => title),
             times.order.map(name => columns.map(([, text]) => text(name, times.of.get(name)))));
}

const most_regions_of_each = 12, most_rows_of_each = 5000;

/** Adds details with a row for each object. Returns a function that fills them anew. */
function add_times_of_each(parent, run, times, regions, chosen) {
  const shown = times.order.slice(0, most_regions_of_each), details = d3.select(parent).append("details");
  details.append("summary").text(`Times of each of the ${counted(run.objects, run.noun)}`);
  const body = add_table(details.node(), `Times of each of the ${run.noun}`);
  const fill = () => {
    if (!details.property("open")) return;
    const of = chosen();
    fill_table(body, [one_of(run.noun), ...shown.map(name => regions.names[name])],
               d3.range(Math.min(run.objects, most_rows_of_each)).map(object =>
                 [count_text(object), ...shown.map(name => seconds_text(of(times.of.get(name), object)))]));
  };
  details.on("toggle", fill);
  if (shown.length < times.order.length || run.objects > most_rows_of_each)
    details.append("p").attr("class", "about").text(
      `The ${most_regions_of_each} regions with most computing and the first ${count_text(most_rows_of_each)} ${run.noun}; skein trace export writes all.`);
  return fill;
}

charts.push(({runs}) => add_regions(runs));
