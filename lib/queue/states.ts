export const queueStates = ["pending", "reserved", "delivered", "error"] as const;
export type QueueState = (typeof queueStates)[number];

/**
 * `late_ack` names the reservation that ended last, while nobody else has had the post. `release` is an operator's nack
 * that is not counted as a refusal.
 */
export const queueMoves = [
  "reserve",
  "ack",
  "late_ack",
  "nack",
  "time_out",
  "error",
  "extend",
  "release",
  "requeue",
  "mark_delivered",
] as const;
export type QueueMove = (typeof queueMoves)[number];

const moves: Record<QueueMove, { from: QueueState; to: QueueState }> = {
  reserve: { from: "pending", to: "reserved" },
  ack: { from: "reserved", to: "delivered" },
  late_ack: { from: "pending", to: "delivered" },
  nack: { from: "reserved", to: "pending" },
  time_out: { from: "reserved", to: "pending" },
  error: { from: "reserved", to: "error" },
  extend: { from: "reserved", to: "reserved" },
  release: { from: "reserved", to: "pending" },
  requeue: { from: "error", to: "pending" },
  mark_delivered: { from: "error", to: "delivered" },
};

export function expectedState(move: QueueMove): QueueState {
  return moves[move].from;
}

/** Null when the move is not legal (409). `unreviewed` and `rejected` posts are not in the queue. */
export function nextQueueState(
  state: QueueState | "unreviewed" | "rejected",
  move: QueueMove,
): QueueState | null {
  return moves[move].from === state ? moves[move].to : null;
}
