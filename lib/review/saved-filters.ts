import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import { toIso } from "#lib/clock.ts";
import { ownerFor, type Principal } from "#lib/auth/principal.ts";
import { db, type Prisma, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { inTransaction } from "#lib/transaction.ts";
import type { SavedFilter, SavedFilterInput } from "./saved-filter-schema.ts";

interface FilterRow {
  id: number;
  member_id: number;
  name: string;
  filter: unknown;
  shared: boolean;
  created_at: Date;
  updated_at: Date;
}

/** The member's own filters, then shared ones of others. A key sees those of its creator. */
export async function listSavedFilters({ member_id }: Pick<Principal, "member_id">): Promise<SavedFilter[]> {
  const rows = await db.saved_filter.findMany({
    where: { OR: [{ member_id }, { shared: true }] },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  const ownersOf = await readOwners(rows);
  const filters = rows.map((row) => serialise(row, member_id, ownersOf(row).name));
  return [...filters.filter((each) => each.own), ...filters.filter((each) => !each.own)];
}

/**
 * @throws saved_filter_exists, unless `replace` is set
 */
export async function saveFilter(
  principal: Principal,
  input: SavedFilterInput,
): Promise<{ filter: SavedFilter; created: boolean }> {
  const { member_id } = principal;
  const name = input.name.trim();
  const values = { filter: input.filter, shared: input.shared };
  const { row, former } = await inTransaction(async (tx) => {
    // The unique index decides between concurrent requests.
    const [fresh] = await tx.saved_filter.createManyAndReturn({
      data: [{ member_id, name, ...values }],
      skipDuplicates: true,
    });
    const former = fresh === undefined ? await lockFilter(tx, { member_id, name }) : null;
    if (former !== null && !input.replace) throw new ApiError("saved_filter_exists", { name });
    if (former !== null && isSame(former, values)) return { row: former, former };
    const row = fresh ?? (await replaceFilter(tx, { member_id, name }, values));
    await recordFilter(tx, principal, former === null ? "save" : "replace", former, row);
    return { row, former };
  });
  const ownersOf = await readOwners([row]);
  return { filter: serialise(row, member_id, ownersOf(row).name), created: former === null };
}

function isSame(row: FilterRow, { filter, shared }: Pick<FilterRow, "filter" | "shared">): boolean {
  const inOrder = (of: unknown) => JSON.stringify(Object.entries(of as object).sort());
  return row.shared === shared && inOrder(row.filter) === inOrder(filter);
}

async function replaceFilter(
  tx: Tx,
  key: FilterKey,
  values: { filter: Prisma.InputJsonObject; shared: boolean },
): Promise<FilterRow> {
  const data = { ...values, updated_at: new Date() };
  return tx.saved_filter.update({ where: { member_id_name: key }, data });
}

/**
 * With `manage` also shared filters of others.
 *
 * @throws saved_filter_not_found
 */
export async function deleteSavedFilter(
  principal: Principal,
  which: { name?: string | undefined; id?: number | undefined },
): Promise<void> {
  const own = { member_id: principal.member_id };
  const where = {
    ...(which.name === undefined ? {} : { name: which.name.trim(), ...own }),
    ...(which.id === undefined ? {} : { id: which.id }),
    ...(ownerFor(principal) === null ? { OR: [own, { shared: true }] } : own),
  };
  await inTransaction(async (tx) => {
    const found = await tx.saved_filter.findFirst({ where });
    const former = found && (await lockFilter(tx, found));
    const { count } = former === null ? { count: 0 } : await tx.saved_filter.deleteMany({ where });
    if (former === null || count === 0) throw new ApiError("saved_filter_not_found");
    await recordFilter(tx, principal, "delete", former, null);
  });
}

type FilterKey = Pick<FilterRow, "member_id" | "name">;

async function lockFilter(tx: Tx, { member_id, name }: FilterKey): Promise<FilterRow | null> {
  await tx.$executeRaw`SELECT FROM saved_filter WHERE member_id = ${member_id} AND name = ${name} FOR UPDATE`;
  return tx.saved_filter.findUnique({ where: { member_id_name: { member_id, name } } });
}

/** `before` of a change. Times are ISO texts. */
interface FilterBefore {
  key: FilterKey;
  former: Record<keyof FilterRow, unknown> | null;
  /** `updated_at` of the filter that the change stored; null when it was deleted. */
  stored: string | null;
}

async function recordFilter(
  tx: Tx,
  principal: Principal,
  change: "save" | "replace" | "delete",
  former: FilterRow | null,
  stored: FilterRow | null,
): Promise<void> {
  const { member_id, name } = (former ?? stored) as FilterKey;
  const before = { key: { member_id, name }, former, stored: stored?.updated_at ?? null };
  await recordAction(tx, principal, {
    kind: "saved_filter",
    changed: 1,
    details: { change, name },
    before: JSON.parse(JSON.stringify(before)) as Prisma.InputJsonObject,
  });
}

const beforeOf = ({ before }: StoredAction) => before as FilterBefore;

function outlookOf(action: StoredAction, now: FilterRow | null): Outlook {
  const isUnchanged = (now?.updated_at.toISOString() ?? null) === beforeOf(action).stored;
  return isUnchanged ? { restorable: 1, limits: {} } : { restorable: 0, limits: { changed_again: 1 } };
}

/** Restores the former filter, or removes a new one, unless it changed again. */
export const savedFilterKind: ActionKind = {
  scope: "review",
  outlook: async (actions) => {
    const rows = await db.saved_filter.findMany({
      where: { OR: actions.map((action) => beforeOf(action).key) },
    });
    const find = ({ member_id, name }: FilterKey) =>
      rows.find((row) => row.member_id === member_id && row.name === name) ?? null;
    return new Map(actions.map((action) => [action.id, outlookOf(action, find(beforeOf(action).key))]));
  },
  undo: async (tx, _principal, action) => {
    const { key, former } = beforeOf(action);
    const now = await lockFilter(tx, key);
    const { restorable, limits } = outlookOf(action, now);
    if (restorable === 0) return { restored: 0, limits };
    if (now !== null) await tx.saved_filter.delete({ where: { id: now.id } });
    const { count } =
      former === null
        ? { count: 1 }
        : await tx.saved_filter.createMany({ data: [former as never], skipDuplicates: true });
    return count === 1 ? { restored: 1, limits } : { restored: 0, limits: { changed_again: 1 } };
  },
};

async function readOwners(rows: { member_id: number }[]) {
  const members = await db.member.findMany({
    where: { id: { in: [...new Set(rows.map((row) => row.member_id))] } },
    select: { id: true, name: true, email: true },
  });
  const byId = new Map(members.map((member) => [member.id, member]));
  return (row: { member_id: number }) => byId.get(row.member_id) ?? { name: "", email: "" };
}

function serialise(row: FilterRow, memberId: number, owner: string): SavedFilter {
  return {
    id: row.id,
    name: row.name,
    filter: row.filter as Record<string, unknown>,
    shared: row.shared,
    own: row.member_id === memberId,
    owner,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}
