import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, it } from "vitest";
import { picturePixels } from "#lib/media/render-picture.ts";
import { describeWithModels } from "#tests/setup/models.ts";
import { childrenOf } from "#tests/setup/program.ts";
import { createEngine, MAX_MEMORY_BYTES, type Engine } from "./engine.ts";
import { INPUT_SIZE } from "./models.ts";

/** Light, clouds and ground, as in a photograph. */
const gradient = drawing(`
  <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#3b6ea5"/><stop offset="1" stop-color="#dfe8ef"/></linearGradient>
  <linearGradient id="ground" x2="0" y2="1"><stop stop-color="#6b7a3a"/><stop offset="1" stop-color="#2f3b16"/></linearGradient>
  <radialGradient id="sun"><stop stop-color="#fff7d6"/><stop offset="1" stop-color="#fff7d6" stop-opacity="0"/></radialGradient>
  <rect width="400" height="300" fill="url(#sky)"/><circle cx="300" cy="70" r="90" fill="url(#sun)"/>
  <rect y="180" width="400" height="120" fill="url(#ground)"/>`);
const flat = drawing(`
  <rect width="400" height="300" fill="#ffe27a"/><circle cx="200" cy="150" r="90" fill="#fff" stroke="#111" stroke-width="8"/>
  <circle cx="170" cy="130" r="12"/><circle cx="230" cy="130" r="12"/>
  <path d="M160 180 q40 40 80 0" fill="none" stroke="#111" stroke-width="8"/>`);
const noise = sharp(
  Buffer.from(
    Uint8Array.from({ length: 64 * 64 * 3 }, (_, n) => (Math.imul(n + 1, 0x9e3779b1) >>> 13) & 255),
  ),
  { raw: { width: 64, height: 64, channels: 3 } },
)
  .png()
  .toBuffer();

function drawing(shapes: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">${shapes}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

async function ask(engine: Engine, picture: Promise<Buffer>) {
  return engine(await picturePixels(await picture, INPUT_SIZE));
}

/** The child that was started since `before`. */
function childSince(before: number[]): number {
  const pid = children().find((each) => !before.includes(each)) ?? 0;
  // Signals to process 0 would reach the test runner.
  expect(pid).toBeGreaterThan(0);
  return pid;
}

const children = () => childrenOf(process.pid, "sluice-");

/** Bytes, at the highest. */
function peakOf(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

describeWithModels("the picture engine", () => {
  it.each([
    ["gradient", gradient],
    ["flat drawing", flat],
    ["noise", noise],
  ] as const)("gives the stored probabilities for a %s", async (name, picture) => {
    const scores = await ask(shared(), picture);
    const golden = GOLDEN[name] ?? [];
    const values = Object.values(scores);
    expect(values.reduce((sum, value) => sum + value)).toBeCloseTo(1, 4);
    for (const [n, value] of values.entries())
      expect(Math.abs(value - (golden[n] ?? NaN)), String(values)).toBeLessThan(0.02);
  });

  it("has no process before the first job, and needs at most 450 MB", async () => {
    const before = children();
    const engine = createEngine(MAX_MEMORY_BYTES);
    expect(children()).toEqual(before);
    for (let n = 0; n < 8; n++) await ask(engine, gradient);
    const pid = childSince(before);
    expect(peakOf(pid)).toBeLessThan(MAX_MEMORY_BYTES);
    process.kill(pid, "SIGKILL");
  });

  it("ends itself above its memory limit", async () => {
    const engine = createEngine(100e6);
    await expect(ask(engine, gradient)).rejects.toMatchObject({ kind: "ended" });
  });
});

let one: Engine | undefined;
function shared(): Engine {
  return (one ??= createEngine(MAX_MEMORY_BYTES));
}

/** Of drawing, hentai, neutral, porn, sexy. */
const GOLDEN: Record<string, number[]> = {
  gradient: [0.043, 0.015, 0.929, 0.01, 0.003],
  "flat drawing": [0.005, 0, 0.995, 0, 0],
  noise: [0, 0, 1, 0, 0],
};
