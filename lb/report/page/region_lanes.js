// SPDX-License-Identifier: Apache-2.0
// The regions that a program names in its timeline: a lane for each level of them, the outermost at the top. A region has one
// colour everywhere on the page: those with most computing have colours of their own.

/** The regions of a run: `names` by number; `order`: the regions that occur, by computing, largest first. */
class RegionNames {
  constructor(names, order) {
    Object.assign(this, {names, order});
    this.place = new Int32Array(names.length).fill(-1);
    order.forEach((name, i) => { this.place[name] = i; });
  }
  colour(name) { return kind_colour(this.place[name]); }
}

/** Mixes `part` of pixel a with the rest of b. */
function blended(a, b, part) {
  const channel = shift => Math.round((a >>> shift & 255) * part + (b >>> shift & 255) * (1 - part)) << shift;
  return (255 << 24 | channel(16) | channel(8) | channel(0)) >>> 0;
}

/**
 * Fills a line of pixels at `offset`: each in the colour of the region in which `rows` spent most of its time, paler if they
 * spent less of it in any region. Time in an inner lane does not count for the outer ones.
 */
function fill_region_line(pixels, offset, columns, rows, begin, step, lanes, regions) {
  const count = regions.order.length, sums = new Float64Array(columns * count), lane_sums = new Float64Array(columns);
  let inner = new Float64Array(columns);
  const end = begin + columns * step;
  const covered = new Float64Array(columns);
  for (const lane of [...lanes].reverse()) {
    const own = new Float64Array(columns * count);
    lane_sums.fill(0);
    for (const row of rows)
      lane.each(row, begin, end, i => {
        const place = regions.place[lane.what[i]], from = Math.max(begin, lane.begin[i]), to = Math.min(end, lane.begin[i] + lane.length[i]);
        for (let c = clamp(Math.floor((from - begin) / step), 0, columns - 1); c < columns; ++c) {
          const time = Math.min(to, begin + (c + 1) * step) - Math.max(from, begin + c * step);
          if (time <= 0) break;
          own[c * count + place] += time;
          lane_sums[c] += time;
        }
      });
    for (let c = 0; c < columns; ++c) {
      const left = lane_sums[c] > 0 ? Math.max(0, lane_sums[c] - inner[c]) / lane_sums[c] : 0;
      for (let k = c * count; left > 0 && k < (c + 1) * count; ++k) sums[k] += own[k] * left;
      covered[c] = Math.max(covered[c], lane_sums[c]);
    }
    inner = covered.slice();
  }
  const colours = regions.order.map(name => pixel_of(regions.colour(name))), none = wait_pixel();
  for (let c = 0; c < columns; ++c) {
    let most = 0;
    for (let k = 1; k < count; ++k) if (sums[c * count + k] > sums[c * count + most]) most = k;
    const part = Math.min(1, covered[c] / (step * rows.length));
    pixels[offset + c] = part > 0.001 ? blended(colours[most], none, 0.35 + 0.65 * part) : none;
  }
}

/** Draws single regions as bars, with their names if there is room. */
function draw_lane(context, view, lane, row, top, height, regions) {
  const [from, to] = view.x.domain().map(s => s / lane.unit_s);
  context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
  context.textBaseline = "middle";
  lane.each(row, from, to, i => {
    const left = view.x(lane.begin[i] * lane.unit_s), right = view.x((lane.begin[i] + lane.length[i]) * lane.unit_s);
    const shown = Math.max(0, left), width = Math.min(view.width, right) - shown, name = regions.names[lane.what[i]];
    context.fillStyle = regions.colour(lane.what[i]);
    context.fillRect(left, top, Math.max(0.7, right - left - (right - left > 4 ? 0.7 : 0)), height);
    if (height < 10 || width < 24 || context.measureText(name).width + 8 > width) return;
    context.fillStyle = is_dark() ? "#000" : "#fff";
    context.fillText(name, shown + 4, top + height / 2 + 0.5);
  });
}

const most_in_legend = 24;

function add_region_legend(parent, regions) {
  const more = regions.order.length - most_in_legend;
  add_colour_legend(parent, regions.order.slice(0, most_in_legend), name => regions.colour(name), name => regions.names[name],
                    more > 0 ? `and ${more} more` : "");
}
