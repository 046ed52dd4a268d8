import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { childrenOf } from "#tests/setup/program.ts";
import { createDecoders } from "./decode-picture.ts";

const MIB = 1024 * 1024;
const LIMITS = { processes: 1, maxWaitingBytes: 8 * MIB, maxMemoryBytes: 384 * MIB };
const photo = (width = 400, height = 300) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#888",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();

const children = () => childrenOf(process.pid, "sluice-");

describe("a decoder process", () => {
  it("may die between two pictures", async () => {
    const decode = createDecoders(LIMITS);
    const before = children();
    const bytes = await photo();
    expect(await decode({ kind: "read", bytes, size: null })).toHaveProperty("picture");
    const pid = children().find((each) => !before.includes(each)) ?? 0;
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => children().includes(pid)).toBe(false);
    expect(await decode({ kind: "read", bytes, size: null })).toHaveProperty("picture");
  });

  it("may die while it draws: only this picture fails", async () => {
    const decode = createDecoders(LIMITS);
    const before = children();
    const bytes = await photo();
    await decode({ kind: "read", bytes, size: null });
    const pid = children().find((each) => !before.includes(each)) ?? 0;
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, "SIGSTOP");
    const killed = decode({ kind: "render", bytes, size: 160, format: "webp" });
    const next = decode({ kind: "render", bytes, size: 160, format: "webp" });
    process.kill(pid, "SIGKILL");
    await expect(killed).rejects.toMatchObject({ kind: "too_large" });
    expect(await next).toHaveProperty("picture");
  });

  it("ends itself above its memory limit", async () => {
    const decode = createDecoders({ ...LIMITS, maxMemoryBytes: 20 * MIB });
    const bytes = await photo();
    const drawn = decode({ kind: "render", bytes, size: 960, format: "webp" });
    await expect(drawn).rejects.toMatchObject({ kind: "too_large" });
  });

  it("is tried again when the system could not start it", async () => {
    const decode = createDecoders(LIMITS);
    const bytes = await photo();
    const node = process.execPath;
    process.execPath = "/missing";
    try {
      await expect(decode({ kind: "read", bytes, size: null })).rejects.toMatchObject({ kind: "busy" });
    } finally {
      process.execPath = node;
    }
    expect(await decode({ kind: "read", bytes, size: null })).toHaveProperty("picture");
  });

  it("refuses a picture when those that wait have too many bytes, and takes it when they are done", async () => {
    const bytes = await photo();
    const decode = createDecoders({ ...LIMITS, maxWaitingBytes: 2 * bytes.byteLength });
    const job = () => decode({ kind: "read", bytes, size: null });
    const [running, first, second] = [job(), job(), job()];
    await expect(job()).rejects.toMatchObject({ kind: "busy" });
    expect(await Promise.all([running, first, second])).toHaveLength(3);
    expect(await job()).toHaveProperty("picture");
  });
});
