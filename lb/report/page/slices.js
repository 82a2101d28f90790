// SPDX-License-Identifier: Apache-2.0
// A plane through the domain of a program with grids: its values and the PEs of the grids, with their outlines, in time.

/** Returns the grids at a time, coarse ones first: {level, pe, columns, rows, box: [x0, y0, x1, y1], first: of its values}. */
function grids_at(slices, time) {
  const {ends, grids, boxes, firsts} = slices.arrays;
  const all = [];
  for (let i = time ? ends[time - 1] : 0; i < ends[time]; ++i) {
    const [level, pe, columns, rows] = grids.subarray(4 * i, 4 * i + 4);
    all.push({level, pe, columns, rows, box: boxes.subarray(4 * i, 4 * i + 4), first: firsts[i]});
  }
  return all.sort((a, b) => a.level - b.level);
}

async function read_slices(slices) {
  const arrays = await read_columns(slices, ["ends", "grids", "boxes", "values"]);
  arrays.firsts = new Float64Array(arrays.boxes.length / 4);
  for (let i = 1; i < arrays.firsts.length; ++i)
    arrays.firsts[i] = arrays.firsts[i - 1] + arrays.grids[4 * i - 2] * arrays.grids[4 * i - 1];
  slices.arrays = arrays;
}

/** Returns the map from values of all times to parts of the scale, logarithmic if they span orders of magnitude. */
function slice_scale(values) {
  let least = Infinity, most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const scale = (least > 0 && most > 10 * least ? d3.scaleLog : d3.scaleLinear)([least, most], [0, 1]);
  return {least, most, part: most > least ? value => scale(value) : () => 0};
}

/** Returns the index of the grid's value at a point. */
function cell_of({box: [x0, y0, x1, y1], columns, rows, first}, x, y) {
  const column = clamp(Math.floor((x - x0) / (x1 - x0) * columns), 0, columns - 1);
  return first + clamp(Math.floor((y - y0) / (y1 - y0) * rows), 0, rows - 1) * columns + column;
}

/** Returns the finest grid at a point; undefined: none. */
const grid_at = (grids, x, y) => grids.findLast(({box}) => x >= box[0] && x < box[2] && y >= box[1] && y < box[3]);

/** Fills each grid over the earlier ones; `colour_of(grid, cell)` is a pixel. */
function fill_grids(pixels, columns, rows, view, grids, colour_of) {
  const [left, right] = view.x.domain(), [low, high] = view.y.domain();
  const column_of = x => clamp(Math.ceil((x - left) / (right - left) * columns - 0.5), 0, columns);
  const row_of = y => clamp(Math.ceil((high - y) / (high - low) * rows - 0.5), 0, rows);
  for (const grid of grids) {
    const [x0, y0, x1, y1] = grid.box;
    for (let j = row_of(y1); j < row_of(y0); ++j) {
      const y = high - (j + 0.5) / rows * (high - low);
      for (let i = column_of(x0); i < column_of(x1); ++i) {
        const x = left + (i + 0.5) / columns * (right - left);
        pixels[j * columns + i] = colour_of(grid, cell_of(grid, x, y));
      }
    }
  }
}

/** Outlines the grids, finer ones more strongly; a finer grid comes later, so it covers the lines of coarser ones. */
function outline_grids(context, view, grids, colour) {
  context.save();
  context.beginPath();
  context.rect(0, 0, view.width, view.height);
  context.clip();
  context.strokeStyle = colour;
  for (const {level, box: [x0, y0, x1, y1]} of grids) {
    context.globalAlpha = Math.min(1, 0.35 + 0.2 * level);
    context.lineWidth = 0.8 + 0.2 * level;
    context.strokeRect(view.x(x0), view.y(y1), view.x(x1) - view.x(x0), view.y(y0) - view.y(y1));
  }
  context.restore();
}

/** Adds a slider for the time, a button that plays, and the shown time in words. */
function add_times(section, slices, shown, changed) {
  const controls = section.append("div").attr("class", "controls");
  const label = controls.append("label").text("time ");
  const slider = label.append("input").attr("type", "range").attr("min", 0).attr("max", slices.times.length - 1).attr("step", 1)
    .property("value", shown.time).attr("aria-label", "time");
  const told = controls.append("output");
  const go_to = time => {
    shown.time = time;
    shown.grids = grids_at(slices, time);
    slider.property("value", time);
    const levels = new Set(shown.grids.map(grid => grid.level)).size;
    told.text(`${digits(slices.times[time])}: ${counted(shown.grids.length, "grids")} on ${counted(levels, "levels")} in this plane`);
    changed();
  };
  let playing = null;
  const stop = () => {
    clearInterval(playing);
    playing = null;
    play.text("Play");
  };
  slider.on("input", () => {
    stop();
    go_to(Number(slider.property("value")));
  });
  const play = controls.insert("button", "label").attr("type", "button").text("Play").on("click", () => {
    if (playing) return stop();
    if (shown.time === slices.times.length - 1) go_to(0);
    play.text("Pause");
    playing = setInterval(() => shown.time + 1 < slices.times.length ? go_to(shown.time + 1) : stop(), 250);
  });
  go_to(shown.time);
}

// Cells are as wide as high, unless the domain is very flat.
const slice_height = 520, slice_margins = plane_margin.left + plane_margin.right;

async function add_slices(all) {
  for (const [number, slices] of all.entries()) {
    await read_slices(slices);
    const section = add_section(number ? `slices-${number}` : "slices", "Slices of the domain",
      `${slices.program ? `${slices.program}: ` : ""}${slices.quantity}${slices.plane ? ` where ${slices.plane}` : ""}, and the PEs of the grids; a rectangle is a grid, of a finer level over a coarser one.`);
    if (slices.warning) section.append("p").attr("class", "warning").text(slices.warning);
    const {values} = slices.arrays, scale = slice_scale(values);
    const shown = {time: slices.times.length - 1, grids: []}, planes = [];
    add_times(section, slices, shown, () => planes.forEach(plane => plane.redraw()));
    const beside = section.append("div").attr("class", "beside");
    const shape = (slices.y[1] - slices.y[0]) / (slices.x[1] - slices.x[0]);
    const figures = [0, 1].map(() => beside.append("div").style("max-width", `${slice_height / shape + slice_margins}px`).node());
    const add_plane = (figure, label, colours, outline) => planes.push(new Plane(figure, {
      label, height: clamp((figure.clientWidth - slice_margins) * shape, 150, slice_height),
      x: {domain: slices.x, title: "x", zoom: true, least: (slices.x[1] - slices.x[0]) / 200},
      y: {domain: slices.y, title: "y", zoom: true, least: (slices.y[1] - slices.y[0]) / 200},
      draw: (context, view) => {
        const colour_of = colours();  // of the theme
        draw_pixels(context, (pixels, columns, rows) => fill_grids(pixels, columns, rows, view, shown.grids, colour_of));
        outline_grids(context, view, shown.grids, outline());
      },
      describe: (x, y) => {
        const grid = grid_at(shown.grids, x, y);
        if (!grid) return null;
        return `${slices.quantity} ${digits(values[cell_of(grid, x, y)])}\nlevel ${grid.level}, ${grid.columns} x ${grid.rows} cells, on PE ${grid.pe}`;
      },
    }));
    add_plane(figures[0], `${slices.quantity} in a plane of the domain`,
              () => (_, cell) => viridis[Math.round(clamp(scale.part(values[cell]), 0, 1) * 255)], () => "#ffffff");
    draw_scale(figures[0], viridis, [digits(scale.least), digits(scale.most)]);
    add_plane(figures[1], "PEs of the grids in a plane of the domain", () => {
      const pes = pe_pixels(slices.pes);
      return grid => pes[grid.pe];
    }, () => style_colour("--page"));
    add_pe_legend(figures[1], slices.pes);
  }
}

charts.push(({slices}) => add_slices(slices));
