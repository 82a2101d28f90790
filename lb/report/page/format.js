// SPDX-License-Identifier: Apache-2.0
// Formats numbers for people.

const three_digits = d3.format(".3~r");

function digits(value) {
  return Math.abs(value) >= 1000 ? d3.format(",.0f")(value) : three_digits(value);
}

function seconds_text(seconds) {
  if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return "–";
  const size = Math.abs(seconds);
  if (size === 0) return "0 s";
  if (size >= 1) return `${digits(seconds)} s`;
  if (size >= 1e-3) return `${digits(seconds * 1e3)} ms`;
  if (size >= 1e-6) return `${digits(seconds * 1e6)} µs`;
  return `${digits(seconds * 1e9)} ns`;
}

function bytes_text(bytes) {
  for (const [unit, size] of [["TB", 1e12], ["GB", 1e9], ["MB", 1e6], ["kB", 1e3]])
    if (bytes >= size) return `${digits(bytes / size)} ${unit}`;
  return `${digits(bytes)} B`;
}

/** Returns a count as text: 12, 1.23 M. */
const amount_text = value => Math.abs(value) < 1000 ? digits(value) : d3.format(".3~s")(value).replace(/(\D)$/, " $1");

const percent_text = percent =>
  percent === null || percent === undefined ? "–" : `${d3.format(Math.abs(percent) < 10 ? ".1f" : ".0f")(percent)} %`;
/** Returns "+12 %" for 1.12 times as much. */
const more_text = times => percent_text((times - 1) * 100).replace(/^(?=\d)/, "+");
const count_text = d3.format(",");

/** Returns "1 rank", "3 ranks"; `noun` is the plural. */
const counted = (count, noun) => `${count_text(count)} ${count === 1 ? noun.replace(/s$/, "") : noun}`;
const one_of = noun => noun.replace(/s$/, "");

/** Returns (most / mean - 1) x 100. */
const imbalance_percent = ({most, mean}) => mean > 0 ? (most / mean - 1) * 100 : 0;
