// SPDX-License-Identifier: Apache-2.0
// One tooltip for the page, and colours that people with any colour vision tell apart: viridis for amounts, those of M. Okabe and
// K. Ito for kinds. Light or dark is the reader's.

const kinds_light = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a37400", "#2a8fc7", "#6b4fa0", "#5a5a5a"];
const kinds_dark = ["#56b4e9", "#ff9045", "#2fcf9f", "#e59ac4", "#f0e442", "#8fd0ff", "#b79cf0", "#c0c0c0"];

function is_dark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

const kind_colour = index => (is_dark() ? kinds_dark : kinds_light)[index % kinds_light.length];
const style_colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Returns the number of a canvas's pixel of this colour. */
function pixel_of(colour) {
  const {r, g, b} = d3.rgb(colour);
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

/** 256 pixels. */
const viridis = Uint32Array.from({length: 256}, (_, i) => pixel_of(d3.interpolateViridis(i / 255)));

/** Returns a pixel for each of `count` PEs: distinct colours for few PEs, a scale in their order for many. */
function pe_pixels(count) {
  const few = count <= kinds_light.length;
  return Uint32Array.from({length: count}, (_, pe) => pixel_of(few ? kind_colour(pe) : d3.interpolateViridis(pe / (count - 1))));
}
const css_of_pixel = pixel => `rgb(${pixel & 255} ${pixel >> 8 & 255} ${pixel >> 16 & 255})`;

const theme_watchers = [];
function set_up_theme() {
  const told = () => theme_watchers.forEach(watcher => watcher());
  d3.select("#theme").on("click", () => {
    document.documentElement.dataset.theme = is_dark() ? "light" : "dark";
    told();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", told);
}

// One tooltip for the page, which screen readers read out.

const tooltip = document.getElementById("tooltip");

function show_tooltip(text, x, y) {
  tooltip.textContent = text;
  tooltip.hidden = false;
  const {width, height} = tooltip.getBoundingClientRect();
  const right = x + 16 + width <= innerWidth;
  tooltip.style.left = `${Math.max(4, right ? x + 16 : x - 16 - width)}px`;
  tooltip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - height - 4))}px`;
}

function hide_tooltip() { tooltip.hidden = true; }
