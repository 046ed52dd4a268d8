import sharp from "sharp";
import { seeded } from "./random.ts";
import { drawAvatar, drawScene } from "./scenes.ts";
import type { Theme } from "./texts.ts";

export type PictureFormat = "jpeg" | "png" | "webp";

/** Equal seeds give equal scenes in every format and size. */
export interface Picture {
  seed: string;
  theme: Theme;
  width: number;
  height: number;
  format: PictureFormat;
  /** JPEG and WebP quality; a re-encoded copy has a different one. */
  quality: number;
}

export async function renderPicture(picture: Picture, width: number = picture.width): Promise<Buffer> {
  const scene = drawScene(
    picture.theme,
    seeded(picture.seed),
    1200,
    Math.round((1200 * picture.height) / picture.width),
  );
  const drawn = sharp(Buffer.from(scene.svg)).resize({ width: Math.min(width, picture.width) });
  if (picture.format === "png") return drawn.png({ compressionLevel: 6 }).toBuffer();
  if (picture.format === "webp") return drawn.webp({ quality: picture.quality, effort: 1 }).toBuffer();
  return drawn.jpeg({ quality: picture.quality }).toBuffer();
}

export async function renderAvatar(seed: string): Promise<Buffer> {
  return sharp(Buffer.from(drawAvatar(seeded(seed), 200)))
    .png({ compressionLevel: 6 })
    .toBuffer();
}

export async function renderEmoji(seed: string): Promise<Buffer> {
  const random = seeded(seed);
  const fill = random.pick(["#f6c945", "#7fb069", "#e07a5f", "#81b4d8"]);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30" fill="${fill}"/>` +
    `<circle cx="22" cy="26" r="4"/><circle cx="42" cy="26" r="4"/><path d="M20 40 q12 12 24 0" stroke="#000" stroke-width="4" fill="none"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const BASE83 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

function base83(value: number, length: number): string {
  let text = "";
  for (let digit = 1; digit <= length; digit++) {
    text += BASE83[Math.floor(value / 83 ** (length - digit)) % 83] ?? "0";
  }
  return text;
}

function channels(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/**
 * BlurHash (woltapp/blurhash, 1 × 2 components) of a vertical gradient: the mean, and half the difference as
 * the cosine component.
 */
export function blurhashOf(picture: Picture): string {
  const scene = drawScene(picture.theme, seeded(picture.seed), 120, 80);
  const linear = (value: number) => (value / 255) ** 2.2;
  const top = channels(scene.top).map(linear);
  const bottom = channels(scene.bottom).map(linear);
  const average = top.map((value, index) => (value + (bottom[index] ?? 0)) / 2);
  // First cosine of a linear gradient: 4/π² of the difference, doubled by BlurHash's normalisation.
  const swing = top.map((value, index) => ((value - (bottom[index] ?? 0)) * 4) / Math.PI ** 2);
  const largest = Math.max(...swing.map(Math.abs), 1 / 166);
  const quantised = Math.max(0, Math.min(82, Math.floor(largest * 166 - 0.5)));
  const scale = (quantised + 1) / 166;
  const step = (value: number) => {
    const signed = Math.sign(value) * Math.abs(value / scale) ** 0.5;
    return Math.max(0, Math.min(18, Math.floor(signed * 9 + 9.5)));
  };
  const srgb = average.map((value) => Math.round(255 * Math.max(0, Math.min(1, value)) ** (1 / 2.2)));
  const dc = ((srgb[0] ?? 0) << 16) + ((srgb[1] ?? 0) << 8) + (srgb[2] ?? 0);
  const ac = step(swing[0] ?? 0) * 361 + step(swing[1] ?? 0) * 19 + step(swing[2] ?? 0);
  // Size flag: (components across - 1) + (components down - 1) × 9.
  return base83(9, 1) + base83(quantised, 1) + base83(dc, 4) + base83(ac, 2);
}
