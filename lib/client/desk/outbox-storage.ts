import type { Decision } from "#lib/review/decision-schema.ts";
import { outboxPrefix } from "./outbox-prefix.ts";

/** `key` sorts by time of decision. */
export interface OutboxEntry {
  key: string;
  decision: Decision;
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

  /** @returns false when it is only held in memory */
  add(decision: Decision, now = Date.now()): { entry: OutboxEntry; kept: boolean } {
    const entry = { key: this.nextKey(now), decision };
    try {
      if (this.place === null) throw new Error("no storage");
      this.place.setItem(entry.key, JSON.stringify(decision));
      return { entry, kept: true };
    } catch {
      this.unkept.set(entry.key, decision);
      return { entry, kept: false };
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
    if (this.place === null) return [];
    const keys: string[] = [];
    for (let i = 0; i < this.place.length; i++) {
      const key = this.place.key(i);
      if (key?.startsWith(this.prefix)) keys.push(key);
    }
    return keys;
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

/** Null where storage is disabled. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
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
