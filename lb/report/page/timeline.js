// SPDX-License-Identifier: Apache-2.0
// Bursts and waits over time, a row for each PE or object, and below them the regions that the program names. At any zoom, each
// pixel shows how much of its time was computed: bisection finds it in the sums of bursts before each burst.

const wait_pixel = () => is_dark() ? 0xff35291f : 0xfff0ece7;

const least_row_for_lanes = 12;  // pixels; lower rows have room for one layer
const most_bars = 4000;

/** Returns the strips of a row of some height, from above: {lanes, from, to}, parts of the height; without lanes: bursts. */
function strips_of_row(height, {lanes}, show) {
  const bursts = [{lanes: null, from: 0, to: 1}];
  if (lanes.length === 0 || show === "bursts" || (show === "both" && height < least_row_for_lanes)) return bursts;
  const top = show === "regions" ? 0 : 0.5, each = (1 - top) / lanes.length;
  const strips = height * each < 3 ? [{lanes, from: top, to: 1}]
                                   : lanes.map((lane, k) => ({lanes: [lane], from: top + k * each, to: top + (k + 1) * each}));
  return show === "regions" ? strips : [{lanes: null, from: 0, to: top}, ...strips];
}

/** Fills a line of pixels at `offset`; the colours go from waiting to computing. */
function fill_busy_line(pixels, offset, columns, rows, begin, step, bursts) {
  const sums = new Float64Array(columns);
  for (const row of rows) {
    let last = bursts.until(row, begin);
    for (let i = 0; i < columns; ++i) {
      const next = bursts.until(row, begin + (i + 1) * step);
      sums[i] += next - last;
      last = next;
    }
  }
  for (let i = 0; i < columns; ++i) {
    const part = sums[i] / (step * rows.length);
    pixels[offset + i] = part > 0.001 ? viridis[30 + Math.round(200 * Math.min(1, part))] : wait_pixel();
  }
}

/** Returns the rows that determine a pixel: all if they are few, else some of them. */
function rows_looked_at(first, end) {
  return d3.range(first, end, Math.max(1, Math.floor((end - first) / 4)));
}

function fill_timeline(pixels, columns, rows, view, timeline, show) {
  const {bursts, regions} = timeline, row = cells_under(view.y, rows, bursts.rows), [from, to] = view.x.domain();
  const step = (to - from) / columns / bursts.unit_s, begin = from / bursts.unit_s;
  const [top, bottom] = view.y.domain(), strips = strips_of_row(view.height / (bottom - top), timeline, show);
  let done = null;
  for (let j = 0; j < rows; ++j) {
    const at = top + (j + 0.5) / rows * (bottom - top), inside = at - Math.floor(at);
    const strip = strips.find(({to: end}) => inside < end) ?? strips[strips.length - 1];
    if (done && done.strip === strip && row.first[j] === row.first[done.j] && row.end[j] === row.end[done.j]) {
      pixels.copyWithin(j * columns, done.j * columns, (done.j + 1) * columns);
      continue;
    }
    done = {j, strip};
    const looked_at = rows_looked_at(row.first[j], row.end[j]);
    if (strip.lanes) fill_region_line(pixels, j * columns, columns, looked_at, begin, step, strip.lanes, regions);
    else fill_busy_line(pixels, j * columns, columns, looked_at, begin, step, bursts);
  }
}

/** Draws single bursts that are wide enough to be seen, in the colours of their objects. */
function draw_bars(context, view, timeline, show) {
  const {bursts, regions} = timeline, [from, to] = view.x.domain().map(s => s / bursts.unit_s), [top, bottom] = view.y.domain();
  const height = view.y(1) - view.y(0), gap = height > 8 ? 1 : 0, strips = strips_of_row(height, timeline, show);
  for (let r = Math.max(0, Math.floor(top)); r < Math.min(bursts.rows, bottom); ++r) {
    const above = view.y(r) + gap, room = height - 2 * gap;
    context.fillStyle = css_of_pixel(wait_pixel());
    context.fillRect(0, above, view.width, room);
    for (const strip of strips) {
      const y = above + strip.from * room, tall = (strip.to - strip.from) * room;
      if (strip.lanes) strip.lanes.forEach(lane => draw_lane(context, view, lane, r, y, tall, regions));
      else bursts.each(r, from, to, i => {
        const left = view.x(bursts.begin[i] * bursts.unit_s), right = view.x((bursts.begin[i] + bursts.length[i]) * bursts.unit_s);
        context.fillStyle = kind_colour(bursts.what[i]);
        context.fillRect(left, y, Math.max(0.7, right - left - (right - left > 4 ? 0.7 : 0)), tall);
      });
    }
  }
}

function bars_in_view(view, {bursts, lanes}) {
  return d3.sum([bursts, ...lanes], spans => spans.in_view(view));
}

/** Draws each LB step as a line over all rows, as wide as its duration if that can be seen. */
function draw_steps(context, view, run) {
  context.save();
  context.fillStyle = context.strokeStyle = kind_colour(1);
  const last = view.x.domain()[1];
  for (const step of run.steps) {
    if (step.at > last) break;
    if (!is_lb_step(step)) continue;
    const left = view.x(step.at), width = view.x(step.at + cost_of(step)) - left;
    if (left + width < 0) continue;
    context.globalAlpha = 0.35;
    if (width > 1) context.fillRect(left, 0, width, view.height);
    context.globalAlpha = 1;
    context.fillRect(left - 0.5, 0, 1, view.height);
  }
  context.restore();
}

/** Describes the LB step at a time, or within two pixels of it. */
function step_at(run, x, view) {
  const near = 2 * (view.x.invert(1) - view.x.invert(0));
  const steps = run.steps.filter(is_lb_step), k = steps.findIndex(step => x >= step.at - near && x <= step.at + cost_of(step) + near);
  if (k < 0) return null;
  const step = steps[k];
  return `LB step ${k + 1}, ${step.strategy}: ${step.moved === 0 ? "nothing" : counted(step.moved, run.noun)} moved in ${seconds_text(cost_of(step))}`;
}

async function add_timeline(runs) {
  const known = runs.filter(run => run.timeline);
  if (known.length === 0) return;
  const with_regions = known.some(run => run.timeline.regions.length > 0);
  const section = add_section("timeline", "Bursts and waits",
    "What was computed when. Far away, the brighter the more of the time was computed; closer, each burst is a bar in " +
    "the colour of its object. Waiting is plain. " +
    (known.some(run => run.steps.some(is_lb_step)) ? "Lines over all rows are LB steps. " : "") +
    (with_regions ? "Below the bursts of a row are the regions that the program names, or its entry methods, where rows are high enough: an inner one below the outer. " : "") +
    (known.some(run => run.timeline.arrows) ? "Click on a wait to see the messages that ended it. " : "") +
    "Click, then scroll to zoom into time, with Shift into rows; drag to move.");
  const planes = [], controls = section.append("div").attr("class", "controls");
  let show = "both", over = "none";
  if (with_regions)
    add_choice(controls, "Rows show",
               [["both", "bursts and regions"], ["bursts", "bursts"], ["regions", "regions"]],
               value => { show = value; planes.forEach(plane => plane.redraw()); });
  const has = name => known.some(run => run.timeline[name]);
  const overlays = [["none", "nothing"], ["arrows", "messages"], ["path", "the critical path"]].filter(([name]) => name === "none" || has(name));
  if (overlays.length > 1)
    add_choice(controls, "Over them", overlays, value => { over = value; planes.forEach(plane => plane.redraw()); });
  // Runs are compared: points above each other are at one time, and the shorter run ends earlier.
  const together = d3.max(known, run => run.timeline.seconds);
  for (const run of known) {
    const {rows_are, unit_s, note} = run.timeline;
    const timeline = {bursts: await read_spans(run.timeline.bursts, unit_s), lanes: [], counts: [], regions: await region_names(run)};
    const arrows = await read_arrows(run.timeline.arrows), path = run.timeline.path && await read_columns(run.timeline.path, ["row", "begin", "end"]);
    timeline.waits = run.timeline.waits ? await read_spans(run.timeline.waits, unit_s) : null;
    for (const lane of run.timeline.regions) timeline.lanes.push(await read_spans(lane, unit_s));
    for (const counts of run.timeline.counts) timeline.counts.push(await array_of(counts));
    let picked = null;  // the messages that a wait received
    const rows = timeline.bursts.rows, figure = section.append("div").node();
    add_run_heading(figure, run);
    if (note) d3.select(figure).append("p").attr("class", "about").text(note);
    const told = d3.select(figure).append("p").attr("class", "about arrows");
    planes.push(new Plane(figure, {
      label: `Timeline of ${run.name}: ${counted(timeline.bursts.begin.length, "bursts")} of ${counted(rows, rows_are)}`,
      height: clamp(rows * (timeline.lanes.length ? 40 : 20), 140, 460), wheel: "x",
      x: {domain: [0, together], title: "time, s", zoom: true, least: Math.min(together, 1e-6)},
      y: {domain: [0, rows], title: one_of(rows_are), cells: true, down: true, zoom: true, least: Math.min(rows, 2)},
      draw: (context, view) => {
        if (view.y.domain()[1] - view.y.domain()[0] <= 100 && bars_in_view(view, timeline) < most_bars) draw_bars(context, view, timeline, show);
        else draw_pixels(context, (pixels, columns, lines) => fill_timeline(pixels, columns, lines, view, timeline, show));
        draw_steps(context, view, run);
        const drawn = picked ?? (over === "arrows" ? arrows : null);
        told.text(drawn ? draw_arrows(context, view, drawn, unit_s) : "");
        if (over === "path" && path) draw_path(context, view, path, unit_s);
      },
      pick: (x, y) => {
        const wait = arrows && wait_at(timeline, Math.floor(y), x / unit_s);
        picked = wait ? arrows_into(arrows, Math.floor(y), wait.from, wait.to) : null;
      },
      describe: (x, y, view) => [describe_moment(run, timeline, Math.floor(y), x), step_at(run, x, view)].filter(Boolean).join("\n"),
    }));
    if (timeline.lanes.length) add_region_legend(figure, timeline.regions);
  }
  Plane.link_x(planes);
}

/** Describes the call that a row waits in at time t, or else the gap between two bursts; null in a burst. */
function wait_at({bursts, waits}, row, t) {
  if (!(row >= 0 && row < bursts.rows) || bursts.at(row, t) >= 0) return null;
  const call = waits ? waits.at(row, t) : -1;
  if (call >= 0) return {from: waits.begin[call], to: waits.begin[call] + waits.length[call]};
  const i = bursts.begun_at(row, t), next = i >= 0 ? i + 1 : bursts.first[row];
  return {from: i >= 0 ? bursts.begin[i] + bursts.length[i] : 0,
          to: next < bursts.first[row + 1] ? bursts.begin[next] : Infinity};
}

function describe_moment(run, timeline, row, x) {
  const {bursts, lanes, regions} = timeline, {rows_are, seconds} = run.timeline;
  if (!(row >= 0 && row < bursts.rows) || x < 0 || x > seconds) return null;
  const t = x / bursts.unit_s, lines = [`${one_of(rows_are)} ${row} at ${seconds_text(x)}`, ...describe_burst(run, timeline, row, t)];
  for (const lane of lanes) {
    const i = lane.at(row, t);
    if (i >= 0) lines.push(`in ${regions.names[lane.what[i]]}: ${seconds_text(lane.seconds(i))}`);
  }
  return lines.join("\n");
}

/** Describes a burst with its counters, or the wait between two bursts. */
function describe_burst(run, {bursts, counts, waits}, row, t) {
  const i = bursts.begun_at(row, t), end_of = k => (bursts.begin[k] + bursts.length[k]) * bursts.unit_s;
  if (i >= 0 && t < bursts.begin[i] + bursts.length[i]) {
    const whose = run.timeline.rows_are === "PEs" ? ` of ${one_of(run.noun)} ${bursts.what[i]}` : "", length = bursts.seconds(i);
    return [`a burst${whose}: ${seconds_text(length)}`,
            ...counts.map((values, c) => `${run.counters.each[c].name}: ${amount_text(values[i])}, ${amount_text(values[i] / length)} a second`)];
  }
  const end = i + 1 < bursts.first[row + 1] ? bursts.begin[i + 1] * bursts.unit_s : run.timeline.seconds;
  const call = waits ? waits.at(row, t) : -1;
  return [`waits for ${seconds_text(end - (i >= 0 ? end_of(i) : 0))}`, ...(call >= 0 ? [run.timeline.wait_names[waits.what[call]]] : [])];
}

charts.push(({runs}) => add_timeline(runs));
