import { seededShares } from "#tests/setup/random-numbers.ts";

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer, both ends included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  sample<T>(from: readonly T[], count: number): T[];
  /** An independent generator, unaffected by other draws. */
  fork(name: string | number): Random;
}

/** Seeded through FNV-1a of the text. */
export function seeded(seed: string | number): Random {
  const text = String(seed);
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  const next = seededShares(state);
  const random: Random = {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
    pick(from) {
      const item = from[Math.floor(next() * from.length)];
      if (item === undefined) throw new RangeError("nothing to pick from");
      return item;
    },
    sample(from, count) {
      const rest = [...from];
      return Array.from({ length: Math.min(count, rest.length) }, () => {
        const [item] = rest.splice(Math.floor(next() * rest.length), 1);
        return item as (typeof from)[number];
      });
    },
    fork: (name) => seeded(`${text}/${name}`),
  };
  return random;
}
