// SPDX-License-Identifier: Apache-2.0
// A chart with two axes: marks on a canvas, which takes any number of them, axes as SVG around it, zoom by wheel,
// drag, buttons or keys, a tooltip under the pointer or under a cursor that the arrow keys move.
//
// Options:
//   label          a description of the chart for those who do not see it
//   height         of the plot, in pixels
//   x, y           {domain: [from, to], title, format, zoom: true, least: the smallest part that can be looked at,
//                  down: true where y grows downwards,
//                  cells: true where the axis numbers things: rank 3 is from 3 to 4, with its label in the middle}
//   draw(context, view)     view: {x, y: scales to pixels, width, height}
//   describe(x, y, view)    the text of the tooltip, or null
//   pick(x, y)     called for a click there, or Enter at the keyboard cursor; optional

const plane_margin = {top: 8, right: 12, bottom: 42, left: 74};

class Plane {
  static all = [];  // charts of the page
  constructor(parent, options) {
    Plane.all.push(this);
    this.options = options;
    this.margin = {...plane_margin, ...options.margin};
    this.shown = {x: [...options.x.domain], y: [...options.y.domain]};
    this.linked = [this];
    this.root = d3.select(parent).append("div").attr("class", "plane");
    this.canvas = this.root.append("canvas").attr("tabindex", 0).attr("role", "img")
      .attr("aria-label", `${options.label}. Arrow keys move a cursor, + and - zoom, 0 shows all.`);
    this.svg = this.root.append("svg").attr("aria-hidden", "true");
    this.x_axis = this.svg.append("g");
    this.y_axis = this.svg.append("g");
    this.frame = this.svg.append("rect").attr("class", "frame");
    this.marker = this.svg.append("rect").attr("class", "cursor").attr("visibility", "hidden");
    this.x_title = this.svg.append("text").attr("class", "title").attr("text-anchor", "middle").text(options.x.title);
    this.y_title = this.svg.append("text").attr("class", "title").attr("text-anchor", "middle").text(options.y.title);
    this.add_buttons();
    this.add_gestures();
    this.add_pointer();
    this.add_keys();
    this.visible = false;
    new IntersectionObserver(entries => {
      this.visible = entries[entries.length - 1].isIntersecting;
      if (this.visible && this.stale) this.redraw();
    }, {rootMargin: "200px"}).observe(this.root.node());
    new ResizeObserver(() => this.resize()).observe(this.root.node());
    theme_watchers.push(() => this.redraw());
    this.resize();
  }

  // ---- size and drawing

  resize() {
    const total = this.root.node().clientWidth;
    if (total === 0 || total === this.total) return;
    this.total = total;
    const {left, right, top, bottom} = this.margin;
    this.width = Math.max(40, total - left - right);
    this.height = this.options.height;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    this.root.style("height", `${this.height + top + bottom}px`);
    this.canvas.attr("width", Math.round(this.width * ratio)).attr("height", Math.round(this.height * ratio))
      .style("left", `${left}px`).style("top", `${top}px`)
      .style("width", `${this.width}px`).style("height", `${this.height}px`);
    this.svg.attr("width", total).attr("height", this.height + top + bottom);
    this.frame.attr("x", left).attr("y", top).attr("width", this.width).attr("height", this.height);
    this.x_title.attr("x", left + this.width / 2).attr("y", top + this.height + 36);
    this.y_title.attr("transform", `translate(11,${top + this.height / 2}) rotate(-90)`);
    this.redraw();
  }

  /** Draws soon: many changes make one drawing. A plane out of view is drawn when the page is idle. */
  redraw() {
    this.stale = true;
    if (this.asked) return;
    if (!this.visible) return Plane.draw_when_idle();
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  /** Draws one plane after the other, so that the page answers in between: a tool that takes a picture does not scroll. */
  static draw_when_idle() {
    if (Plane.idle) return;
    const next = () => {
      Plane.idle = null;
      const plane = Plane.all.find(one => one.stale && one.width);
      if (!plane) return;
      plane.draw();
      Plane.draw_when_idle();
    };
    Plane.idle = window.requestIdleCallback ? requestIdleCallback(next, {timeout: 100}) : setTimeout(next, 50);
  }

  /** Draws all planes now: nothing can be drawn later on paper. */
  static draw_all() {
    for (const plane of Plane.all) {
      plane.resize();
      if (plane.stale) plane.draw();
    }
  }

  view() {
    const {x, y} = this.shown;
    return {
      x: d3.scaleLinear(x, [0, this.width]),
      y: d3.scaleLinear(y, this.options.y.down ? [0, this.height] : [this.height, 0]),
      width: this.width, height: this.height,
    };
  }

  draw() {
    if (!this.width) return;
    this.stale = false;
    const view = this.view();
    const context = this.canvas.node().getContext("2d", {willReadFrequently: true});  // pixels are set by the CPU, not the GPU
    const ratio = this.canvas.attr("width") / this.width;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.attr("width"), this.canvas.attr("height"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.options.draw(context, view);
    this.draw_axis(this.x_axis, d3.axisBottom, view.x, this.options.x, this.width / 90,
                   [this.margin.left, this.margin.top + this.height]);
    this.draw_axis(this.y_axis, d3.axisLeft, view.y, this.options.y, this.height / 40, [this.margin.left, this.margin.top]);
    this.draw_cursor(view);
    const canvas = this.canvas.node();
    canvas.dataset.drawn = Number(canvas.dataset.drawn || 0) + 1;
  }

  draw_axis(group, make, scale, {cells, format}, ticks, [left, top]) {
    let ticked = scale;
    if (cells) {
      const [from, to] = scale.domain();
      ticked = scale.copy().domain([from - 0.5, to - 0.5]);
    }
    let values = ticked.ticks(Math.max(2, ticks));
    if (cells) values = values.filter(Number.isInteger);
    const axis = make(ticked).tickValues(values).tickSizeOuter(0).tickSize(4);
    axis.tickFormat(format ?? (cells ? count_text : ticked.tickFormat(Math.max(2, ticks))));
    group.attr("transform", `translate(${left},${top})`).call(axis);
  }

  /** Sets another x axis and shows all of it. */
  set_x(x) {
    this.options.x = x;
    this.shown.x = [...x.domain];
    this.x_title.text(x.title);
    this.redraw();
  }

  // ---- the visible part

  /** Links planes with the same axes, which then show the same part. */
  static link(planes) { planes.forEach(plane => { plane.linked = planes; plane.linked_axes = null; }); }
  /** Links planes of which only the x axes are the same. */
  static link_x(planes) { planes.forEach(plane => { plane.linked = planes; plane.linked_axes = ["x"]; }); }

  set_shown(shown) {
    for (const plane of this.linked) {
      const names = plane === this ? ["x", "y"] : plane.linked_axes ?? ["x", "y"];
      for (const name of names) plane.shown[name] = clamp_part(shown[name], plane.options[name]);
      plane.redraw();
    }
  }

  show_all() { this.set_shown({x: this.options.x.domain, y: this.options.y.domain}); }

  /** Zooms by `factor` around (x, y) of the plot, in pixels; `only`: one axis. */
  zoom_by(factor, x, y, only = null) {
    const view = this.view(), shown = {x: [...this.shown.x], y: [...this.shown.y]};
    for (const [name, pixel] of [["x", x], ["y", y]]) {
      if (!this.options[name].zoom || (only && only !== name)) continue;
      const middle = view[name].invert(pixel);
      shown[name] = this.shown[name].map(end => middle + (end - middle) / factor);
    }
    this.set_shown(shown);
  }

  pan_by(dx, dy) {
    const view = this.view(), shown = {};
    for (const [name, by] of [["x", dx], ["y", dy]]) {
      const moved = view[name].invert(by) - view[name].invert(0);
      shown[name] = this.options[name].zoom ? this.shown[name].map(end => end - moved) : [...this.shown[name]];
    }
    this.set_shown(shown);
  }

  // ---- ways to zoom

  /** Adds wheels, drags and fingers, which d3 recognizes; this class decides their effect on each axis. */
  add_gestures() {
    if (!this.options.x.zoom && !this.options.y.zoom) return;
    let last = d3.zoomIdentity;
    const zoom = d3.zoom()
      .filter(() => !d3.event.button && (d3.event.type !== "wheel" || d3.event.ctrlKey || d3.event.shiftKey ||
                                         document.activeElement === this.canvas.node()))
      .on("zoom", () => {
        const now = d3.event.transform, factor = now.k / last.k;
        const only = d3.event.sourceEvent && d3.event.sourceEvent.shiftKey ? (this.options.y.zoom ? "y" : "x")
                                                                           : this.options.wheel ?? null;
        if (Math.abs(factor - 1) > 1e-9)
          this.zoom_by(factor, (now.x - factor * last.x) / (1 - factor), (now.y - factor * last.y) / (1 - factor), only);
        else
          this.pan_by(now.x - last.x, now.y - last.y);
        last = now;
        hide_tooltip();
      });
    this.canvas.call(zoom).on("dblclick.zoom", () => this.show_all());
  }

  add_buttons() {
    if (!this.options.x.zoom && !this.options.y.zoom) return;
    const bar = this.root.append("div").attr("class", "buttons");
    const button = (text, title, act) =>
      bar.append("button").attr("type", "button").attr("title", title).attr("aria-label", title).text(text).on("click", act);
    button("+", "Zoom in", () => this.zoom_by(2, this.width / 2, this.height / 2, this.options.wheel));
    button("−", "Zoom out", () => this.zoom_by(0.5, this.width / 2, this.height / 2, this.options.wheel));
    button("⤢", "Show all", () => this.show_all());
  }

  // ---- the point under the pointer

  add_pointer() {
    const canvas = this.canvas.node();
    canvas.addEventListener("pointermove", event => {
      const box = canvas.getBoundingClientRect();
      this.tell(event.clientX - box.left, event.clientY - box.top);
    });
    canvas.addEventListener("pointerleave", () => { hide_tooltip(); this.cursor = null; this.draw_cursor(this.view()); });
    canvas.addEventListener("blur", hide_tooltip);
    canvas.addEventListener("click", event => {
      const box = canvas.getBoundingClientRect();
      this.pick(event.clientX - box.left, event.clientY - box.top);
    });
  }

  pick(x, y) {
    if (!this.width || !this.options.pick) return;
    const view = this.view();
    this.options.pick(view.x.invert(x), view.y.invert(y));
    this.redraw();
  }

  tell(x, y) {
    if (!this.width) return;
    const view = this.view();
    const text = this.options.describe(view.x.invert(x), view.y.invert(y), view);
    if (!text) return hide_tooltip();
    const box = this.canvas.node().getBoundingClientRect();
    show_tooltip(text, box.left + x, box.top + y);
  }

  // ---- the keyboard cursor

  add_keys() {
    const keys = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    this.canvas.on("keydown", () => {
      const {key, shiftKey} = d3.event;
      if (keys[key]) this.move_cursor(...keys[key].map(by => by * (shiftKey ? 10 : 1)));
      else if (key === "+" || key === "=") this.zoom_by(2, ...this.cursor_pixels(), this.options.wheel);
      else if (key === "-") this.zoom_by(0.5, ...this.cursor_pixels(), this.options.wheel);
      else if (key === "0") this.show_all();
      else if (key === "Enter" && this.cursor) this.pick(...this.cursor_pixels());
      else if (key === "Escape") hide_tooltip();
      else return;
      d3.event.preventDefault();
    });
  }

  cursor_pixels() {
    if (!this.cursor) return [this.width / 2, this.height / 2];
    const view = this.view();
    return [view.x(this.cursor.x), view.y(this.cursor.y)];
  }

  move_cursor(right, down) {
    const {x, y} = this.shown;
    const step = (name, extent) => this.options[name].cells ? Math.max(1, Math.floor((extent[1] - extent[0]) / 100))
                                                            : (extent[1] - extent[0]) / 100;
    const middle = ([from, to], cells) => cells ? Math.floor((from + to) / 2) + 0.5 : (from + to) / 2;
    this.cursor ??= {x: middle(x, this.options.x.cells), y: middle(y, this.options.y.cells)};
    const upwards = this.options.y.down ? 1 : -1;
    this.cursor.x = clamp(this.cursor.x + right * step("x", x), x[0], x[1]);
    this.cursor.y = clamp(this.cursor.y + upwards * down * step("y", y), y[0], y[1]);
    this.draw_cursor(this.view());
    this.tell(...this.cursor_pixels());
  }

  draw_cursor(view) {
    this.marker.attr("visibility", this.cursor ? "visible" : "hidden");
    if (!this.cursor) return;
    this.marker.attr("x", this.margin.left + view.x(this.cursor.x) - 4).attr("width", 8)
      .attr("y", this.margin.top + view.y(this.cursor.y) - 4).attr("height", 8);
  }
}

// Charts wider than the paper would be cut.
addEventListener("beforeprint", () => { document.body.classList.add("printed"); Plane.draw_all(); });
addEventListener("afterprint", () => document.body.classList.remove("printed"));

/** Returns the options of an axis that counts `count` things. */
const counting = (count, title) => ({domain: [0, count], title, cells: true, zoom: true, least: 4});
/** Makes a `describe` option from text(column, row), which describes a cell of so many. */
const of_cells = (columns, rows, text) => (x, y) => {
  const column = Math.floor(x), row = Math.floor(y);
  return column >= 0 && column < columns && row >= 0 && row < rows ? text(column, row) : null;
};

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** Returns the part [from, to] moved inside the axis's whole, and no smaller than its least. */
function clamp_part([from, to], {domain: [first, last], least = 0}) {
  const size = clamp(to - from, Math.min(least, last - first), last - first);
  const middle = (from + to) / 2;
  const begin = clamp(middle - size / 2, first, last - size);
  return [begin, begin + size];
}
