import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { FetchRun, Stream } from "#lib/streams/schema.ts";
import { FirstFetch } from "./first-fetch.tsx";
import { RunsPanel } from "./runs-panel.tsx";

const run: FetchRun = {
  id: 1,
  started_at: "2026-05-04T12:00:00.000Z",
  finished_at: "2026-05-04T12:00:05.000Z",
  seen: 9,
  new: 6,
  duplicates: 0,
  updated: 0,
  auto_rejected: 0,
  dropped: {},
  pages: 1,
  error: null,
};
const resultOf = (dropped: Record<string, number>) =>
  renderToStaticMarkup(<RunsPanel runs={[{ ...run, dropped }]} />);

it("says in a sentence that posts were skipped because they are too long", () => {
  expect(resultOf({ too_large: 1 })).toContain("1 post was skipped: too long to be read.");
  expect(resultOf({ too_large: 2, reply: 1 })).toContain(
    "2 posts were skipped: too long to be read. Reply: 1",
  );
  expect(resultOf({ reply: 1 })).not.toContain("too long");
});

it("says that a first fetch found only known posts", () => {
  const stream = { id: 1, instance: "m.example", state: "working", next_scheduled_fetch: null } as Stream;
  const textOf = (change: Partial<FetchRun>) =>
    renderToStaticMarkup(
      <FirstFetch stream={stream} runs={[{ ...run, finished_at: new Date().toISOString(), ...change }]} />,
    );
  expect(textOf({ new: 0, duplicates: 9 })).toContain("Only known posts");
  expect(textOf({ new: 0, seen: 0 })).toContain("The server has no posts to keep yet");
  expect(textOf({})).toContain("The first posts are here");
});
