// SPDX-License-Identifier: Apache-2.0
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
