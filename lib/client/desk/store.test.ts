import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AuthorHistory } from "#lib/review/author-schema.ts";
import type { Decision, DecisionResult, RecentDecision } from "#lib/review/decision-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { DeskStore } from "./store.ts";
import { Outbox } from "./outbox.ts";

/** Undecided posts by id. A deck is the first twenty of them. */
let open: number[];
let decks: number;
let isIncomplete: boolean;
/** Posts edited since the first deck. */
let edited: Set<number>;
let deliver: () => void;
let gate: Promise<void>;

const record = {
  stored: 40,
  approved: 2,
  rejected: 1,
  auto_rejected: 0,
  last_decisions: [],
} as AuthorHistory;

const card = (id: number) =>
  ({
    id,
    content: edited.has(id) ? `post ${id}, edited` : `post ${id}`,
    version: edited.has(id) ? 2 : 1,
    author_account: id % 2 === 1 ? "@a@b.example" : "@c@b.example",
    author_waiting: 29,
    media_covered: false,
    emojis: [],
    author_history: record,
    lease_expires_at: new Date(Date.now() + 600_000).toISOString(),
  }) as unknown as DeckCard;

afterEach(() => vi.useRealTimers());
beforeEach(() => {
  open = Array.from({ length: 60 }, (_, i) => i + 1);
  decks = 0;
  isIncomplete = false;
  edited = new Set();
  gate = new Promise((resolve) => (deliver = resolve));
  vi.stubGlobal("fetch", (path: string) => {
    const [, postId] = /\/posts\/(\d+)$/.exec(path) ?? [];
    if (postId !== undefined)
      return Promise.resolve(Response.json({ approved: true, history: [{ to: "pending", actor: "Ana" }] }));
    decks += 1;
    const items = open.slice(0, 20).map(card);
    return Promise.resolve(
      Response.json({
        items,
        remaining: open.length,
        remaining_is_more: false,
        leased_to_others: 0,
        incomplete_results: isIncomplete ? true : undefined,
      }),
    );
  });
});

async function send(decisions: Decision[]): Promise<DecisionResult[]> {
  await gate;
  open = open.filter((id) => !decisions.some((decision) => decision.post_id === id));
  return decisions.map(({ id }) => ({ id, result: "applied", post: null }));
}

/** An outbox whose decisions are all applied. */
function recorded() {
  const sent: Decision[] = [];
  const outbox = new Outbox({
    memberId: 1,
    storage: null,
    send: (decisions) => {
      sent.push(...decisions);
      return Promise.resolve(decisions.map(({ id }) => ({ id, result: "applied", post: null })));
    },
  });
  return { sent, outbox };
}

async function openDesk(outbox = new Outbox({ memberId: 1, storage: null, send })): Promise<DeskStore> {
  const store = new DeskStore(outbox, []);
  store.open("");
  await expect.poll(() => store.getState().cards.length).toBe(20);
  return store;
}

/** Made before the page was loaded. */
const before: RecentDecision = {
  post_id: 99,
  version: 1,
  decision: "approve",
  reason: null,
  at: "2026-03-12T12:00:00.000Z",
  author_account: "@a@example.org",
  snippet: "",
  emojis: [],
};

/** A rejection of several cards. */
const batchOf = (store: DeskStore, ids: number[]) => ({
  id: "batch",
  decision: "reject" as const,
  at: new Date().toISOString(),
  name: "@a@b.example",
  count: ids.length,
  posts: store.getState().cards.filter(({ id }) => ids.includes(id)),
  undo: () => Promise.resolve({ restored: ids.length, detail: undefined }),
});

const loaded = (store: DeskStore) => store.getState().cards.map(({ id }) => id);

/** @returns a function that sends the answer */
function holdNextDeck(): () => void {
  const answer = fetch;
  let send = (): void => undefined;
  const held = new Promise<void>((resolve) => (send = resolve));
  vi.stubGlobal("fetch", async (path: string) => {
    vi.stubGlobal("fetch", answer);
    const response = await answer(path);
    await held;
    return response;
  });
  return send;
}

describe("DeskStore", () => {
  it("does not restore a card decided while a request was running", async () => {
    const store = await openDesk();
    const asked = holdNextDeck();
    store.retry();
    await expect.poll(() => decks).toBe(2);
    store.decide("approve");
    deliver();
    await expect.poll(() => store.getState().history[0]?.status).toBe("saved");
    const answered = vi.fn();
    store.subscribe(answered);
    asked();
    await expect.poll(() => answered.mock.calls.length).toBeGreaterThan(0);
    expect(loaded(store)).not.toContain(1);
    expect(store.getState().remaining).toBe(59);
    store.close();
  });

  it("keeps the card on top when it was edited, and shows the new version with the next key", async () => {
    const { sent, outbox } = recorded();
    const store = await openDesk(outbox);
    const events: string[] = [];
    store.onEvent(({ kind }) => events.push(kind));
    edited.add(1);
    store.retry();
    await expect
      .poll(() => store.getState().topConflict)
      .toMatchObject({ post_id: 1, conflict: { kind: "edited" } });
    expect(store.getState().cards[0]).toMatchObject({ id: 1, content: "post 1" });
    store.decide("approve");
    expect(store.getState()).toMatchObject({ topConflict: null, history: [] });
    expect(store.getState().cards[0]).toMatchObject({ id: 1, content: "post 1, edited" });
    expect(sent).toEqual([]);
    store.decide("approve");
    await expect.poll(() => sent).toMatchObject([{ post_id: 1, decision: "approve", version: 2 }]);
    expect(events).toEqual(["card_lost", "card_edited", "decided"]);
    store.close();
  });

  it("shows a post next that was edited before its decision arrived", async () => {
    const outbox = new Outbox({
      memberId: 1,
      storage: null,
      send: (decisions) => {
        const isOld = ({ post_id, version }: Decision) => edited.has(post_id) && version !== 2;
        open = open.filter((id) => !decisions.some((each) => each.post_id === id && !isOld(each)));
        return Promise.resolve(
          decisions.map((each) =>
            isOld(each)
              ? { id: each.id, result: "conflict", code: "edited", post: null }
              : { id: each.id, result: "applied", post: null },
          ),
        );
      },
    });
    const store = await openDesk(outbox);
    edited.add(1);
    store.decide("approve");
    await expect.poll(() => loaded(store).slice(0, 2)).toEqual([2, 1]);
    expect(store.getState().cards[1]).toMatchObject({ content: "post 1, edited" });
    expect(store.getState().history).toMatchObject([
      { post_id: 1, status: "conflict", conflict: { kind: "edited" } },
    ]);
    store.decide("approve");
    store.decide("reject");
    await expect.poll(() => store.getState().history.map(({ status }) => status)).toEqual(["saved", "saved"]);
    expect(store.getState().history[0]).toMatchObject({ post_id: 1, decision: "reject" });
    store.close();
  });

  it("shows a covered post again instead of approving it from the list of decisions", async () => {
    const store = await openDesk();
    deliver();
    Object.assign(store.getState().cards[0] ?? {}, { media_covered: true });
    store.decide("reject");
    await expect.poll(() => store.getState().history[0]?.status).toBe("saved");
    const [entry] = store.getState().history;
    if (entry) store.changeDecision(entry, "approve");
    expect(loaded(store)[0]).toBe(1);
    await expect.poll(() => store.getState().history).toEqual([]);
    store.close();
  });

  it("shows a post again instead of approving it when its card is not known", async () => {
    const { sent, outbox } = recorded();
    const store = new DeskStore(outbox, [{ ...before, decision: "reject" }]);
    const [entry] = store.getState().history;
    if (entry) store.changeDecision(entry, "approve");
    await expect.poll(() => sent).toMatchObject([{ post_id: 99, decision: "undo" }]);
    store.close();
  });

  it("removes the cards of a batch, also from answers that were requested before it", async () => {
    const store = await openDesk();
    const asked = holdNextDeck();
    store.retry();
    await expect.poll(() => decks).toBe(2);
    store.batchDone(batchOf(store, [1, 3]));
    expect(loaded(store).slice(0, 2)).toEqual([2, 4]);
    expect(store.getState().remaining).toBe(58);
    expect(store.getState().cards.find(({ id }) => id === 5)?.author_waiting).toBe(27);
    const answered = vi.fn();
    store.subscribe(answered);
    asked();
    await expect.poll(() => answered.mock.calls.length).toBeGreaterThan(0);
    expect(loaded(store)).not.toContain(1);
    expect(loaded(store)).not.toContain(3);
    store.close();
  });

  it("returns the cards of a batch on top at once, and keeps them there after the undo", async () => {
    const store = await openDesk();
    store.batchDone(batchOf(store, [1, 3]));
    expect(store.getState().batches).toMatchObject([{ id: "batch", status: "saved", count: 2 }]);
    store.beginBatchUndo("batch");
    expect(loaded(store).slice(0, 3)).toEqual([1, 3, 2]);
    expect(store.getState()).toMatchObject({ remaining: 60, batches: [{ status: "undoing" }] });
    // An answer of a server that has not undone the batch yet.
    open = open.filter((id) => id !== 1 && id !== 3);
    store.retry();
    await expect.poll(() => decks).toBe(2);
    expect(loaded(store).slice(0, 3)).toEqual([1, 3, 2]);
    expect(store.getState().topConflict).toBeNull();
    open = [1, 3, ...open];
    store.endBatchUndo("batch", true);
    await expect.poll(() => decks).toBe(3);
    expect([loaded(store)[0], store.getState().batches]).toEqual([1, []]);
    store.close();
  });

  it("ignores answers to earlier filters", async () => {
    const late = holdNextDeck();
    const store = new DeskStore(new Outbox({ memberId: 1, storage: null, send }), []);
    store.open("q=otter");
    await expect.poll(() => decks).toBe(1);
    open = open.slice(40);
    store.open("q=cats");
    await expect.poll(() => loaded(store)[0]).toBe(41);
    late();
    store.retry();
    await expect.poll(() => decks).toBe(3);
    expect(loaded(store)).toEqual(open);
    store.close();
  });

  it("names the decision of an undo, unless it was made before the page was loaded", async () => {
    const { sent, outbox } = recorded();
    const store = new DeskStore(outbox, [before]);
    store.open("");
    await expect.poll(() => loaded(store).length).toBe(20);
    store.decide("approve");
    store.undo();
    store.undo();
    await expect.poll(() => sent.length).toBe(3);
    expect(sent.map(({ post_id, undoes }) => [post_id, undoes])).toEqual([
      [1, undefined],
      [1, sent[0]?.id],
      [99, undefined],
    ]);
    store.close();
  });

  it("keeps a card on top when its undo was refused and sends no further decision on it", async () => {
    const detail = "Post is in state 'reserved', expected 'pending'";
    const outbox = new Outbox({
      memberId: 1,
      storage: null,
      send: (decisions) =>
        Promise.resolve(
          decisions.map(({ id, decision }) => ({
            id,
            result: decision === "undo" ? "conflict" : "applied",
            detail,
            post: null,
          })),
        ),
    });
    const store = await openDesk(outbox);
    store.decide("approve");
    await expect.poll(() => store.getState().history[0]?.status).toBe("saved");
    store.undo();
    expect(loaded(store)[0]).toBe(1);
    await expect
      .poll(() => store.getState().topConflict)
      .toEqual({ post_id: 1, conflict: { kind: "refused", detail } });
    expect(loaded(store)[0]).toBe(1);
    store.decide("reject");
    expect(outbox.pending()).toEqual([]);
    expect(loaded(store)[0]).toBe(2);
    store.close();
  });

  it("removes cards decided in another tab and shows the conflict of the card on top", async () => {
    const outbox = new Outbox({ memberId: 1, storage: null, send });
    const store = await openDesk(outbox);
    const other = await openDesk(outbox);
    other.decide("approve");
    other.decide("approve");
    deliver();
    await expect.poll(() => loaded(store)).not.toContain(2);
    expect(loaded(store)[0]).toBe(1);
    await expect
      .poll(() => store.getState().topConflict)
      .toEqual({ post_id: 1, conflict: { kind: "decided", approved: true, by: "Ana" } });
    store.decide("reject");
    expect(outbox.pending()).toEqual([]);
    expect(store.getState().history[0]).toMatchObject({ post_id: 1, status: "conflict" });
    store.close();
    other.close();
  });
});
