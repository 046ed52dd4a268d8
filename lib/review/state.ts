import type { QueueState } from "#lib/queue/states.ts";

/** See docs/api.md#review-and-queue-states. */
export const reviewStates = ["unreviewed", "rejected", "pending", "reserved", "delivered", "error"] as const;
export type ReviewState = (typeof reviewStates)[number];

/** True approves, false rejects, null makes unreviewed. */
export const verdicts = [true, false, null] as const;
export type Verdict = (typeof verdicts)[number];

/** What a verdict does. A `change` is one history line; `queue`: what happens to the queue entry. */
export type Outcome =
  | {
      kind: "change";
      action: "approve" | "reject" | "unreview";
      to: ReviewState;
      queue: "enter" | "leave" | "stay";
    }
  | { kind: "none" }
  | { kind: "refused" };

const none: Outcome = { kind: "none" };
/** Error 409. */
const refused: Outcome = { kind: "refused" };
const approve: Outcome = { kind: "change", action: "approve", to: "pending", queue: "enter" };
const reject = (queue: "leave" | "stay"): Outcome => ({
  kind: "change",
  action: "reject",
  to: "rejected",
  queue,
});
const unreview = (queue: "leave" | "stay"): Outcome => ({
  kind: "change",
  action: "unreview",
  to: "unreviewed",
  queue,
});

const table: Record<ReviewState, Record<"approve" | "reject" | "unreview", Outcome>> = {
  unreviewed: { approve, reject: reject("stay"), unreview: none },
  rejected: { approve, reject: none, unreview: unreview("stay") },
  pending: { approve: none, reject: reject("leave"), unreview: unreview("leave") },
  reserved: { approve: none, reject: refused, unreview: refused },
  delivered: { approve: none, reject: refused, unreview: refused },
  // Requeue is its own operation.
  error: { approve: none, reject: reject("leave"), unreview: refused },
};

/** `expected` in the text of error 409. */
export const EXPECTED_STATE = "pending";

/** What a verdict does to a post in this state. */
export function outcomeOf(state: ReviewState, verdict: Verdict): Outcome {
  return table[state][verdict === null ? "unreview" : verdict ? "approve" : "reject"];
}

/** State of a post, from its review and the state of its queue entry. */
export function reviewStateOf(approved: boolean | null, queue: QueueState | null): ReviewState {
  if (queue !== null) return queue;
  if (approved === null) return "unreviewed";
  return approved ? "pending" : "rejected";
}
