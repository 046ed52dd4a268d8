import { beforeEach, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { checkSources } from "#lib/collect/check-sources.ts";
import { wantSourceChecks } from "#lib/queue/queue-entries.ts";
import { fetchNow, freshStream, skipPauses } from "./stream-fetches.ts";

skipPauses();

/* Work on the texts of other servers is done before the transaction that stores them. */

const { server } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({ server: { posts: 0 } }),
);
const work = vi.hoisted(() => ({ transactions: 0, outside: 0, inside: 0 }));
vi.mock(import("#lib/base/transaction.ts"), async (original) => {
  const { inTransaction, ...rest } = await original();
  return {
    ...rest,
    inTransaction: (run, timeout) =>
      inTransaction(async (tx) => {
        work.transactions++;
        return run(tx).finally(() => work.transactions--);
      }, timeout),
  };
});
const note = vi.hoisted(() => () => {
  if (work.transactions > 0) work.inside++;
  else work.outside++;
});
vi.mock(import("#lib/base/tokens.ts"), async (original) => {
  const module = await original();
  return { ...module, searchLexemes: (post) => (note(), module.searchLexemes(post)) };
});
vi.mock(import("#lib/fediverse/sanitise-content.ts"), async (original) => {
  const module = await original();
  return { ...module, sanitiseContent: (html, budget) => (note(), module.sanitiseContent(html, budget)) };
});

const { control } = server;
beforeEach(async () => {
  control.posts.length = 0;
  Object.assign(work, { outside: 0, inside: 0 });
  await db.host_state.updateMany({ data: { state: {} } });
});

test("new and known posts, edits and source checks are read before their transactions", async () => {
  const author = control.findAuthor("mira");
  const posts = Array.from({ length: 5 }, () => control.addPost({ author, hashtags: ["cats"] }));
  const { id } = await freshStream(server);
  await fetchNow(id);
  for (const post of posts) post.raw = { content: "<p>Edited</p>", edited_at: new Date().toISOString() };
  await fetchNow(id);
  await wantSourceChecks(
    db,
    (await db.post.findMany()).map((post) => post.id),
  );
  for (const post of posts)
    post.raw = { content: "<p>Edited again</p>", edited_at: new Date().toISOString() };
  await checkSources({ deadline: new Date(Date.now() + 20_000) });
  expect(await db.post.count({ where: { plain_text: "Edited again" } })).toBe(5);
  expect(work).toEqual({ transactions: 0, inside: 0, outside: expect.any(Number) as number });
  expect(work.outside).toBeGreaterThanOrEqual(30);
});
