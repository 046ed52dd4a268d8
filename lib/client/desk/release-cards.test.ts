import { expect, it, vi } from "vitest";
import type { Outbox } from "./outbox.ts";
import { releaseCards, releaseFinished } from "./release-cards.ts";

const outbox = (waiting: number) => ({ getState: () => ({ waiting }) }) as Outbox;

it("gives the cards back unless decisions are unsent, and the next desk waits for it", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    await Promise.resolve();
    sent.push(`${method} ${path}`);
    return new Response(null, { status: 204 });
  });
  releaseCards(outbox(1));
  await releaseFinished();
  expect(sent).toEqual([]);
  releaseCards(outbox(0));
  await releaseFinished();
  expect(sent).toEqual(["DELETE /api/v1/review/deck"]);
});
