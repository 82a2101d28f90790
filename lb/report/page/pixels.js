// SPDX-License-Identifier: Apache-2.0
// Matrices as pixels: whatever their size, each pixel shows all the cells under it.

/** Returns for each of `pixels` along a scale the cells [first, end) under it, of 0 to `count`. */
function cells_under(scale, pixels, count) {
  const first = new Int32Array(pixels), end = new Int32Array(pixels);
  const [from, to] = scale.domain(), per_pixel = (to - from) / pixels;
  for (let i = 0; i < pixels; ++i) {
    const begin = clamp(Math.floor(from + i * per_pixel), 0, count - 1);
    first[i] = begin;
    end[i] = clamp(Math.floor(from + (i + 1) * per_pixel), begin + 1, count);
  }
  return {first, end};
}

/** Draws over the whole canvas the picture that `fill(pixels, columns, rows)` fills. */
function draw_pixels(context, fill) {
  const {width, height} = context.canvas;
  const image = context.createImageData(width, height);
  fill(new Uint32Array(image.data.buffer), width, height);
  context.putImageData(image, 0, 0);
}

// The colour of values beyond a scale, which no scale contains.
const beyond_css = "#d55e00", beyond_pixel = 0xff005ed5;

function add_beyond(scale, text) {
  scale.append("span").attr("class", "beyond").style("background", beyond_css).attr("aria-hidden", "true");
  scale.append("span").text(text);
}

/** Draws a bar that explains a colour scale. */
function draw_scale(parent, table, texts) {
  const scale = d3.select(parent).append("div").attr("class", "scale");
  scale.append("span").text(texts[0]);
  const canvas = scale.append("canvas").attr("width", 256).attr("height", 12).attr("role", "img")
    .attr("aria-label", `Colours from ${texts[0]} to ${texts[1]}`);
  draw_pixels(canvas.node().getContext("2d"), (pixels, columns) => pixels.forEach((_, i) => { pixels[i] = table[Math.floor(i % columns / columns * table.length)]; }));
  scale.append("span").text(texts[1]);
  return scale;
}
