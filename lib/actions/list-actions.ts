import type { Principal } from "#lib/auth/principal.ts";
import { toIso } from "#lib/clock.ts";
import type { ActionKinds, Outlook } from "./action-kind.ts";
import { describeLimits } from "./limits.ts";
import { actionRows, type ActionRow } from "./sql.ts";
import { type Action, type ActionList, type ActionQuery, actionKindNames } from "./schema.ts";

/** The caller's own, newest first. */
export async function listActions(
  principal: Principal,
  query: ActionQuery,
  kinds: ActionKinds,
): Promise<ActionList> {
  const { cursor, limit, this_session, undone } = query;
  const rows = await actionRows(principal, {
    before: cursor === undefined ? undefined : BigInt(cursor),
    session_id: this_session === true ? (principal.session_id ?? undefined) : undefined,
    undone,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit).filter((row) => row.kind in kinds);
  const outlooks = await outlooksOf(page, kinds);
  const items = page.map((row) => serialize(row, outlooks.get(row.id), principal));
  return { items, next_cursor: rows.length > limit ? String(rows[limit - 1]?.seq) : null };
}

async function outlooksOf(rows: readonly ActionRow[], kinds: ActionKinds): Promise<Map<string, Outlook>> {
  const found = await Promise.all(
    actionKindNames.map(async (kind) => {
      const some = rows.filter((row) => row.kind === kind);
      return some.length === 0 ? [] : [...(await kinds[kind].outlook(some))];
    }),
  );
  return new Map(found.flat());
}

function serialize(row: ActionRow, outlook: Outlook | undefined, principal: Principal): Action {
  const isOpen = row.undone_at === null;
  const restorable = isOpen ? (outlook?.restorable ?? 0) : 0;
  const limits = (isOpen ? outlook?.limits : row.undo?.limits) ?? {};
  return {
    id: row.id,
    kind: row.kind,
    at: toIso(row.at),
    this_session: row.session_id !== null && row.session_id === principal.session_id,
    changed: row.changed,
    details: row.details,
    post: outlook?.post ?? null,
    undone_at: toIso(row.undone_at),
    undoable: restorable > 0 || (isOpen && limits.edited !== undefined),
    restorable,
    limits: describeLimits(limits, row.changed),
  };
}
