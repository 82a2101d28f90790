// SPDX-License-Identifier: Apache-2.0
// The data of the page: `about` is JSON, and refers to arrays: compressed blocks of the page, read when first used.

const about = JSON.parse(document.getElementById("about").textContent);

const array_types = {u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array};
const arrays_read = new Map();

function bytes_of_base64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

async function read_block(number) {
  const element = document.getElementById(`array-${number}`);
  const stream = new Blob([bytes_of_base64(element.textContent.trim())]).stream();
  const buffer = await new Response(stream.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  element.remove();
  return buffer;
}

/** Returns the typed array that `reference` names: {array, type, planes}. */
function array_of(reference) {
  if (!arrays_read.has(reference.array))
    arrays_read.set(reference.array, read_block(reference.array).then(buffer =>
      reference.planes ? joined_planes(buffer, reference) : new array_types[reference.type](buffer)));
  return arrays_read.get(reference.array);
}

/** Reads the arrays that members of `reference` name; the result has the same member names. */
async function read_columns(reference, names) {
  const read = await Promise.all(names.map(name => array_of(reference[name])));
  return Object.fromEntries(names.map((name, i) => [name, read[i]]));
}

/**
 * Joins numbers of 16 bits whose low and high bytes are stored apart, each as the difference to the number `stride` before it:
 * loads change little from interval to interval, so this takes less room.
 */
function joined_planes(buffer, {stride}) {
  const bytes = new Uint8Array(buffer);
  const count = bytes.length / 2;
  const values = new Uint16Array(count);
  for (let i = 0; i < count; ++i)
    values[i] = (bytes[i] | bytes[count + i] << 8) + (i >= stride ? values[i - stride] : 0);
  return values;
}

/** A matrix of seconds: interval by interval, PE by PE. */
class LoadMatrix {
  constructor(values, unit, pes) {
    this.values = values;
    this.unit = unit;
    this.pes = pes;
    this.intervals = values.length / pes;
  }
  at(interval, pe) { return this.values[interval * this.pes + pe] * this.unit; }
  /** Returns {mean, most, least, fullest} of an interval. */
  summary(interval) {
    let sum = 0, most = -1, least = Infinity, fullest = 0;
    for (let pe = 0, i = interval * this.pes; pe < this.pes; ++pe, ++i) {
      const value = this.values[i];
      sum += value;
      if (value > most) { most = value; fullest = pe; }
      if (value < least) least = value;
    }
    return {mean: sum / this.pes * this.unit, most: most * this.unit, least: least * this.unit, fullest};
  }
}

async function load_matrix(reference, pes) {
  return reference ? new LoadMatrix(await array_of(reference), reference.unit, pes) : null;
}
