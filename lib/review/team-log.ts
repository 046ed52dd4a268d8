import type { AuditLine } from "#lib/accounts/audit-schema.ts";
import { listAudit } from "#lib/accounts/list-audit.ts";
import { reviewActions, type ReviewLogLine, type ReviewLogQuery } from "./log-schema.ts";
import { listLog } from "./log.ts";

export type TeamLogLine = ({ kind: "decision" } & ReviewLogLine) | ({ kind: "change" } & AuditLine);

export interface TeamLogQuery extends Pick<
  ReviewLogQuery,
  "member_id" | "since" | "until" | "batch" | "limit"
> {
  /** `decisions`, `changes`, one action of a review, or the beginning of a change's action such as `stream`. */
  what?: string | undefined;
  cursor?: string | undefined;
}

/** Ids of the last decision and the last change that were shown. */
export const teamLogCursor = /^\d{0,18}-\d{0,18}$/;

const none = Promise.resolve({ items: [], next_cursor: null });

/**
 * Decisions and changes in one list, newest first. Each is read by id, along its own index, and the two are merged by
 * time: lines added meanwhile cause no gaps or repeats.
 */
export async function readTeamLog(
  reader: Parameters<typeof listAudit>[0],
  { what, batch, cursor = "-", ...shared }: TeamLogQuery,
): Promise<{ items: TeamLogLine[]; next_cursor: string | null }> {
  let [decision, change] = cursor.split("-").map((id) => id || undefined);
  const action = reviewActions.find((each) => each === what);
  const isDecisions = action !== undefined || what === "decisions" || batch !== undefined;
  const isAll = what === undefined && batch === undefined;
  const [decisions, changes] = await Promise.all([
    isAll || isDecisions ? listLog({ ...shared, action, batch, cursor: decision }) : none,
    isDecisions
      ? none
      : listAudit(reader, { ...shared, action: what === "changes" ? undefined : what, cursor: change }),
  ]);
  const [left, right] = [[...decisions.items], [...changes.items]];
  const items: TeamLogLine[] = [];
  while (items.length < shared.limit && left.length + right.length > 0) {
    if ((left[0]?.at ?? "") >= (right[0]?.at ?? "")) {
      const line = left.shift() as ReviewLogLine;
      items.push({ kind: "decision", ...line });
      decision = line.id;
    } else {
      const line = right.shift() as AuditLine;
      items.push({ kind: "change", ...line });
      change = line.id;
    }
  }
  const isMore = left.length + right.length > 0 || (decisions.next_cursor ?? changes.next_cursor) !== null;
  return { items, next_cursor: isMore ? `${decision ?? ""}-${change ?? ""}` : null };
}
