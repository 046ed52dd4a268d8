import { beforeEach, describe, expect, it, vi } from "vitest";
import { releaseFinished, enterDesk, releaseCards } from "./presence.ts";
import type { Outbox } from "./outbox.ts";

/** Requests that were sent. */
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

describe("giveCardsBack", () => {
  it("gives them back when the only tab leaves, and whoever comes next waits for it", async () => {
    const leave = enterDesk(1);
    void releaseCards(1, outbox(0), leave);
    await releaseFinished();
    expect(sent).toEqual(["DELETE /api/v1/review/deck"]);
  });

  it("keeps them while another tab of the same member is there", async () => {
    const [leave] = [enterDesk(1), enterDesk(1)];
    await releaseCards(1, outbox(0), leave);
    expect(sent).toEqual([]);
  });

  it("does not mind another member's tab", async () => {
    const [leave] = [enterDesk(1), enterDesk(11)];
    await releaseCards(1, outbox(0), leave);
    expect(sent).toHaveLength(1);
  });

  it("gives back for other filters what this tab alone has", async () => {
    enterDesk(1);
    await releaseCards(1, outbox(0));
    expect(sent).toHaveLength(1);
    enterDesk(1);
    await releaseCards(1, outbox(0));
    expect(sent).toHaveLength(1);
  });

  it("keeps them while decisions on them are on their way", async () => {
    await releaseCards(1, outbox(1), enterDesk(1));
    expect(sent).toEqual([]);
  });

  it("keeps them where nobody can tell who is there", async () => {
    vi.stubGlobal("navigator", {});
    await releaseCards(1, outbox(0), enterDesk(1));
    expect(sent).toEqual([]);
  });
});
