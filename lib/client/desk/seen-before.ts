import type { SeenBefore } from "#lib/media/schema.ts";
import type { Entry } from "./history.ts";

export type SeenItem = SeenBefore[number];

/** Applies the member's own decision on the earlier post, which the server may not know yet. */
export function withOwnDecision(item: SeenItem, history: readonly Entry[]): SeenItem {
  const entry = history.find(({ post_id, card }) => card !== null && post_id === item.post_id);
  if (!entry || entry.status === "conflict" || entry.decision === "skip") return item;
  if (entry.status === "undoing") return { ...item, approved: null, queue_status: null, reviewed_at: null };
  const approved = entry.decision === "approve";
  // Someone else changed the decision later.
  const later = item.reviewed_at !== null && Date.parse(item.reviewed_at) > Date.parse(entry.at);
  if (later || item.approved === approved) return item;
  return { ...item, approved, queue_status: approved ? "pending" : null, reviewed_at: entry.at };
}

export function byPost(items: readonly SeenItem[]): [SeenItem, ...SeenItem[]][] {
  const groups = new Map<number, [SeenItem, ...SeenItem[]]>();
  for (const item of items) {
    const group = groups.get(item.post_id);
    if (group) group.push(item);
    else groups.set(item.post_id, [item]);
  }
  return [...groups.values()];
}
