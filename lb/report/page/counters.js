// SPDX-License-Identifier: Apache-2.0
// The counters of PAPI, as events in a second of computing: of PEs over time, and of each object over the run.

async function add_counters(runs) {
  const known = runs.filter(run => run.counters);
  if (known.length === 0) return;
  const section = add_section("counters", "Counters",
    "What was counted beside the bursts, in a second of computing. Above: each column is an interval, each row a PE. " +
    `Below: each ${one_of(known[0].noun)} over the whole run; where several share a column, a line from the lowest to the highest.`);
  const names = [...new Set(known.flatMap(run => run.counters.each.map(({name}) => name)))];
  let chosen = names[0];
  const figures = section.append("div");
  const draw = async () => {
    const wanted = chosen;
    const read = [];
    for (const run of known) {
      const counter = run.counters.each.find(({name}) => name === wanted);
      if (counter) read.push({run, rates: await load_matrix(counter.pe_rates, run.pes), sums: await array_of(counter.sums), seconds: await array_of(run.counters.seconds)});
    }
    if (wanted !== chosen) return;
    figures.html("");
    const rates = read.filter(one => one.rates).flatMap(({rates: {values, unit}}) => [d3.min(values.filter(v => v > 0)) * unit, d3.max(values) * unit]);
    const [least, most] = [d3.min(rates) ?? 0, d3.max(rates) || 1];
    for (const one of read) {
      const figure = figures.append("div").node();
      add_run_heading(figure, one.run);
      d3.select(figure).append("p").attr("class", "told").text(sum_text(one, wanted));
      add_rate_map(figure, one, wanted, least, most);
      draw_scale(figure, viridis, [amount_text(least), `${amount_text(most)} a second`]);
      add_rates_of_each(figure, one, wanted);
    }
  };
  if (names.length > 1)
    add_choice(section.insert("div", "div").attr("class", "controls"), "Counter", names.map(name => [name, name]), value => { chosen = value; draw(); });
  await draw();
}

function sum_text({sums, seconds}, name) {
  const sum = d3.sum(sums), computed = d3.sum(seconds);
  return `${name}: ${amount_text(sum)} in ${seconds_text(computed)} of computing, ${amount_text(computed > 0 ? sum / computed : 0)} a second`;
}

/** Adds a map of rates; a place without counts stays plain. */
function add_rate_map(parent, {run, rates}, name, least, most) {
  if (!rates) return;
  new Plane(parent, {
    label: `${name} in a second of computing: ${run.pes} PEs by ${rates.intervals} intervals`,
    height: clamp(run.pes * 22, 100, 360),
    x: counting(rates.intervals, "interval"),
    y: {...counting(run.pes, "PE"), down: true},
    draw: (context, view) => draw_pixels(context, (pixels, columns, rows) => {
      const column = cells_under(view.x, columns, rates.intervals), row = cells_under(view.y, rows, run.pes);
      for (let i = 0; i < columns; ++i)
        for (let j = 0; j < rows; ++j) {
          let sum = 0, cells = 0;
          for (let k = column.first[i]; k < column.end[i]; ++k)
            for (let pe = row.first[j]; pe < row.end[j]; ++pe) {
              const rate = rates.at(k, pe);
              if (rate > 0) { sum += rate; ++cells; }
            }
          const part = most > least ? (sum / cells - least) / (most - least) : 1;
          pixels[j * columns + i] = cells ? viridis[clamp(Math.floor(part * 256), 0, 255)] : wait_pixel();
        }
    }),
    describe: of_cells(rates.intervals, run.pes, (interval, pe) =>
      `PE ${pe}, interval ${interval}\n${name}: ${amount_text(rates.at(interval, pe))} a second`),
  });
}

function add_rates_of_each(parent, {run, sums, seconds}, name) {
  const rates = Float64Array.from(sums, (sum, object) => seconds[object] > 0 ? sum / seconds[object] : 0);
  new Plane(parent, {
    label: `${name} in a second of computing, by ${one_of(run.noun)}`, height: 160,
    x: counting(rates.length, one_of(run.noun)),
    y: {domain: [0, (d3.max(rates) || 1) * 1.06], title: "a second", format: amount_text},
    draw: (context, view) => {
      draw_grid(context, view);
      const columns = Math.floor(view.width), column = cells_under(view.x, columns, rates.length);
      context.fillStyle = kind_colour(0);
      for (let i = 0; i < columns; ++i) {
        const shared = rates.subarray(column.first[i], column.end[i]), top = view.y(d3.max(shared));
        const below = shared.length > 1 ? view.y(d3.min(shared)) : view.height;
        context.fillRect(i, top, 1, Math.max(1.5, below - top));
      }
    },
    describe: x => {
      const object = Math.floor(x);
      if (!(object >= 0 && object < rates.length)) return null;
      return `${one_of(run.noun)} ${object}\n${name}: ${amount_text(sums[object])} in ${seconds_text(seconds[object])} of computing\n` +
        `${amount_text(rates[object])} a second`;
    },
  });
}

charts.push(({runs}) => add_counters(runs));
