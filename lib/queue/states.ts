export const queueStates = ["pending", "reserved", "delivered", "error"] as const;
export type QueueState = (typeof queueStates)[number];

/** A reservation cannot be extended beyond this time after it began. `queue_settle_many` holds the same number. */
export const MAX_RESERVED_SECONDS = 86_400;
