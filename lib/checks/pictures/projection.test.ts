import { describe, expect, it } from "vitest";
import { projectDescription } from "./projection.ts";

const description = (seed: number) =>
  Float32Array.from({ length: 1792 }, (_, n) => Math.max(0, Math.sin(n * seed) * 3));
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  const product = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    Array.from(x).reduce((sum, value, n) => sum + value * (y[n] ?? 0), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
};

describe("projectDescription", () => {
  it("gives 256 signed bytes that never change, because stored vectors are compared with new ones", () => {
    const vector = projectDescription(description(1.7));
    expect(vector).toHaveLength(256);
    expect([...vector.slice(0, 8)]).toMatchInlineSnapshot(`
      [
        -35,
        -23,
        63,
        28,
        -8,
        -25,
        11,
        -45,
      ]
    `);
    expect(Math.max(...vector.map(Math.abs))).toBe(127);
  });

  it("keeps angles between descriptions", () => {
    const [a, b] = [description(1.7), description(0.9)];
    const near = a.map((value, n) => value + 0.1 * (b[n] ?? 0));
    expect(cosine(projectDescription(a), projectDescription(near))).toBeCloseTo(cosine(a, near), 1);
    expect(cosine(projectDescription(a), projectDescription(b))).toBeCloseTo(cosine(a, b), 0);
  });

  it("does not depend on the length of the description", () => {
    const a = description(1.7);
    expect(projectDescription(a.map((value) => value * 5))).toEqual(projectDescription(a));
    expect(projectDescription(new Float32Array(1792))).toEqual(new Int8Array(256));
  });

  it("refuses a description of another model", () => {
    expect(() => projectDescription(new Float32Array(1280))).toThrow(RangeError);
  });
});
