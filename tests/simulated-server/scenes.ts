import type { Random } from "./random.ts";
import type { Theme } from "./texts.ts";

/** Palettes: sky, horizon, then far to near. */
const PALETTES = [
  ["#f7d9c4", "#f2b5a7", "#9c89b8", "#6a5d8c", "#3d3a5c", "#f9f3d9"],
  ["#cfe8ef", "#a9d6e5", "#61a5c2", "#2c7da0", "#014f86", "#fff7d6"],
  ["#fde8c8", "#f6bd60", "#84a59d", "#52796f", "#354f52", "#fffbe6"],
  ["#e8dff5", "#fce1e4", "#b8a9c9", "#7e6b8f", "#4b3f72", "#fff1c9"],
  ["#dce9d5", "#b7d3c6", "#7fa99b", "#4d7c78", "#2b4f56", "#fdf6e3"],
] as const;

export function drawScene(theme: Theme, random: Random, width: number, height: number): string {
  const palette = random.pick(PALETTES);
  const parts = DRAW[theme](random, width, height, palette);
  // Random crop and mirroring, so that no two pictures are near-duplicates.
  const zoom = 0.66 + random.next() * 0.34;
  const view = [
    random.next() * width * (1 - zoom),
    random.next() * height * (1 - zoom),
    width * zoom,
    height * zoom,
  ];
  const mirror = random.chance(0.5) ? `translate(${width} 0) scale(-1 1)` : "";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${view.map(round).join(" ")}">` +
    `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette[0]}"/>` +
    `<stop offset="1" stop-color="${palette[1]}"/></linearGradient></defs>` +
    `<g transform="${mirror}"><rect width="${width}" height="${height}" fill="url(#sky)"/>${parts.join("")}</g></svg>`
  );
}

type Palette = readonly string[];
type Draw = (random: Random, width: number, height: number, palette: Palette) => string[];

const colour = (palette: Palette, index: number): string => palette[index % palette.length] ?? "#888888";
const round = (value: number): number => Math.round(value * 10) / 10;

function disc(x: number, y: number, radius: number, fill: string, opacity = 1): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${fill}" opacity="${opacity}"/>`;
}

function box(x: number, y: number, width: number, height: number, fill: string, corner = 0): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${round(corner)}" fill="${fill}"/>`;
}

function ridge(
  random: Random,
  width: number,
  height: number,
  y: number,
  swing: number,
  fill: string,
): string {
  const steps = random.between(5, 9);
  let path = `M0 ${height} L0 ${round(y)}`;
  for (let step = 1; step <= steps; step++) {
    const x = (width / steps) * step;
    const bend = x - width / steps / 2;
    path += ` Q${round(bend)} ${round(y + (random.next() - 0.5) * 2 * swing)} ${round(x)} ${round(y + (random.next() - 0.5) * swing)}`;
  }
  return `<path d="${path} L${width} ${height} Z" fill="${fill}"/>`;
}

const DRAW: Readonly<Record<Theme, Draw>> = {
  landscape(random, width, height, palette) {
    const sunX = width * (0.2 + random.next() * 0.6);
    const parts = [
      disc(sunX, height * 0.3, height * 0.16, colour(palette, 5), 0.35),
      disc(sunX, height * 0.3, height * 0.09, colour(palette, 5)),
    ];
    for (let layer = 0; layer < 3; layer++) {
      parts.push(
        ridge(
          random,
          width,
          height,
          height * (0.42 + layer * 0.13),
          height * 0.12,
          colour(palette, 2 + layer),
        ),
      );
    }
    parts.push(box(0, height * 0.84, width, height * 0.16, colour(palette, 1)));
    for (let line = 0; line < 7; line++) {
      const length = width * (0.05 + random.next() * 0.25);
      parts.push(
        `<rect x="${round(sunX - length / 2 + (random.next() - 0.5) * width * 0.2)}" y="${round(height * (0.86 + line * 0.018))}" width="${round(length)}" height="3" rx="1.5" fill="${colour(palette, 5)}" opacity="0.6"/>`,
      );
    }
    return parts;
  },

  cats(random, width, height, palette) {
    const fur = random.pick(["#3a3238", "#8d6a4f", "#c98b4b", "#5b5f6b", "#efe6da"]);
    const unit = Math.min(width, height) / 10;
    const x = width * (0.35 + random.next() * 0.3);
    const floor = height * 0.82;
    const parts = [
      box(width * 0.08, height * 0.08, width * 0.84, height * 0.66, colour(palette, 5), unit * 0.2),
      disc(width * 0.75, height * 0.25, unit * 0.9, colour(palette, 1)),
      ridge(random, width, height * 0.74, height * 0.58, unit, colour(palette, 2)),
      box(width * 0.485, height * 0.08, width * 0.03, height * 0.66, colour(palette, 0)),
      box(0, height * 0.74, width, height * 0.26, colour(palette, 3)),
    ];
    const tail = random.chance(0.5) ? 1 : -1;
    parts.push(
      `<path d="M${round(x + tail * unit * 1.2)} ${round(floor - unit * 0.4)} q${round(tail * unit * 2)} ${round(-unit * 0.2)} ${round(tail * unit * 1.7)} ${round(-unit * 2)}" stroke="${fur}" stroke-width="${round(unit * 0.45)}" stroke-linecap="round" fill="none"/>`,
      `<ellipse cx="${round(x)}" cy="${round(floor - unit * 1.7)}" rx="${round(unit * 1.5)}" ry="${round(unit * 2)}" fill="${fur}"/>`,
      disc(x, floor - unit * 4.1, unit * 1.15, fur),
    );
    for (const side of [-1, 1]) {
      parts.push(
        `<path d="M${round(x + side * unit * 1.05)} ${round(floor - unit * 4.3)} l${round(side * unit * 0.1)} ${round(-unit * 1.4)} l${round(-side * unit * 0.95)} ${round(unit * 0.6)} Z" fill="${fur}"/>`,
      );
    }
    return parts;
  },

  garden(random, width, height, palette) {
    const parts = [ridge(random, width, height, height * 0.55, height * 0.08, "#7fa36b")];
    parts.push(ridge(random, width, height, height * 0.72, height * 0.06, "#4f7d4a"));
    const flowers = random.between(9, 16);
    for (let index = 0; index < flowers; index++) {
      const x = (width / flowers) * (index + 0.2 + random.next() * 0.6);
      const y = height * (0.3 + random.next() * 0.35);
      const petals = random.pick(["#e4572e", "#f3a712", "#f7c6d0", "#a23b72", "#ffffff", colour(palette, 1)]);
      const radius = Math.min(width, height) * (0.018 + random.next() * 0.02);
      parts.push(
        `<path d="M${round(x)} ${round(y)} Q${round(x + (random.next() - 0.5) * 60)} ${round((y + height) / 2)} ${round(x)} ${height}" stroke="#2f5d3a" stroke-width="5" fill="none"/>`,
      );
      for (let petal = 0; petal < 6; petal++) {
        const angle = (Math.PI / 3) * petal;
        parts.push(disc(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius, radius * 0.75, petals));
      }
      parts.push(disc(x, y, radius * 0.6, "#f6d743"));
    }
    return parts;
  },
};

export function drawAvatar(random: Random, size: number): string {
  const ground = random.pick(["#2a6f77", "#b5533c", "#5e548e", "#c98b4b", "#3d5a80", "#7a9e7e"]);
  const skin = random.pick(["#f1d3b5", "#d9a877", "#a8744f", "#6f4a32", "#e9c46a", "#a7c4bc"]);
  const hair = random.pick(["#2b2118", "#7a4a2a", "#d8b26a", "#8c8c8c", "#913d5e"]);
  const half = size / 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" fill="${ground}"/>` +
    disc(half, size * 1.02, size * 0.36, hair) +
    disc(half, half * 0.86, size * 0.27, hair) +
    disc(half, half * 0.98, size * 0.22, skin) +
    disc(half - size * 0.08, half * 0.95, size * 0.022, "#1d1d1d") +
    disc(half + size * 0.08, half * 0.95, size * 0.022, "#1d1d1d") +
    `<path d="M${half - size * 0.07} ${half * 1.12} q${size * 0.07} ${size * random.pick([0.03, 0.06, 0.08])} ${size * 0.14} 0" stroke="#1d1d1d" stroke-width="${size * 0.015}" fill="none" stroke-linecap="round"/></svg>`
  );
}
