import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { seededShares } from "#tests/setup/random-numbers.ts";
import { SAME_PICTURE } from "./picture-hashes.ts";
import { hashPicture } from "./hashes.ts";

/** Differing bits of 64. */
function hashDistance(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return 64;
  return (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(2).replaceAll("0", "").length;
}

/** Blobs on a gradient, similar to a photograph. */
function photo(seed: number, width = 320, height = 240): Promise<Buffer> {
  const random = seededShares(seed);
  const blobs = Array.from({ length: 12 }, () => ({
    x: random() * width,
    y: random() * height,
    size: 15 + random() * 60,
    light: random() * 400 - 200,
  }));
  const slant = [random() - 0.5, random() - 0.5];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let value = 128 + ((slant[0] ?? 0) * x + (slant[1] ?? 0) * y) / 2;
      for (const blob of blobs) {
        value += blob.light * Math.exp(-((x - blob.x) ** 2 + (y - blob.y) ** 2) / (2 * blob.size ** 2));
      }
      const at = (y * width + x) * 3;
      pixels.fill(Math.max(0, Math.min(255, Math.round(value))), at, at + 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const CAPTION = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="20"><text y="15" font-size="14">A caption</text></svg>`,
);

const distance = async (a: Uint8Array, b: Uint8Array) => {
  const [x, y] = [await hashPicture(a), await hashPicture(b)];
  return hashDistance(x?.dhash, y?.dhash) + hashDistance(x?.phash, y?.phash);
};

describe("hashPicture", () => {
  it.each([
    [1, "f464747c7e272707", "8e9be070930fd9e4"],
    [2, "f00081c5c90f0f1f", "ead59e9a11aad522"],
  ])("knows golden picture %i", async (seed, dhash, phash) => {
    const found = await hashPicture(await photo(seed));
    // Another processor may round a grey value differently.
    expect(hashDistance(found?.dhash, dhash)).toBeLessThanOrEqual(2);
    expect(hashDistance(found?.phash, phash)).toBeLessThanOrEqual(2);
  });

  it("computes the dHash as defined: left darker than right, row by row, 16 hex digits", async () => {
    // Brighter to the right in the upper half, darker in the lower half.
    const pixels = Buffer.from(
      Array.from({ length: 72 }, (_, i) => (i < 36 ? (i % 9) * 28 : 255 - (i % 9) * 28)),
    );
    const picture = await sharp(pixels, { raw: { width: 9, height: 8, channels: 1 } })
      .png()
      .toBuffer();
    expect((await hashPicture(picture))?.dhash).toBe("ffffffff00000000");
  });

  it.each([
    ["saved again as a poor JPEG", (p: Sharp) => p.jpeg({ quality: 60 })],
    ["half as large as WebP", (p: Sharp) => p.resize(160).webp()],
    ["a little brighter", (p: Sharp) => p.modulate({ brightness: 1.15 })],
    ["in grey", (p: Sharp) => p.greyscale()],
    ["with an empty alpha channel", (p: Sharp) => p.ensureAlpha()],
    ["with a border", (p: Sharp) => p.extend({ top: 8, bottom: 8, left: 8, right: 8, background: "#fff" })],
    [
      "with a caption below it",
      (p: Sharp) =>
        p.extend({ bottom: 24, background: "#fff" }).composite([{ input: CAPTION, top: 242, left: 10 }]),
    ],
  ])("takes a picture %s for the same", async (_name, change) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const original = await photo(seed);
      const copy = await change(sharp(original)).toBuffer();
      expect(await distance(original, copy)).toBeLessThanOrEqual(SAME_PICTURE);
    }
  });

  it("differs for different pictures", async () => {
    const pictures = await Promise.all(Array.from({ length: 10 }, (_, n) => photo(100 + n)));
    for (const [index, a] of pictures.entries()) {
      for (const b of pictures.slice(index + 1)) expect(await distance(a, b)).toBeGreaterThan(SAME_PICTURE);
    }
  });

  it("treats transparent pixels as white", async () => {
    const flat = await sharp(await photo(7))
      .ensureAlpha(1)
      .png()
      .toBuffer();
    const pixels = await sharp(flat).raw().toBuffer({ resolveWithObject: true });
    const { width, height } = pixels.info;
    for (const hidden of [0, 255]) {
      for (let y = 0; y < height / 2; y++) {
        for (let x = 0; x < width; x++) pixels.data.set([hidden, hidden, hidden, 0], (y * width + x) * 4);
      }
      const cut = await sharp(pixels.data, { raw: pixels.info }).png().toBuffer();
      const white = await sharp(cut).flatten({ background: "#fff" }).png().toBuffer();
      expect(await distance(cut, white)).toBe(0);
    }
  });

  it("rotates a picture upright first", async () => {
    const upright = await photo(8);
    const lying = await sharp(upright)
      .rotate(-90)
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer();
    expect(await distance(upright, lying)).toBeLessThanOrEqual(4);
  });

  it.each([
    ["grey", "#a0a0a0", 0],
    ["white", "#fff", 0],
    ["black", "#000", 0],
    ["transparent", "#00000000", 0],
    ["noisy", "#777", 2],
  ])(
    "returns null for a blank picture, so that no two of them match: %s",
    async (_name, background, sigma) => {
      const noise = sigma > 0 ? { noise: { type: "gaussian" as const, mean: 119, sigma } } : {};
      const channels = sigma > 0 ? 3 : 4;
      const blank = sharp({ create: { width: 320, height: 240, channels, background, ...noise } });
      expect(await hashPicture(await blank.clone().png().toBuffer())).toBeNull();
      expect(await hashPicture(await blank.flatten().jpeg({ quality: 50 }).toBuffer())).toBeNull();
    },
  );
});
