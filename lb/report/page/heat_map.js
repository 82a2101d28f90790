// SPDX-License-Identifier: Apache-2.0
// The computing of each PE in each interval: a map for each run, side by side, with one colour scale for all.

const heat_values = {
  busy: {title: "as it ran", matrix: run => run.loads.busy},
  unbalanced: {title: "had nothing ever moved", matrix: run => run.loads.unbalanced},
};
const heat_units = {
  share: {title: "part of the interval", text: value => percent_text(value * 100)},
  seconds: {title: "seconds computed", text: seconds_text},
};

/** Returns the factor from seconds in an interval to the shown unit. */
function heat_factor(run, interval, unit) {
  if (unit === "seconds") return 1;
  const length = interval_length(run, interval);
  return length > 0 ? 1 / length : 0;
}

function heat_scale(runs, unit) {
  const values = [];
  for (const run of runs) {
    const weighty = weighty_intervals(run);
    for (const {matrix} of Object.values(heat_values)) {
      const loads = matrix(run);
      for (let k = 0; loads && k < loads.intervals; ++k) values.push([loads.summary(k).most * heat_factor(run, k, unit), weighty[k]]);
    }
  }
  return clipped_scale(values);
}

/** Returns the intervals under each pixel of a scale of time, as cells_under() does; -1 behind the run's end. */
function intervals_under(scale, pixels, run) {
  const first = new Int32Array(pixels), end = new Int32Array(pixels);
  const [from, to] = scale.domain(), per_pixel = (to - from) / pixels;
  for (let i = 0; i < pixels; ++i) {
    first[i] = interval_at(run, from + (i + 0.001) * per_pixel);
    const last = interval_at(run, from + (i + 0.999) * per_pixel);
    end[i] = last < 0 ? run.interval_end.length : last + 1;
  }
  return {first, end};
}

function fill_heat(pixels, columns, rows, view, run, loads, chosen) {
  const column = chosen.across === "time" ? intervals_under(view.x, columns, run) : cells_under(view.x, columns, loads.intervals);
  const row = cells_under(view.y, rows, loads.pes);
  for (let i = 0; i < columns; ++i) {
    if (column.first[i] < 0) {
      for (let j = 0; j < rows; ++j) pixels[j * columns + i] = wait_pixel();  // the run has ended
      continue;
    }
    for (let j = 0; j < rows; ++j) {
      let found = chosen.cells === "most" ? 0 : Infinity;
      for (let k = column.first[i]; k < column.end[i]; ++k) {
        const factor = chosen.factors.get(run)[k] * loads.unit;
        for (let pe = row.first[j], at = k * loads.pes + pe; pe < row.end[j]; ++pe, ++at) {
          const value = loads.values[at] * factor;
          if (chosen.cells === "most" ? value > found : value < found) found = value;
        }
      }
      // A part that is rounded up is still within the scale.
      pixels[j * columns + i] = found > 1 + 1e-9 ? beyond_pixel : viridis[Math.min(255, Math.floor(found * 256))];
    }
  }
}

function add_heat_map(runs) {
  const section = add_section("heat-map", "Load of the PEs",
    "Each row is a PE, and along it are the intervals between LB steps, as long as they took or each as wide as the others; the colour is how much its " +
    "objects computed in it. Bright rows among dark ones are PEs that all others wait for.");
  const controls = section.append("div").attr("class", "controls");
  // Several runs share a scale of time, so that points above each other are at one time.
  const chosen = {value: "busy", unit: "seconds", cells: "most", across: runs.length > 1 ? "time" : "intervals", factors: new Map()};
  const planes = [];
  let scale = null;

  const update = () => {
    const {most, clipped, all} = heat_scale(runs, chosen.unit);
    for (const run of runs)
      chosen.factors.set(run, Float64Array.from({length: run.loads.busy.intervals},
                                                (_, k) => heat_factor(run, k, chosen.unit) / most));
    scale?.remove();
    const text = heat_units[chosen.unit].text;
    scale = draw_scale(section.node(), viridis, [text(0), text(most)]);
    if (clipped) add_beyond(scale, `beyond the scale: up to ${text(all)} in an interval that is first, short, or nearly idle`);
    planes.forEach(plane => plane.redraw());
  };
  const choice = (name, key, options) => add_choice(controls, name, options, value => { chosen[key] = value; update(); });
  const titles = table => Object.entries(table).map(([key, {title}]) => [key, title]);
  if (runs.some(run => run.loads.unbalanced)) choice("PEs", "value", titles(heat_values));
  choice("Colour:", "unit", [["seconds", heat_units.seconds.title], ["share", heat_units.share.title]]);
  if (runs.some(run => run.pes > 300 || run.loads.busy.intervals > 500))
    choice("Where several cells share a pixel:", "cells", [["most", "the fullest"], ["least", "the emptiest"]]);

  const as_many_pes = runs.every(run => run.pes === runs[0].pes);
  const as_many_intervals = runs.every(run => run.loads.busy.intervals === runs[0].loads.busy.intervals);
  const link = () => {
    if (chosen.across !== "time" && !as_many_intervals) planes.forEach(plane => Plane.link([plane]));
    else if (as_many_pes) Plane.link(planes);
    else Plane.link_x(planes);
  };
  const together = d3.max(runs, run => run.interval_end[run.interval_end.length - 1]);
  const x_axis = run => chosen.across === "time"
    ? {domain: [0, together], title: "time, s", zoom: true, least: together / 1e4}
    : counting(run.loads.busy.intervals, "interval");
  const across = add_choice(controls, "Across:", [["time", "time"], ["intervals", "intervals"]], value => {
    chosen.across = value;
    planes.forEach((plane, i) => plane.set_x(x_axis(runs[i])));
    link();
  });
  across.property("value", chosen.across);

  const beside = section.append("div").attr("class", "beside");
  const tallest = Math.max(...runs.map(run => run.pes));
  const height = clamp(tallest * 22, 150, 440);
  for (const run of runs) {
    const figure = beside.append("div").node();
    add_run_heading(figure, run);
    const loads = () => heat_values[chosen.value].matrix(run) ?? run.loads.busy;
    planes.push(new Plane(figure, {
      label: `Heat map of ${run.name}: ${run.pes} PEs by ${run.loads.busy.intervals} intervals`,
      height,
      x: x_axis(run),
      y: {...counting(run.pes, "PE"), down: true},
      draw: (context, view) => draw_pixels(context, (pixels, columns, rows) =>
        fill_heat(pixels, columns, rows, view, run, loads(), chosen)),
      describe: (x, y) => describe_heat(run, loads(), chosen.across === "time" ? interval_at(run, x) : Math.floor(x), Math.floor(y)),
    }));
  }
  link();
  update();
}

function describe_heat(run, loads, interval, pe) {
  if (interval < 0 || pe < 0 || interval >= loads.intervals || pe >= loads.pes) return null;
  const load = loads.at(interval, pe), {mean} = loads.summary(interval), length = interval_length(run, interval);
  const lines = [`PE ${pe}, interval ${interval}`,
                 `computed ${seconds_text(load)}${length > 0 ? ` of ${seconds_text(length)}` : ""}`];
  if (mean > 0) lines.push(`${more_text(load / mean)} against the average`);
  return lines.join("\n");
}

charts.push(({with_loads}) => with_loads.length > 0 && add_heat_map(with_loads));
