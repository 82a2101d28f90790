// SPDX-License-Identifier: Apache-2.0
// The runs in figures.

function add_overview(runs) {
  const section = add_section("overview", "Runs");
  for (const warning of about.warnings) section.append("p").attr("class", "warning").text(warning);
  const beside = section.append("div").attr("class", "beside");
  for (const run of runs) {
    const figure = beside.append("div");
    add_run_heading(figure.node(), run);
    const tiles = figure.append("div").attr("class", "tiles");
    const tile = (value, name) => {
      const box = tiles.append("div").attr("class", "tile");
      box.append("div").attr("class", "value").text(value);
      box.append("div").attr("class", "name").text(name);
    };
    if (run.seconds > 0) tile(seconds_text(run.seconds), run.kind === "simulated" ? "predicted time" : "time");
    tile(count_text(run.pes), "PEs");
    if (run.objects) tile(count_text(run.objects), run.noun);
    tile(count_text(run.steps.filter(is_lb_step).length), "LB steps");
    if (run.loads.busy) tile(percent_text(mean_imbalance(run)), "imbalance, average");
    const gain = gain_text(run);
    if (gain) figure.append("p").attr("class", "told").text(gain);
    if (run.platform) figure.append("p").attr("class", "told").text(`On ${run.platform}.`);
    for (const warning of run.warnings) figure.append("p").attr("class", "warning").text(warning);
    figure.append("div").attr("class", "command").text(run.command || run.source);
  }
}

/** Compares makespans if both are known; else the computing of PEs, which includes neither waits nor costs of steps. */
function gain_text(run) {
  if (run.unmoved_s !== null) {
    const gain = run.unmoved_s > 0 ? (1 - run.seconds / run.unmoved_s) * 100 : 0;
    return `With nobody moving ${seconds_text(run.unmoved_s)}, so that balancing ${gain < 0 ? "loses" : "gains"} ${percent_text(Math.abs(gain))}.`;
  }
  return run.without_s > 0
    ? `Without balancing about ${seconds_text(run.without_s)} of computing on the fullest PE, with ${seconds_text(run.with_s)}.` : "";
}

/** Returns the mean over time, not over intervals, whose lengths may differ. */
function mean_imbalance(run) {
  let most = 0, mean = 0;
  for (let k = 0; k < run.loads.busy.intervals; ++k) {
    const summary = run.loads.busy.summary(k);
    most += summary.most;
    mean += summary.mean;
  }
  return imbalance_percent({most, mean});
}

charts.push(({runs}) => runs.length > 0 && add_overview(runs));
