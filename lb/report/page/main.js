// SPDX-License-Identifier: Apache-2.0
// Builds the page from top to bottom.

/**
 * Delays the end of the page's loading until the returned function is called: only then does a browser print the page or take
 * a picture of it on command (--print-to-pdf, --screenshot). A document that is being written is not loaded, and neither is the
 * one around it.
 */
function delay_load() {
  const frame = document.body.appendChild(document.createElement("iframe"));
  frame.hidden = true;
  frame.contentDocument.open();
  return () => { frame.contentDocument.close(); frame.remove(); };
}

async function show_page() {
  set_up_theme();
  const {runs, tunings, slices} = about;
  await read_loads(runs);
  const shown = {runs, tunings, slices, with_loads: runs.filter(run => run.loads.busy)};
  for (const add of charts) await add(shown);
  document.documentElement.dataset.ready = "yes";
  // Charts in view are found, and drawn, a little later.
  do await new Promise(later => setTimeout(later, 30));
  while (!document.hidden && Plane.all.some(plane => plane.visible && plane.stale));
}

const loaded = delay_load();
show_page().catch(error => {
  d3.select("main").insert("p", "*").attr("class", "warning").text(`This page could not be shown: ${error.message}`);
  throw error;
}).finally(loaded);
