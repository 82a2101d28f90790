// SPDX-License-Identifier: Apache-2.0
// Bursts and waits over time, a row for each PE or object. However far it is zoomed out, each pixel shows how much of
// its time was computed: from the sums of bursts before each, by bisection.

class Bursts {
  /** `first`: of each row, and the end; `begin`, `length` in units of time. */
  constructor({first, begin, length, object}, unit_s) {
    Object.assign(this, {first, begin, length, object, unit_s});
    this.rows = first.length - 1;
    this.before = new Float64Array(begin.length + 1);
    for (let i = 0; i < begin.length; ++i) this.before[i + 1] = this.before[i] + length[i];
  }
  /** The last burst of a row that has begun at time t, or -1. `from`: a burst not after it. */
  burst_at(row, t) {
    const i = d3.bisectRight(this.begin, t, this.first[row], this.first[row + 1]) - 1;
    return i >= this.first[row] ? i : -1;
  }
  /** What a row computed until t. */
  until(row, t) {
    const i = this.burst_at(row, t);
    if (i < 0) return 0;
    return this.before[i] - this.before[this.first[row]] + Math.min(t - this.begin[i], this.length[i]);
  }
}

const wait_pixel = () => is_dark() ? 0xff35291f : 0xfff0ece7;

/** Rows together that share pixels; the colour goes from waiting to computing. */
function fill_busy(pixels, columns, rows, view, bursts) {
  const row = cells_under(view.y, rows, bursts.rows), [from, to] = view.x.domain();
  const step = (to - from) / columns / bursts.unit_s, begin = from / bursts.unit_s;
  // Every row is looked at where there are few; else some of those that share a pixel.
  let done = -1;
  for (let j = 0; j < rows; ++j) {
    if (j > 0 && row.first[j] === row.first[j - 1] && row.end[j] === row.end[j - 1]) {
      pixels.copyWithin(j * columns, done * columns, (done + 1) * columns);
      continue;
    }
    done = j;
    const stride = Math.max(1, Math.floor((row.end[j] - row.first[j]) / 4));
    const sums = new Float64Array(columns);
    let looked_at = 0;
    for (let r = row.first[j]; r < row.end[j]; r += stride, ++looked_at) {
      let last = bursts.until(r, begin);
      for (let i = 0; i < columns; ++i) {
        const next = bursts.until(r, begin + (i + 1) * step);
        sums[i] += next - last;
        last = next;
      }
    }
    for (let i = 0; i < columns; ++i) {
      const part = sums[i] / (step * looked_at);
      pixels[j * columns + i] = part > 0.001 ? viridis[30 + Math.round(200 * Math.min(1, part))] : wait_pixel();
    }
  }
}

/** Single bursts, once they are wide enough to be seen, in the colours of their objects. */
function draw_bursts(context, view, bursts) {
  const [from, to] = view.x.domain().map(s => s / bursts.unit_s);
  const [top, bottom] = view.y.domain();
  for (let r = Math.max(0, Math.floor(top)); r < Math.min(bursts.rows, bottom); ++r) {
    const y = view.y(r), height = view.y(r + 1) - y, gap = height > 8 ? 1 : 0;
    context.fillStyle = css_of_pixel(wait_pixel());
    context.fillRect(0, y + gap, view.width, height - 2 * gap);
    for (let i = Math.max(bursts.first[r], bursts.burst_at(r, from)); i < bursts.first[r + 1] && bursts.begin[i] <= to; ++i) {
      const left = view.x(bursts.begin[i] * bursts.unit_s), right = view.x((bursts.begin[i] + bursts.length[i]) * bursts.unit_s);
      context.fillStyle = kind_colour(bursts.object ? bursts.object[i] : 0);
      context.fillRect(left, y + gap, Math.max(0.7, right - left - (right - left > 4 ? 0.7 : 0)), height - 2 * gap);
    }
  }
}

function bursts_in_view(view, bursts) {
  const [from, to] = view.x.domain().map(s => s / bursts.unit_s), [top, bottom] = view.y.domain();
  let count = 0;
  for (let r = Math.max(0, Math.floor(top)); r < Math.min(bursts.rows, bottom); ++r)
    count += bursts.burst_at(r, to) - Math.max(bursts.first[r] - 1, bursts.burst_at(r, from));
  return count;
}

async function add_timeline(runs) {
  const known = runs.filter(run => run.timeline);
  if (known.length === 0) return;
  const section = add_section("timeline", "Bursts and waits",
    "What was computed when. Far away, the brighter the more of the time was computed; closer, each burst is a bar in " +
    "the colour of its object. Waiting is plain. Click, then scroll to zoom into time, with Shift into rows; drag to move.");
  for (const run of known) {
    const {rows_are, unit_s, note} = run.timeline;
    const names = ["first", "begin", "length", ...(run.timeline.object ? ["object"] : [])];
    const read = await Promise.all(names.map(name => array_of(run.timeline[name])));
    const columns = Object.fromEntries(names.map((name, i) => [name, read[i]]));
    undo_differences(columns);
    const bursts = new Bursts(columns, unit_s);
    const figure = section.append("div").node();
    add_run_heading(figure, run);
    if (note) d3.select(figure).append("p").attr("class", "about").text(note);
    new Plane(figure, {
      label: `Timeline of ${run.name}: ${counted(bursts.begin.length, "bursts")} of ${counted(bursts.rows, rows_are)}`,
      height: clamp(bursts.rows * 20, 140, 460), wheel: "x",
      x: {domain: [0, run.timeline.seconds], title: "time, s", zoom: true, least: Math.min(run.timeline.seconds, 1e-6)},
      y: {domain: [0, bursts.rows], title: one_of(rows_are), cells: true, down: true, zoom: true, least: Math.min(bursts.rows, 2)},
      draw: (context, view) => {
        if (view.y.domain()[1] - view.y.domain()[0] <= 100 && bursts_in_view(view, bursts) < 4000) draw_bursts(context, view, bursts);
        else draw_pixels(context, (pixels, columns, rows) => fill_busy(pixels, columns, rows, view, bursts));
      },
      describe: (x, y) => describe_burst(run, bursts, Math.floor(y), x),
    });
  }
}

/** `begin` is written as the gap behind the burst before. */
function undo_differences({first, begin, length}) {
  for (let r = 0; r + 1 < first.length; ++r)
    for (let i = first[r] + 1; i < first[r + 1]; ++i) begin[i] += begin[i - 1] + length[i - 1];
}

function describe_burst(run, bursts, row, x) {
  if (!(row >= 0 && row < bursts.rows) || x < 0 || x > run.timeline.seconds) return null;
  const t = x / bursts.unit_s, i = bursts.burst_at(row, t), name = `${one_of(run.timeline.rows_are)} ${row} at ${seconds_text(x)}`;
  if (i >= 0 && t < bursts.begin[i] + bursts.length[i]) {
    const whose = bursts.object && run.timeline.rows_are === "PEs" ? ` of ${one_of(run.noun)} ${bursts.object[i]}` : "";
    return `${name}\na burst${whose}: ${seconds_text(bursts.length[i] * bursts.unit_s)}`;
  }
  const end = i + 1 < bursts.first[row + 1] ? bursts.begin[i + 1] * bursts.unit_s : run.timeline.seconds;
  const begin = i >= 0 ? (bursts.begin[i] + bursts.length[i]) * bursts.unit_s : 0;
  return `${name}\nwaits for ${seconds_text(end - begin)}`;
}
