// SPDX-License-Identifier: Apache-2.0
// The page from top to bottom.

async function show_page() {
  set_up_theme();
  const {runs, tunings} = about;
  await read_loads(runs);
  const shown = {runs, tunings, with_loads: runs.filter(run => run.loads.busy)};
  for (const add of charts) await add(shown);
  document.documentElement.dataset.ready = "yes";
}

show_page().catch(error => {
  d3.select("main").insert("p", "*").attr("class", "warning").text(`This page could not be shown: ${error.message}`);
  throw error;
});
