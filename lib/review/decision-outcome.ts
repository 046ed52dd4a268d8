import type { Principal } from "#lib/auth/principal.ts";
import type { Prisma } from "#lib/db.ts";
import type { LockedPost } from "./decide-posts.ts";
import type { Decision } from "./decision-schema.ts";

/** What became of a decision, and what an undo of it has to know. */
export interface DecisionOutcome {
  result: "applied" | "conflict" | "not_found";
  detail?: string;
  before_approved?: boolean | null;
  reviewed_at?: Date | null;
}

/** The history line: reason and note together for people, apart for machines. */
export function lineOf(decision: Decision): { note: string | null; details: Prisma.InputJsonObject } {
  const said = [decision.reason, decision.note].filter((part) => part != null && part !== "");
  return {
    note: said.length > 0 ? said.join(": ") : null,
    details: {
      decision_id: decision.id,
      ...(decision.reason == null ? {} : { reason: decision.reason }),
      ...(decision.decided_at == null ? {} : { decided_at: decision.decided_at }),
    },
  };
}

/** A sentence when another person has decided on the post. What a rule decided anybody may decide again. */
export function decidedByOther({ post }: LockedPost, principal: Principal): string | null {
  if (post.approved === null || post.reviewed_by_member === null) return null;
  if (post.reviewed_by_member === principal.member_id) return null;
  return `Already ${post.approved ? "approved" : "rejected"} by ${post.reviewed_by ?? "somebody else"}`;
}
