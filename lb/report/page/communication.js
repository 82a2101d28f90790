// SPDX-License-Identifier: Apache-2.0
// The communication matrix: how much each object sends to each other one.

async function add_communication(runs) {
  const known = runs.filter(run => run.communication);
  if (known.length === 0) return;
  const section = add_section("communication", "Communication",
    "Row: who sends; column: to whom. The colour is the sum of the bytes over the run, each step of the scale a " +
    "constant factor. Messages of collectives are not in it.");
  const beside = section.append("div").attr("class", "beside");
  for (const run of known) {
    const {cells, objects_per_cell, cell_of} = run.communication;
    const [at, bytes, messages] = await Promise.all([cell_of, run.communication.bytes, run.communication.messages].map(array_of));
    const filled = new Map();
    for (let i = 0; i < at.length; ++i) filled.set(at[i], i);
    const most = d3.max(bytes) || 1, least = Math.min(d3.min(bytes.filter(b => b > 0)) || 1, most);
    const level = value => most === least ? 255 : 40 + Math.round(215 * Math.log(Math.max(value, least) / least) / Math.log(most / least));
    const figure = beside.append("div").style("max-width", "44rem").node();
    add_run_heading(figure, run);
    new Plane(figure, {
      label: `Communication of ${run.name} between ${counted(run.objects, run.noun)}`,
      height: 420,
      x: {...counting(cells, `to ${one_of(run.noun)}`), format: cell => count_text(cell * objects_per_cell)},
      y: {...counting(cells, `from ${one_of(run.noun)}`), down: true, format: cell => count_text(cell * objects_per_cell)},
      draw: (context, view) => draw_pixels(context, (pixels, columns, rows) => {
        // Draw each cell, however small, so that none is lost among pixels.
        const sx = columns / view.width, sy = rows / view.height;
        for (let i = 0; i < at.length; ++i) {
          const to = at[i] % cells, from = Math.floor(at[i] / cells), colour = viridis[level(bytes[i])];
          const left = Math.max(0, Math.floor(view.x(to) * sx)), top = Math.max(0, Math.floor(view.y(from) * sy));
          const right = Math.min(columns, Math.max(left + 1, Math.floor(view.x(to + 1) * sx)));
          const bottom = Math.min(rows, Math.max(top + 1, Math.floor(view.y(from + 1) * sy)));
          for (let y = top; y < bottom; ++y) pixels.fill(colour, y * columns + left, y * columns + Math.max(left, right));
        }
      }),
      describe: of_cells(cells, cells, (to, from) => {
        const i = filled.get(from * cells + to), name = cell => objects_named(run, cell, objects_per_cell);
        return `${name(from)} to ${name(to)}\n` +
          (i === undefined ? "nothing" : `${bytes_text(bytes[i])} in ${counted(messages[i], "messages")}`);
      }),
    });
    draw_scale(figure, viridis.slice(40), [bytes_text(least), bytes_text(most)]);
  }
}

function objects_named(run, cell, per_cell) {
  const first = cell * per_cell, last = Math.min(run.objects, first + per_cell) - 1;
  return last > first ? `${run.noun} ${first} to ${last}` : `${one_of(run.noun)} ${first}`;
}

charts.push(({runs}) => add_communication(runs));
