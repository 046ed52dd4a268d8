import { ApiFailure, asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Decision, DecisionResult } from "#lib/review/decision-schema.ts";
import { outboxPrefix } from "./outbox-prefix.ts";

/** `refused`: rejected permanently; `detail` says why. */
export interface DecisionOutcome {
  decision: Decision;
  result: DecisionResult["result"] | "refused";
  detail?: string;
  code?: DecisionResult["code"];
  post: DecisionResult["post"];
}

/**
 * `offline` is retried. `signed_out` and `forbidden` wait until the member signs in or may review again.
 */
export type OutboxStatus = "saved" | "sending" | "offline" | "trouble" | "signed_out" | "forbidden";

export interface OutboxState {
  status: OutboxStatus;
  waiting: number;
  /** Some decisions would be lost with the tab. */
  at_risk: boolean;
}

/** `key` sorts by time of decision. */
interface OutboxEntry {
  key: string;
  decision: Decision;
}

/** Small, so that "waiting" is short after an outage. */
const BATCH = 20;
/** Below the server's limit of 256 KiB. */
const BATCH_BYTES = 120_000;
/** Retries after 0.5, 1, 2, 4, 8, then every 10 seconds. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** The ids make a repeated request harmless. */
const REQUEST_TIMEOUT_MS = 15_000;

export interface OutboxOptions {
  memberId: number;
  storage: Storage | null;
  send?: (decisions: Decision[]) => Promise<DecisionResult[]>;
  locks?: LockManager | undefined;
  channel?: BroadcastChannel | undefined;
}

/**
 * Sends decisions in order, each applied once (docs/decisions/0013-desk-outbox.md). They leave the
 * storage only after the server's answer. One tab sends at a time.
 */
export class Outbox {
  private readonly storage: OutboxStorage;
  private readonly send: (decisions: Decision[]) => Promise<DecisionResult[]>;
  private readonly locks: LockManager | undefined;
  private readonly channel: BroadcastChannel | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly outcomeListeners = new Set<(outcomes: DecisionOutcome[]) => void>();
  private readonly lockName: string;
  private state: OutboxState;
  private running = false;
  private again = false;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;

  constructor({ memberId, storage, send = sendDecisions, locks, channel }: OutboxOptions) {
    this.storage = new OutboxStorage(memberId, storage);
    this.send = send;
    this.locks = locks;
    this.channel = channel;
    this.lockName = outboxPrefix(memberId);
    const waiting = this.storage.count;
    this.state = { status: waiting > 0 ? "sending" : "saved", waiting, at_risk: false };
    channel?.addEventListener("message", this.onMessage);
  }

  /** Stored when this returns. */
  add(decision: Decision): void {
    this.storage.add(decision);
    this.change();
    void this.flush();
  }

  pending(): Decision[] {
    return this.storage.read().map(({ decision }) => decision);
  }

  getState = (): OutboxState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Also for decisions sent by other tabs. */
  onOutcomes(listener: (outcomes: DecisionOutcome[]) => void): () => void {
    this.outcomeListeners.add(listener);
    return () => this.outcomeListeners.delete(listener);
  }

  /** Online again, tab visible, or storage changed by another tab. */
  wake = (): void => {
    this.change();
    if (this.state.waiting === 0) return;
    this.failures = 0;
    void this.flush();
  };

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.channel?.removeEventListener("message", this.onMessage);
  }

  private async flush(): Promise<void> {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    clearTimeout(this.timer);
    try {
      // Without the Locks API (plain http at a network address) two tabs may send the same decision; its id makes that
      // harmless.
      if (this.locks) await this.locks.request(this.lockName, () => this.sendAll());
      else await this.sendAll();
      this.failures = 0;
    } catch (thrown) {
      this.failed(asFailure(thrown));
    } finally {
      this.running = false;
      if (this.again) {
        this.again = false;
        if (this.failures === 0) void this.flush();
      }
    }
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      const entries = firstBatch(this.storage.read());
      if (entries.length === 0) break;
      this.change("sending");
      this.settle(entries, await this.sendBatch(entries));
    }
    this.change("saved");
  }

  private async sendBatch(entries: OutboxEntry[]): Promise<Omit<DecisionOutcome, "decision">[]> {
    try {
      return await this.send(entries.map((entry) => entry.decision));
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (!isFinal(failure)) throw failure;
      // Sent alone, the valid decisions succeed and the invalid one is reported.
      if (entries.length > 1) return this.sendBatch(entries.slice(0, 1));
      return [{ result: "refused", detail: failure.detail, post: null }];
    }
  }

  /** In the order of `entries`, possibly fewer. */
  private settle(entries: OutboxEntry[], answers: Omit<DecisionOutcome, "decision">[]): void {
    // Without the id and fields of later releases.
    const outcomes = entries.slice(0, answers.length).flatMap(({ decision }, i): DecisionOutcome[] => {
      const { result, detail, code, post } = answers[i] ?? {};
      return result ? [{ decision, result, detail, code, post: post ?? null }] : [];
    });
    if (outcomes.length === 0)
      throw new ApiFailure({ status: 502, detail: "The server's answer says nothing" });
    this.storage.remove(entries.slice(0, outcomes.length).map((entry) => entry.key));
    this.change();
    this.emit(outcomes);
    this.channel?.postMessage({ outcomes });
  }

  private failed(failure: ApiFailure): void {
    this.failures += 1;
    this.change(statusOf(failure));
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.failures - 1));
    const asked = (failure.retryAfter ?? 0) * 1000;
    // Spreads the retries of clients cut off together.
    const wait = Math.max(pause, Math.min(asked, 60_000)) * (1 + Math.random() / 4);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), wait);
  }

  private readonly onMessage = (event: MessageEvent): void => {
    const { outcomes } = event.data as { outcomes?: DecisionOutcome[] };
    if (!outcomes) return;
    this.change();
    this.emit(outcomes);
  };

  private emit(outcomes: DecisionOutcome[]): void {
    for (const listener of this.outcomeListeners) listener(outcomes);
  }

  private change(wanted = this.state.status): void {
    const { count: waiting, atRisk: at_risk } = this.storage;
    const status = waiting === 0 ? "saved" : wanted === "saved" ? "sending" : wanted;
    const { state } = this;
    if (state.status === status && state.waiting === waiting && state.at_risk === at_risk) return;
    this.state = { status, waiting, at_risk };
    for (const listener of this.listeners) listener();
  }
}

function firstBatch(entries: OutboxEntry[]): OutboxEntry[] {
  let bytes = 0;
  const batch: OutboxEntry[] = [];
  for (const entry of entries.slice(0, BATCH)) {
    // Three bytes per UTF-16 unit is an upper bound.
    bytes += 3 * JSON.stringify(entry.decision).length;
    if (batch.length > 0 && bytes > BATCH_BYTES) break;
    batch.push(entry);
  }
  return batch;
}

/** Retrying cannot help. */
function isFinal({ status }: ApiFailure): boolean {
  return status === 400 || status === 413 || status === 422;
}

function statusOf({ status }: ApiFailure): OutboxStatus {
  if (status === 0) return "offline";
  if (status === 401) return "signed_out";
  if (status === 403) return "forbidden";
  return "trouble";
}

async function sendDecisions(decisions: Decision[]): Promise<DecisionResult[]> {
  const { results } = await apiFetch<{ results: DecisionResult[] }>("/review/decisions", {
    method: "POST",
    body: { decisions },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  return results;
}

/**
 * One localStorage key per decision, so that tabs never overwrite each other. An IndexedDB write would
 * not complete when the tab closes right after the key press.
 */
export class OutboxStorage {
  readonly prefix: string;
  private readonly place: Storage | null;
  /** Decisions that the browser refused to store. */
  private readonly unkept = new Map<string, Decision>();
  private lastTime = 0;

  constructor(memberId: number, place: Storage | null) {
    this.prefix = outboxPrefix(memberId);
    this.place = place;
  }

  add(decision: Decision, now = Date.now()): void {
    const key = this.nextKey(now);
    try {
      if (this.place === null) throw new Error("no storage");
      this.place.setItem(key, JSON.stringify(decision));
    } catch {
      this.unkept.set(key, decision);
    }
  }

  read(): OutboxEntry[] {
    const entries: OutboxEntry[] = [...this.unkept].map(([key, decision]) => ({ key, decision }));
    for (const key of this.keys()) {
      const decision = parseDecision(this.place?.getItem(key) ?? null);
      // An unreadable entry would block all later ones.
      if (decision === null) this.place?.removeItem(key);
      else entries.push({ key, decision });
    }
    return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  remove(keys: readonly string[]): void {
    for (const key of keys) {
      this.unkept.delete(key);
      this.place?.removeItem(key);
    }
  }

  get count(): number {
    return this.unkept.size + this.keys().length;
  }

  /** Closing the tab would lose a decision. */
  get atRisk(): boolean {
    return this.unkept.size > 0;
  }

  private keys(): string[] {
    const { place } = this;
    const keys = Array.from({ length: place?.length ?? 0 }, (_, i) => place?.key(i) ?? "");
    return keys.filter((key) => key.startsWith(this.prefix));
  }

  /** After all existing keys, also when the clock was set back. */
  private nextKey(now: number): string {
    const latest = this.keys().reduce((time, key) => Math.max(time, timeOf(key, this.prefix)), this.lastTime);
    this.lastTime = Math.max(now, latest + 1);
    // Two tabs may act in the same millisecond.
    const random = Math.random().toString(36).slice(2, 10);
    return `${this.prefix}${String(this.lastTime).padStart(14, "0")}:${random}`;
  }
}

function timeOf(key: string, prefix: string): number {
  const time = Number(key.slice(prefix.length).split(":")[0]);
  return Number.isFinite(time) ? time : 0;
}

function parseDecision(text: string | null): Decision | null {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (typeof value !== "object" || value === null) return null;
    const { id, post_id, decision } = value as Record<string, unknown>;
    const known =
      decision === "approve" || decision === "reject" || decision === "skip" || decision === "undo";
    return typeof id === "string" && typeof post_id === "number" && known ? (value as Decision) : null;
  } catch {
    return null;
  }
}
