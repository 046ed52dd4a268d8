import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ApiFailure } from "#lib/client/api-failure.ts";
import type { AuthorHistory } from "#lib/review/author-schema.ts";
import type { Decision, DecisionResult, RecentDecision } from "#lib/review/decision-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { Outbox } from "./outbox.ts";
import { DeskStore, releaseCards, type UndoResult } from "./store.ts";

/** Undecided posts by id. A deck is the first of them. */
let open: number[];
let decks: number;
let isIncomplete: boolean;
/** Posts edited since the first deck. */
let edited: Set<number>;
let deliver: () => void;
let leaseSeconds: number;
let isApproved: boolean | null;
/** Requests for one post. */
let asked: number;
let gate: Promise<void>;

const record: AuthorHistory = { stored: 40, approved: 2, rejected: 1, auto_rejected: 0 };

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
    lease_expires_at: new Date(Date.now() + 1000 * leaseSeconds).toISOString(),
  }) as unknown as DeckCard;

afterEach(() => vi.useRealTimers());
beforeEach(() => {
  open = Array.from({ length: 60 }, (_, i) => i + 1);
  decks = 0;
  isIncomplete = false;
  edited = new Set();
  [leaseSeconds, isApproved, asked] = [600, true, 0];
  gate = new Promise((resolve) => (deliver = resolve));
  vi.stubGlobal("fetch", (path: string) => {
    const [, postId] = /\/posts\/(\d+)$/.exec(path) ?? [];
    if (postId !== undefined) {
      asked += 1;
      const history = [{ to: "pending", actor: "Ana" }];
      return Promise.resolve(Response.json({ approved: isApproved, history }));
    }
    decks += 1;
    const items = open.slice(0, 20 + Number(/unsent=(\d+)/.exec(path)?.[1])).map(card);
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

/** Each decision is applied, unless the answer says otherwise. */
function answering(answer: (decision: Decision) => Partial<DecisionResult>, when?: Promise<void>): Outbox {
  const resultOf = (each: Decision) =>
    ({ id: each.id, result: "applied", post: null, ...answer(each) }) as const;
  return new Outbox({
    memberId: 1,
    storage: null,
    send: async (decisions) => {
      await when;
      return decisions.map(resultOf);
    },
  });
}

/** An outbox whose decisions are all applied. */
function recorded() {
  const sent: Decision[] = [];
  return { sent, outbox: answering((decision) => (sent.push(decision), {})) };
}

/** Closed when the test ends. */
function newDesk(outbox = new Outbox({ memberId: 1, storage: null, send }), decided: RecentDecision[] = []) {
  const store = new DeskStore(outbox, decided);
  onTestFinished(() => store.close());
  return store;
}

async function openDesk(...of: Parameters<typeof newDesk>): Promise<DeskStore> {
  const store = newDesk(...of);
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
  is_today: true,
  author_account: "@a@example.org",
  snippet: "",
  emojis: [],
};

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
  });

  it("goes on while the server fails to store decisions, shows no card twice and loses none", async () => {
    const kept = new Set<number>();
    let isBroken = true;
    const outbox = new Outbox({
      memberId: 1,
      storage: null,
      send: async (decisions) => {
        if (isBroken) throw new ApiFailure({ status: 500, detail: "Internal error" });
        for (const { post_id } of decisions) kept.add(post_id);
        return send(decisions);
      },
    });
    deliver();
    const store = await openDesk(outbox);
    const shown: number[] = [];
    while (shown.length < 45) {
      await expect.poll(() => loaded(store).length).toBeGreaterThan(0);
      shown.push(loaded(store)[0] ?? 0);
      store.decide("approve");
    }
    expect(shown).toEqual(Array.from({ length: 45 }, (_, i) => i + 1));
    isBroken = false;
    outbox.wake();
    await expect.poll(() => outbox.getState().waiting).toBe(0);
    expect([...kept].toSorted((a, b) => a - b)).toEqual(shown);
    expect(store.getState()).toMatchObject({ decided: 45, remaining: 15 });
  });

  it("keeps the card on top when it was edited, and shows the new version with the next key", async () => {
    const { sent, outbox } = recorded();
    const store = await openDesk(outbox);
    edited.add(1);
    store.retry();
    await expect.poll(() => store.getState().conflict).toMatchObject({ kind: "edited" });
    expect(store.getState().event).toMatchObject({ kind: "card_lost" });
    expect(store.getState().cards[0]).toMatchObject({ id: 1, content: "post 1" });
    store.decide("approve");
    expect(store.getState()).toMatchObject({ conflict: null, history: [], event: { kind: "card_edited" } });
    expect(store.getState().cards[0]).toMatchObject({ id: 1, content: "post 1, edited" });
    expect(sent).toEqual([]);
    store.decide("approve");
    await expect.poll(() => sent).toMatchObject([{ post_id: 1, decision: "approve", version: 2 }]);
    expect(store.getState().event).toMatchObject({ kind: "decided" });
  });

  it("shows a post next that was edited before its decision arrived", async () => {
    const outbox = answering(({ post_id, version }) => {
      if (edited.has(post_id) && version !== 2) return { result: "conflict", code: "edited" };
      open = open.filter((id) => id !== post_id);
      return {};
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
  });

  it("opens without the posts of a block, and shows them first when it is taken back, after a failure once", async () => {
    const store = await openDesk();
    const asked = holdNextDeck();
    store.retry();
    await expect.poll(() => decks).toBe(2);
    open = open.filter((id) => id !== 1 && id !== 3);
    const undo = vi.fn(() => Promise.resolve<UndoResult>("restored"));
    undo.mockResolvedValueOnce("failed");
    const undoOnce = store.blocked(undo);
    await expect.poll(() => loaded(store).slice(0, 2)).toEqual([2, 4]);
    // It was requested before the block.
    asked();
    store.retry();
    await expect.poll(() => decks).toBe(4);
    expect(loaded(store).slice(0, 2)).toEqual([2, 4]);
    expect(store.getState()).toMatchObject({ remaining: 58, decided: 0, history: [] });
    open = [2, 4, 1, 3, ...open.slice(2)];
    store.undo();
    undoOnce();
    await expect.poll(() => undo.mock.results.length).toBe(1);
    await Promise.resolve();
    store.undo();
    undoOnce();
    await expect.poll(() => loaded(store).slice(0, 3)).toEqual([1, 3, 2]);
    expect(undo).toHaveBeenCalledTimes(2);
  });

  it("counts a decision in the figures of its author's other cards, until its undo", async () => {
    const store = await openDesk();
    const figures = () => {
      const { author_waiting, author_history } = store.getState().cards.find(({ id }) => id === 5) ?? {};
      return [author_waiting, author_history?.rejected];
    };
    store.decide("reject");
    expect(figures()).toEqual([28, 2]);
    store.undo();
    expect([figures(), loaded(store)[0]]).toEqual([[29, 1], 1]);
  });

  it("ignores answers to earlier filters", async () => {
    const late = holdNextDeck();
    const store = newDesk();
    store.open("q=otter");
    await expect.poll(() => decks).toBe(1);
    open = open.slice(40);
    store.open("q=cats");
    await expect.poll(() => loaded(store)[0]).toBe(41);
    late();
    store.retry();
    await expect.poll(() => decks).toBe(3);
    expect(loaded(store)).toEqual(open);
  });

  it("names the decision of an undo, unless it was made before the page was loaded", async () => {
    const { sent, outbox } = recorded();
    const store = await openDesk(outbox, [before]);
    store.decide("approve");
    store.undo();
    store.undo();
    await expect.poll(() => sent.length).toBe(3);
    expect(sent.map(({ post_id, undoes }) => [post_id, undoes])).toEqual([
      [1, undefined],
      [1, sent[0]?.id],
      [99, undefined],
    ]);
  });

  it.each([
    [true, -1],
    [false, 0],
  ])(
    "an undo of an earlier decision, of today: %s, changes the number decided today by %d",
    async (is_today, by) => {
      const store = await openDesk(recorded().outbox, [{ ...before, is_today }]);
      store.undo();
      expect(store.getState().decided).toBe(by);
    },
  );

  it("keeps a card on top when its undo was refused and sends no further decision on it", async () => {
    const detail = "Post is in state 'reserved', expected 'pending'";
    const outbox = answering(({ decision }) => (decision === "undo" ? { result: "conflict", detail } : {}));
    const store = await openDesk(outbox);
    store.decide("approve");
    await expect.poll(() => store.getState().history[0]?.status).toBe("saved");
    store.undo();
    expect(loaded(store)[0]).toBe(1);
    await expect.poll(() => store.getState().conflict).toEqual({ kind: "refused", detail });
    expect(store.getState().history[0]).toMatchObject({ status: "saved", closed: true });
    expect(loaded(store)[0]).toBe(1);
    store.decide("reject");
    expect(outbox.pending()).toEqual([]);
    expect(loaded(store)[0]).toBe(2);
  });

  it("shows why a post cannot be decided when its decision is refused after the undo", async () => {
    const detail = "Already approved by Ana";
    const nothing = "There is no decision to undo";
    const outbox = answering(
      ({ decision }) => ({ result: "conflict", detail: decision === "undo" ? nothing : detail }),
      gate,
    );
    const store = await openDesk(outbox);
    store.decide("reject");
    store.undo();
    deliver();
    await expect.poll(() => outbox.getState().waiting).toBe(0);
    const { cards, ...state } = store.getState();
    expect(state).toMatchObject({ history: [], decided: 0, conflict: { kind: "refused", detail } });
    expect(cards[0]?.id).toBe(1);
    expect(cards[2]).toMatchObject({ id: 3, author_waiting: 29, author_history: record });
  });

  it("does not show the refusal of a decision that was replaced, but of the one that replaced it", async () => {
    const outbox = answering(({ decision }) => (decision === "approve" ? {} : { result: "conflict" }), gate);
    const store = await openDesk(outbox);
    store.decide("reject");
    store.undo();
    store.decide("approve");
    deliver();
    await expect.poll(() => outbox.getState().waiting).toBe(0);
    expect(store.getState().history).toMatchObject([{ post_id: 1, decision: "approve", status: "saved" }]);
    expect(store.getState().decided).toBe(1);
  });

  it("asks again after a request without an answer, renews leases by age, and stops for a refused member", async () => {
    vi.useFakeTimers();
    const answer = fetch;
    vi.stubGlobal("fetch", (_path: string, { signal }: { signal: AbortSignal }) => {
      vi.stubGlobal("fetch", answer);
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      );
    });
    const store = newDesk(recorded().outbox);
    store.open("");
    await vi.advanceTimersByTimeAsync(33_000);
    expect(loaded(store)).toHaveLength(20);
    await vi.advanceTimersByTimeAsync(299_000);
    store.renewLeases();
    await vi.advanceTimersByTimeAsync(0);
    expect(decks).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json({}, { status: ++decks && 403 })));
    store.renewLeases();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([decks, store.getState().failure?.status]).toEqual([2, 403]);
  });

  it("removes cards decided in another tab and shows the conflict of the card on top", async () => {
    const outbox = new Outbox({ memberId: 1, storage: null, send });
    const store = await openDesk(outbox);
    // Fewer than asked for, so that nothing was left out.
    open = open.slice(2, 20);
    store.reload();
    await expect.poll(() => loaded(store)).not.toContain(2);
    expect(loaded(store)[0]).toBe(1);
    await expect
      .poll(() => store.getState().conflict)
      .toEqual({ kind: "decided", approved: true, by: "Ana" });
    store.decide("reject");
    expect(outbox.pending()).toEqual([]);
    expect(store.getState().history[0]).toMatchObject({ post_id: 1, status: "conflict" });
  });

  it.each([
    [600, null],
    [0, { kind: "leased" }],
  ])(
    "decides a card that no longer matches the filters while its lease of %d s lasts",
    async (lease, expected) => {
      leaseSeconds = lease;
      isApproved = null;
      const store = await openDesk(recorded().outbox);
      open = open.slice(1, 20);
      store.reload();
      await expect.poll(() => asked).toBe(1);
      await new Promise((resolve) => setTimeout(resolve));
      expect([store.getState().conflict, loaded(store)[0]]).toEqual([expected, 1]);
      store.decide("approve");
      expect(store.getState().history[0]?.status).toBe(expected ? "conflict" : "waiting");
    },
  );

  it("starts with the server's decisions and unsent ones of earlier tabs, and shows their conflicts", async () => {
    const refused = { id: "p", post_id: 6, decision: "approve" } as const;
    const post = { author_account: "@x@example.org", content: "<p>Tea &amp; <b>cake</b></p>", emojis: [] };
    const detail = "Already rejected by Ana";
    const outbox = answering(
      ({ id }) => ({ post: post as never, ...(id === "p" ? { result: "conflict", detail } : {}) }),
      gate,
    );
    outbox.add(refused);
    outbox.add({ id: "q", post_id: 99, decision: "undo" });
    const store = newDesk(outbox, [before]);
    expect(store.getState().history).toMatchObject([
      { post_id: 6, status: "waiting", author: "" },
      { post_id: 99, status: "undoing", undo_id: "q", author: "@a@example.org" },
    ]);
    deliver();
    await expect
      .poll(() => store.getState().history)
      .toMatchObject([
        {
          post_id: 6,
          status: "conflict",
          conflict: { kind: "refused", detail },
          author: "@x@example.org",
          snippet: "Tea & cake",
        },
      ]);
  });

  it("gives the cards back unless decisions are unsent, and the next desk waits for it", async () => {
    const asked: string[] = [];
    const answer = fetch;
    vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
      await Promise.resolve();
      asked.push(`${init.method} ${path.split("?")[0]}`);
      return init.method === "DELETE" ? new Response(null, { status: 204 }) : answer(path, init);
    });
    const { outbox } = recorded();
    const unsent = new Outbox({ memberId: 1, storage: null, send });
    unsent.add({ id: "p", post_id: 6, decision: "approve" });
    releaseCards(unsent);
    releaseCards(outbox);
    await openDesk(outbox);
    expect(asked).toEqual(["DELETE /api/v1/review/deck", "GET /api/v1/review/deck"]);
  });
});
