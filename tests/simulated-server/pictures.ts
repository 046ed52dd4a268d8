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
  const drawn = sharp(Buffer.from(scene)).resize({ width: Math.min(width, picture.width) });
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

/** Of a sky above hills. */
export const BLURHASH = "UBL_:rOpGG-;~qRjWBay";
