// SPDX-License-Identifier: Apache-2.0
// Spans of time in rows, rising in each row and without overlap: bursts, or a lane of regions.

class Spans {
  /** `first`: each row's first span, and the end; `begin`, `length`: in units of time; `what`: the object or name. */
  constructor({first, begin, length, what}, unit_s) {
    Object.assign(this, {first, begin, length, what, unit_s});
    this.rows = first.length - 1;
    this.before = new Float64Array(begin.length + 1);
    for (let i = 0; i < begin.length; ++i) this.before[i + 1] = this.before[i] + length[i];
  }
  /** Returns the last span of a row that has begun at time t, or -1. */
  begun_at(row, t) {
    const i = d3.bisectRight(this.begin, t, this.first[row], this.first[row + 1]) - 1;
    return i >= this.first[row] ? i : -1;
  }
  /** Returns the span of a row at time t, or -1. */
  at(row, t) {
    const i = this.begun_at(row, t);
    return i >= 0 && t < this.begin[i] + this.length[i] ? i : -1;
  }
  /** Returns the time that a row's spans take until t. */
  until(row, t) {
    const i = this.begun_at(row, t);
    if (i < 0) return 0;
    return this.before[i] - this.before[this.first[row]] + Math.min(t - this.begin[i], this.length[i]);
  }
  /** Calls visit(i) for the spans of a row that are not over at `from` or have begun at `to`. */
  each(row, from, to, visit) {
    for (let i = Math.max(this.first[row], this.begun_at(row, from)); i < this.first[row + 1] && this.begin[i] <= to; ++i) visit(i);
  }
  seconds(i) { return this.length[i] * this.unit_s; }
  /** Returns how many spans each() would visit in the rows of a view. */
  in_view(view) {
    const [from, to] = view.x.domain().map(s => s / this.unit_s), [top, bottom] = view.y.domain();
    let count = 0;
    for (let r = Math.max(0, Math.floor(top)); r < Math.min(this.rows, bottom); ++r)
      count += this.begun_at(r, to) - Math.max(this.first[r] - 1, this.begun_at(r, from));
    return count;
  }
}

async function read_spans(reference, unit_s) {
  const columns = await read_columns(reference, ["first", "begin", "length", "what"]);
  undo_differences(columns);
  return new Spans(columns, unit_s);
}

/** Makes `begin` times of gaps: each is written as the gap behind the span before. */
function undo_differences({first, begin, length}) {
  for (let r = 0; r + 1 < first.length; ++r)
    for (let i = first[r] + 1; i < first[r + 1]; ++i) begin[i] += begin[i - 1] + length[i - 1];
}
