import type { QueueState } from "#lib/queue/states.ts";

/** Where a post stands, review and queue seen as one (contract §2 "Review and queue together"). */
export const reviewStates = ["unreviewed", "rejected", "pending", "reserved", "delivered", "error"] as const;
export type ReviewState = (typeof reviewStates)[number];

/** What a reviewer may want: approve, reject, back to unreviewed. */
export const verdicts = [true, false, null] as const;
export type Verdict = (typeof verdicts)[number];

/** What a verdict does to a post in some state. Each `change` is one line of history. */
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
/** 409: the post is with a consumer, or was; only what still waits (`pending`) can be taken back. */
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
  // Requeue is its own operation, so approving a failed post changes nothing.
  error: { approve: none, reject: reject("leave"), unreview: refused },
};

/** The state of 409's `expected`. */
export const EXPECTED_STATE = "pending";

/** What a verdict does to a post in this state. */
export function decide(state: ReviewState, verdict: Verdict): Outcome {
  return table[state][verdict === null ? "unreview" : verdict ? "approve" : "reject"];
}

/** State out of the two facts that are stored. Whoever is in the queue is approved, whatever the post says. */
export function reviewStateOf(approved: boolean | null, queue: QueueState | null): ReviewState {
  if (queue !== null) return queue;
  if (approved === null) return "unreviewed";
  return approved ? "pending" : "rejected";
}
