import { ApiFailure, asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Decision, DecisionResult } from "#lib/review/decision-schema.ts";
import { memberKey, outboxPrefix } from "./outbox-prefix.ts";

/** The server's answer to a decision. `refused`: a retry cannot help; `detail` says why. */
export interface DecisionOutcome {
  decision: Decision;
  result: DecisionResult["result"] | "refused";
  detail?: string;
  code?: DecisionResult["code"];
  post: DecisionResult["post"];
}

/** All but `saved` are retried. `signed_out` and `forbidden` succeed when the member signs in or may review again. */
export type OutboxStatus = "saved" | "sending" | "offline" | "trouble" | "signed_out" | "forbidden";

export interface OutboxState {
  status: OutboxStatus;
  waiting: number;
  /** The browser refused to store a decision, which would be lost with the tab. */
  at_risk: boolean;
}

/** `key` sorts by time of decision. */
interface OutboxEntry {
  key: string;
  decision: Decision;
}

/** Decisions of one request. With the longest notes it stays below the server's limit of 256 KiB. */
const BATCH = 15;
/** Retries after 0.5, 1, 2, 4, 8, then every 10 seconds. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** A request that timed out is repeated; the ids of the decisions make that harmless. */
const REQUEST_TIMEOUT_MS = 15_000;

export interface OutboxOptions {
  memberId: number;
  storage: Storage | null;
  send?: (decisions: Decision[]) => Promise<DecisionResult[]>;
}

/**
 * Sends decisions in order, each applied once (docs/decisions/0013-desk-outbox.md). Each has a key of its own in the
 * storage until the server's answer, so that tabs never overwrite each other; two tabs that send the same decision get
 * the same answer. An IndexedDB write would not complete when the tab closes right after the key press.
 */
export class Outbox {
  private readonly memberId: number;
  private readonly prefix: string;
  private readonly storage: Storage | null;
  private readonly send: (decisions: Decision[]) => Promise<DecisionResult[]>;
  private readonly listeners = new Set<() => void>();
  private readonly outcomeListeners = new Set<(outcomes: DecisionOutcome[]) => void>();
  private entries: OutboxEntry[] = [];
  /** Keys of decisions that the browser refused to store. */
  private readonly unsaved = new Set<string>();
  private lastTime = 0;
  private state: OutboxState = { status: "saved", waiting: 0, at_risk: false };
  private running = false;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;

  constructor({ memberId, storage, send = sendDecisions }: OutboxOptions) {
    this.memberId = memberId;
    this.prefix = outboxPrefix(memberId);
    this.storage = storage;
    this.send = send;
    this.loadStored();
  }

  /** Stores and sends a decision. It is stored when this returns. */
  add(decision: Decision): void {
    // Sorts after all known decisions, even if the clock was set back.
    this.lastTime = Math.max(Date.now(), this.lastTime + 1);
    // Two tabs may act in the same millisecond.
    const random = Math.random().toString(36).slice(2, 10);
    const key = `${this.prefix}${String(this.lastTime).padStart(14, "0")}:${random}`;
    try {
      if (this.storage === null) throw new Error("no storage");
      this.storage.setItem(key, JSON.stringify(decision));
    } catch {
      this.unsaved.add(key);
    }
    this.entries.push({ key, decision });
    this.setSending();
    void this.flush();
  }

  pending(): Decision[] {
    return this.entries.map(({ decision }) => decision);
  }

  getState = (): OutboxState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  onOutcomes(listener: (outcomes: DecisionOutcome[]) => void): () => void {
    this.outcomeListeners.add(listener);
    return () => this.outcomeListeners.delete(listener);
  }

  /** Retries at once. Called when the browser is online again or the tab becomes visible. */
  wake = (): void => {
    this.loadStored();
    if (this.entries.length === 0) return;
    this.failures = 0;
    void this.flush();
  };

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Takes over stored decisions of other tabs, which may be closed. */
  private loadStored(): void {
    const { storage, prefix } = this;
    const known = new Set(this.entries.map(({ key }) => key));
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, i) => storage?.key(i) ?? "");
    for (const key of keys.filter((each) => each.startsWith(prefix) && !known.has(each)).toSorted()) {
      const decision = parseDecision(storage?.getItem(key) ?? null);
      if (decision) this.entries.push({ key, decision });
      else storage?.removeItem(key);
      this.lastTime = Math.max(this.lastTime, Number.parseInt(key.slice(prefix.length), 10) || 0);
    }
    this.setSending();
  }

  private async flush(): Promise<void> {
    if (this.stopped || this.running) return;
    this.running = true;
    clearTimeout(this.timer);
    try {
      while (this.entries.length > 0) {
        this.requireOwnSession();
        this.setSending();
        const batch = this.entries.slice(0, BATCH);
        this.settle(batch, await this.sendBatch(batch));
      }
      this.failures = 0;
    } catch (thrown) {
      this.scheduleRetry(asFailure(thrown));
    } finally {
      this.running = false;
    }
  }

  /** Else the decisions would be recorded as those of the member who has signed in since in this browser. */
  private requireOwnSession(): void {
    const present = this.storage?.getItem(memberKey) ?? null;
    if (present !== null && present !== String(this.memberId))
      throw new ApiFailure({ status: 401, detail: "Another member has signed in" });
  }

  private async sendBatch(entries: OutboxEntry[]): Promise<Omit<DecisionOutcome, "decision">[]> {
    try {
      return await this.send(entries.map((entry) => entry.decision));
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (!isFinal(failure) && failure.status !== 500) throw failure;
      // Send the first one alone, so that one bad decision does not block the others.
      if (entries.length > 1) return this.sendBatch(entries.slice(0, 1));
      if (failure.status === 500) throw failure;
      return [{ result: "refused", detail: failure.detail, post: null }];
    }
  }

  /** @param answers in the order of `entries`, possibly fewer */
  private settle(entries: OutboxEntry[], answers: Omit<DecisionOutcome, "decision">[]): void {
    // Only the known fields: a newer server may send others.
    const outcomes = entries.slice(0, answers.length).flatMap(({ decision }, i): DecisionOutcome[] => {
      const { result, detail, code, post } = answers[i] ?? {};
      return result ? [{ decision, result, detail, code, post: post ?? null }] : [];
    });
    if (outcomes.length === 0)
      throw new ApiFailure({ status: 502, detail: "The server's answer says nothing" });
    const answered = new Set(entries.slice(0, outcomes.length).map(({ key }) => key));
    this.entries = this.entries.filter(({ key }) => !answered.has(key));
    if (this.state.status !== "trouble") this.failures = 0;
    for (const key of answered) {
      this.unsaved.delete(key);
      this.storage?.removeItem(key);
    }
    this.setSending();
    for (const listener of this.outcomeListeners) listener(outcomes);
  }

  private scheduleRetry(failure: ApiFailure): void {
    this.failures += 1;
    if (failure.status === 500) this.moveFirstPostToEnd();
    this.setStatus(statusOf(failure));
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.failures - 1));
    const asked = (failure.retryAfter ?? 0) * 1000;
    // Jitter spreads the retries of clients that were cut off together.
    const wait = Math.max(pause, Math.min(asked, 60_000)) * (1 + Math.random() / 4);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), wait);
  }

  /** A decision that the server cannot store must not block other posts. Later decisions on its post move with it. */
  private moveFirstPostToEnd(): void {
    const isOfFirst = ({ decision }: OutboxEntry) => decision.post_id === this.entries[0]?.decision.post_id;
    this.entries = [...this.entries.filter((each) => !isOfFirst(each)), ...this.entries.filter(isOfFirst)];
  }

  /** A failure stays on the screen while it is retried: most retries fail, too. */
  private setSending(): void {
    this.setStatus(this.failures === 0 ? "sending" : this.state.status);
  }

  private setStatus(wanted: OutboxStatus): void {
    const waiting = this.entries.length;
    const at_risk = this.unsaved.size > 0;
    const status = waiting === 0 ? "saved" : wanted;
    const { state } = this;
    if (state.status === status && state.waiting === waiting && state.at_risk === at_risk) return;
    this.state = { status, waiting, at_risk };
    for (const listener of this.listeners) listener();
  }
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

/** An unreadable entry would block all later ones. */
function parseDecision(text: string | null): Decision | null {
  try {
    const decision = JSON.parse(text ?? "") as Decision | null;
    return typeof decision?.id === "string" ? decision : null;
  } catch {
    return null;
  }
}
