import { beforeEach, describe, expect, it, vi } from "vitest";
import { releaseFinished, enterDesk, releaseCards } from "./presence.ts";
import type { Outbox } from "./outbox.ts";

let sent: string[];
/** Tabs at the desk, as the browser's locks show them. */
let held: { name: string }[];

const outbox = (waiting: number) => ({ getState: () => ({ waiting }) }) as Outbox;

beforeEach(() => {
  sent = [];
  held = [];
  vi.stubGlobal("navigator", {
    locks: {
      request: async (name: string, _options: unknown, stay: () => Promise<void>) => {
        const lock = { name };
        held.push(lock);
        await stay();
        held = held.filter((each) => each !== lock);
      },
      query: () => Promise.resolve({ held, pending: [] }),
    },
  });
  vi.stubGlobal("fetch", (path: string, { method }: RequestInit) => {
    sent.push(`${method} ${path}`);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
});

describe("releaseCards", () => {
  it("releases when the only tab leaves, and the next desk waits for the release", async () => {
    const leave = enterDesk(1);
    void releaseCards(1, outbox(0), leave);
    await releaseFinished();
    expect(sent).toEqual(["DELETE /api/v1/review/deck"]);
  });

  it("keeps cards while another tab of the member is at the desk", async () => {
    const [leave] = [enterDesk(1), enterDesk(1)];
    await releaseCards(1, outbox(0), leave);
    expect(sent).toEqual([]);
  });

  it("ignores tabs of other members", async () => {
    const [leave] = [enterDesk(1), enterDesk(11)];
    await releaseCards(1, outbox(0), leave);
    expect(sent).toHaveLength(1);
  });

  it("releases for changed filters when this is the only tab", async () => {
    enterDesk(1);
    await releaseCards(1, outbox(0));
    expect(sent).toHaveLength(1);
    enterDesk(1);
    await releaseCards(1, outbox(0));
    expect(sent).toHaveLength(1);
  });

  it("keeps cards while decisions are unsent", async () => {
    await releaseCards(1, outbox(1), enterDesk(1));
    expect(sent).toEqual([]);
  });

  it("keeps cards without the Locks API", async () => {
    vi.stubGlobal("navigator", {});
    await releaseCards(1, outbox(0), enterDesk(1));
    expect(sent).toEqual([]);
  });
});
