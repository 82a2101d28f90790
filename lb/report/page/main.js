// SPDX-License-Identifier: Apache-2.0
// The page from top to bottom.

async function show_page() {
  set_up_theme();
  const {runs, tunings} = about;
  await read_loads(runs);
  const with_loads = runs.filter(run => run.loads.busy);
  if (runs.length > 0) add_overview(runs);
  if (with_loads.length > 0) {
    add_heat_map(with_loads);
    add_imbalance(with_loads);
    add_load(with_loads);
  }
  add_drift(runs);
  add_log(runs);
  await add_places(runs);
  await add_communication(runs);
  await add_timeline(runs);
  await add_regions(runs);
  await add_counters(runs);
  add_tuning(tunings);
  document.documentElement.dataset.ready = "yes";
}

show_page().catch(error => {
  d3.select("main").insert("p", "*").attr("class", "warning").text(`This page could not be shown: ${error.message}`);
  throw error;
});
