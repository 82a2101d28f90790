// SPDX-License-Identifier: Apache-2.0
// The places of objects: a row for each, coloured by its PE in each interval.

/** Returns the PE of `object` in `interval`. */
function place_of(first, moves, object, interval) {
  let pe = first[object];
  for (let k = 0; k < interval && k < moves.length; ++k)
    for (let i = 0; i < moves[k].length; i += 3)
      if (moves[k][i] === object) pe = moves[k][i + 2];
  return pe;
}

/** Plays the moves, and at each drawn column colours the drawn objects. */
function fill_places(pixels, columns, rows, view, first, moves, intervals, colours) {
  const column = cells_under(view.x, columns, intervals), row = cells_under(view.y, rows, first.length);
  const now = Uint32Array.from(first);
  let interval = 0;
  for (let i = 0; i < columns; ++i) {
    for (; interval < column.first[i]; ++interval) {
      const moved = moves[interval] ?? [];
      for (let m = 0; m < moved.length; m += 3) now[moved[m]] = moved[m + 2];
    }
    for (let j = 0; j < rows; ++j) pixels[j * columns + i] = colours[now[row.first[j]]];
  }
}

async function add_places(runs) {
  const known = runs.filter(run => run.placement);
  if (known.length === 0) return;
  const noun = known[0].noun;
  const section = add_section("places", `Where ${noun} were`,
    `Each row is one of the ${noun}, each column an interval; the colour is the PE on which it was.`);
  const beside = section.append("div").attr("class", "beside");
  for (const run of known) {
    const first = await array_of(run.placement), moves = await moves_by_step(run);
    const figure = beside.append("div").node();
    add_run_heading(figure, run);
    const intervals = Math.max(1, run.interval_end.length);
    new Plane(figure, {
      label: `Where the ${counted(first.length, run.noun)} of ${run.name} were`,
      height: clamp(first.length * 14, 150, 440),
      x: counting(intervals, "interval"),
      y: {...counting(first.length, one_of(run.noun)), down: true},
      draw: (context, view) => draw_pixels(context, (pixels, columns, rows) =>
        fill_places(pixels, columns, rows, view, first, moves, intervals, pe_pixels(run.pes))),
      describe: of_cells(intervals, first.length, (interval, object) => {
        const pe = place_of(first, moves, object, interval), before = interval > 0 ? place_of(first, moves, object, interval - 1) : pe;
        return `${one_of(run.noun)} ${object}, interval ${interval}\non PE ${pe}${before === pe ? "" : `, came from PE ${before}`}`;
      }),
    });
    add_pe_legend(figure, run.pes);
  }
}

charts.push(({runs}) => add_places(runs));
