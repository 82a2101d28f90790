// SPDX-License-Identifier: Apache-2.0
// The layers over a timeline on request: messages from sender to receiver, and the critical path.

const most_arrows = 500;  // in view; with more nothing could be told apart

/** Reads the messages of a timeline, in times of its unit; `order`: by the time of waiting, longest first. */
async function read_arrows(reference) {
  if (!reference) return null;
  const arrows = {count: reference.count, ...await read_columns(reference, ["from", "to", "sent", "received", "waited"])};
  arrows.order = Uint32Array.from(arrows.waited.keys()).sort((a, b) => arrows.waited[b] - arrows.waited[a]);
  return arrows;
}

/** Returns the messages of which a part is in view: {shown, count}. */
function arrows_in_view({from, to, sent, received, order}, view, unit_s) {
  const [first, last] = view.x.domain().map(s => s / unit_s), [top, bottom] = view.y.domain(), shown = [];
  let count = 0;
  for (const i of order) {
    if (Math.max(sent[i], received[i]) < first || Math.min(sent[i], received[i]) > last) continue;
    if (Math.max(from[i], to[i]) + 1 <= top || Math.min(from[i], to[i]) >= bottom) continue;
    if (++count <= most_arrows) shown.push(i);
  }
  return {shown, count};
}

/** Returns the messages that ended the waits of a row between two times. */
function arrows_into(arrows, row, from, to) {
  return {...arrows, picked: true, order: arrows.order.filter(i => arrows.to[i] === row && arrows.received[i] > from && arrows.received[i] <= to)};
}

/** Draws the messages. Returns a text about those that are not drawn. */
function draw_arrows(context, view, arrows, unit_s) {
  const {shown, count} = arrows_in_view(arrows, view, unit_s);
  context.save();
  context.strokeStyle = context.fillStyle = style_colour("--text");
  context.lineWidth = 1;
  for (const i of shown) {
    const [x, y] = [view.x(arrows.sent[i] * unit_s), view.y(arrows.from[i] + 0.5)];
    const [end_x, end_y] = [view.x(arrows.received[i] * unit_s), view.y(arrows.to[i] + 0.5)];
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(end_x, end_y);
    context.stroke();
    context.beginPath();
    const angle = Math.atan2(end_y - y, end_x - x);
    for (const [length, turn] of [[0, 0], [8, 0.4], [8, -0.4]])
      context.lineTo(end_x - length * Math.cos(angle + turn), end_y - length * Math.sin(angle + turn));
    context.fill();
  }
  context.restore();
  if (arrows.picked) return `${counted(arrows.order.length, "messages")} ended the wait that was clicked on.`;
  const told = [count > shown.length
    ? `${counted(shown.length, "messages")} of ${count_text(count)} in view are drawn: those that were waited for the longest.`
    : `${counted(count, "messages")} in view.`];
  if (arrows.count > arrows.order.length)
    told.push(`Of ${count_text(arrows.count)} in all the page has the ${count_text(arrows.order.length)} that were waited for the longest.`);
  return told.join(" ");
}

/** Draws a line through the computing on the path, and from each part to the object that waited for it. */
function draw_path(context, view, {row, begin, end}, unit_s) {
  const [first, last] = view.x.domain().map(s => s / unit_s);
  context.save();
  context.strokeStyle = style_colour("--text");
  context.lineJoin = "round";
  context.lineWidth = 2.5;
  context.beginPath();
  let before = false;
  for (let i = 0; i < row.length; ++i) {
    const next = i + 1 < row.length ? begin[i + 1] : end[i];
    if (next < first || begin[i] > last) {
      before = false;
      continue;
    }
    const y = view.y(row[i] + 0.5);
    if (before) context.lineTo(view.x(begin[i] * unit_s), y);
    else context.moveTo(view.x(begin[i] * unit_s), y);
    context.lineTo(view.x(end[i] * unit_s), y);
    if (next > last && i + 1 < row.length) context.lineTo(view.x(next * unit_s), view.y(row[i + 1] + 0.5));
    before = true;
  }
  context.stroke();
  context.restore();
}
