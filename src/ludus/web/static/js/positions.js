/** Positions as links: all of it in the part of the address that no server sees, packed, and bounded. */

const MOST = 6000; // characters of a link
const UNPACKED = 60000; // and of what comes out of it

/**
 * @typedef {{seats: number, options: Record<string, any>, position: string, eyes?: number | null}} Position
 */

/** @param {ReadableStream<any>} stream */
async function whole(stream) {
  const reader = stream.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(/** @type {BlobPart[]} */ (parts)).arrayBuffer();
    size += value.length;
    if (size > UNPACKED) throw new Error("too large");
    parts.push(value);
  }
}

/** The end of a link to a position. @param {Position} position */
export async function packed({ seats, options, position, eyes = null }) {
  const text = JSON.stringify({ seats, options, position, eyes });
  const bytes = await whole(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  const code = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return code.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * What a link says; null for one that says nothing that can be read.
 * @param {string} code @returns {Promise<Position | null>}
 */
export async function unpacked(code) {
  if (!code || code.length > MOST) return null;
  try {
    const raw = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const found = JSON.parse(new TextDecoder().decode(await whole(stream)));
    const eyes = Number.isInteger(found.eyes) ? found.eyes : null;
    return {
      seats: Number(found.seats),
      options: Object(found.options),
      position: String(found.position),
      eyes,
    };
  } catch {
    return null;
  }
}

/**
 * Where a position of a match is changed.
 * @param {string} title @param {string} match @param {number} entry @param {number | null} seat
 */
export const editorOf = (title, match, entry, seat) =>
  `/positions/${title}?match=${match}&entry=${entry}${seat === null ? "" : `&seat=${seat}`}`;
