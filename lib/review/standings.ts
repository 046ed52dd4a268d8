import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import type { Actor } from "#lib/auth/principal.ts";
import { db, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { firstBlockOf } from "#lib/filters/find-blocks.ts";
import { lockStanding } from "./author-sql.ts";
import type { Standing } from "./author-schema.ts";

/** `before` of a change; the former row is null for the standing `none`. */
interface StandingBefore {
  author_key: string;
  former: { standing: string; set_by: string; set_at: string } | null;
}

/** @throws author_blocked for trust */
export async function changeStanding(
  tx: Tx,
  actor: Actor,
  author_key: string,
  standing: Standing,
): Promise<void> {
  const block = await firstBlockOf(tx, author_key);
  await lockStanding(tx, author_key);
  const former = await tx.author_standing.findUnique({ where: { author_key } });
  if ((former?.standing ?? "none") === standing) return;
  if (standing === "trusted" && block !== null)
    throw new ApiError("author_blocked", { account: `@${author_key}`, block });
  const row = standing === "none" ? null : { standing, set_by: actor.label, set_at: new Date() };
  await storeStanding(tx, actor, author_key, former, row);
  const before = {
    author_key,
    former: former && {
      standing: former.standing,
      set_by: former.set_by,
      set_at: former.set_at.toISOString(),
    },
  } satisfies StandingBefore;
  const details = { account: `@${author_key}`, from: former?.standing ?? "none", to: standing };
  await recordAction(tx, actor, { kind: "standing", changed: 1, details, before });
}

/** Restores the former standing, unless it changed again or would be trust in a blocked author. */
export const standingKind: ActionKind = {
  scope: "manage",
  outlook: async (actions) => {
    const keys = actions.map((action) => beforeOf(action).author_key);
    const rows = await db.author_standing.findMany({ where: { author_key: { in: keys } } });
    const now = new Map(rows.map((row) => [row.author_key, row.standing]));
    return new Map(
      actions.map((action) => [action.id, outlookOf(action, now.get(beforeOf(action).author_key))]),
    );
  },
  undo: async (tx, actor, action) => {
    const { author_key, former } = beforeOf(action);
    const block = await firstBlockOf(tx, author_key);
    await lockStanding(tx, author_key);
    const now = await tx.author_standing.findUnique({ where: { author_key } });
    const isRefused = former?.standing === "trusted" && block !== null;
    const { restorable, limits } = isRefused ? changedAgain : outlookOf(action, now?.standing);
    if (restorable > 0) {
      const row = former && { ...former, set_at: new Date(former.set_at) };
      await storeStanding(tx, actor, author_key, now, row);
    }
    return { restored: restorable, limits };
  },
};

const changedAgain: Outlook = { restorable: 0, limits: { changed_again: 1 } };

const beforeOf = ({ before }: StoredAction) => before as StandingBefore;

function outlookOf({ details }: StoredAction, now = "none"): Outlook {
  return details["to"] === now ? { restorable: 1, limits: {} } : changedAgain;
}

async function storeStanding(
  tx: Tx,
  actor: Actor,
  author_key: string,
  before: { standing: string } | null,
  row: { standing: string; set_by: string; set_at: Date } | null,
): Promise<void> {
  if (row === null) await tx.author_standing.deleteMany({ where: { author_key } });
  else
    await tx.author_standing.upsert({ where: { author_key }, create: { author_key, ...row }, update: row });
  await recordAudit(tx, actor, {
    action: "author.standing",
    subject: `@${author_key}`,
    before: { standing: before?.standing ?? "none" },
    after: { standing: row?.standing ?? "none" },
  });
}
