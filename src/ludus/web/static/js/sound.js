/** Sounds made on the spot with Web Audio: no files, and a switch to turn them off. */

import { setting } from "./settings.js";

/** @type {AudioContext | null} */
let audio = null;
let last = 0;

function context() {
  if (audio || !("AudioContext" in window)) return audio;
  if (!navigator.userActivation?.hasBeenActive) return null;
  audio = new AudioContext();
  return audio;
}

/**
 * @param {AudioContext} ctx @param {number} at @param {number} hz @param {number} length @param {number} loud
 * @param {OscillatorType} [shape]
 */
function tone(ctx, at, hz, length, loud, shape = "sine") {
  const [osc, gain] = [ctx.createOscillator(), ctx.createGain()];
  osc.type = shape;
  osc.frequency.value = hz;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  osc.connect(gain).connect(ctx.destination);
  osc.start(at);
  osc.stop(at + length);
}

/**
 * @param {AudioContext} ctx @param {number} at @param {number} length @param {number} hz @param {number} loud
 */
function rustle(ctx, at, length, hz, loud) {
  const buffer = ctx.createBuffer(1, Math.ceil(ctx.sampleRate * length), ctx.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const [source, filter, gain] = [ctx.createBufferSource(), ctx.createBiquadFilter(), ctx.createGain()];
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = hz;
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(ctx.destination);
  source.start(at);
}

/** @type {Record<string, (ctx: AudioContext, at: number) => void>} */
const SOUNDS = {
  dice: (ctx, at) => {
    for (let k = 0; k < 7; k++)
      rustle(ctx, at + k * 0.07 + Math.random() * 0.03, 0.05, 1800 + Math.random() * 1200, 0.5);
  },
  coin: (ctx, at) => {
    tone(ctx, at, 2093, 0.25, 0.07);
    tone(ctx, at + 0.05, 3136, 0.3, 0.05);
  },
  card: (ctx, at) => rustle(ctx, at, 0.14, 3200, 0.35),
  step: (ctx, at) => rustle(ctx, at, 0.06, 700, 0.6),
  turn: (ctx, at) => {
    tone(ctx, at, 523, 0.35, 0.12, "triangle");
    tone(ctx, at + 0.14, 784, 0.5, 0.12, "triangle");
  },
  win: (ctx, at) =>
    [523, 659, 784, 1047].forEach((hz, k) => tone(ctx, at + k * 0.13, hz, 0.6, 0.1, "triangle")),
  lose: (ctx, at) => [392, 330, 262].forEach((hz, k) => tone(ctx, at + k * 0.18, hz, 0.6, 0.09, "triangle")),
  no: (ctx, at) => tone(ctx, at, 147, 0.18, 0.12, "triangle"),
  chat: (ctx, at) => tone(ctx, at, 988, 0.18, 0.07),
};

/** @param {string} name */
export function play(name) {
  if (setting("sound", "on") !== "on") return;
  const ctx = context();
  if (!ctx || !SOUNDS[name]) return;
  const at = Math.max(ctx.currentTime, last + 0.02);
  last = at;
  if (at - ctx.currentTime < 1) SOUNDS[name](ctx, at);
}
