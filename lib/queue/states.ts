export const queueStates = ["pending", "reserved", "delivered", "error"] as const;
export type QueueState = (typeof queueStates)[number];
