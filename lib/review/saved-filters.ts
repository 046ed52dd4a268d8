import { toIso } from "#lib/clock.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
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
export async function listSavedFilters({ member_id }: Principal): Promise<SavedFilter[]> {
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
  { member_id }: Principal,
  input: SavedFilterInput,
): Promise<{ filter: SavedFilter; created: boolean }> {
  const name = input.name.trim();
  const values = { filter: input.filter, shared: input.shared };
  // The unique index decides between concurrent requests.
  const { count } = await db.saved_filter.createMany({
    data: [{ member_id, name, ...values }],
    skipDuplicates: true,
  });
  const where = { member_id_name: { member_id, name } };
  if (count === 0) {
    if (!input.replace) throw new ApiError("saved_filter_exists", { name });
    await db.saved_filter.update({ where, data: { ...values, updated_at: new Date() } });
  }
  const row = await db.saved_filter.findUniqueOrThrow({ where });
  const ownersOf = await readOwners([row]);
  return { filter: serialise(row, member_id, ownersOf(row).name), created: count === 1 };
}

/**
 * An admin may also delete shared filters of others.
 *
 * @throws saved_filter_not_found
 */
export async function deleteSavedFilter(
  principal: Principal,
  which: { name?: string | undefined; id?: number | undefined },
): Promise<void> {
  const own = { member_id: principal.member_id };
  const { count } = await db.saved_filter.deleteMany({
    where: {
      ...(which.name === undefined ? {} : { name: which.name.trim(), ...own }),
      ...(which.id === undefined ? {} : { id: which.id }),
      ...(principal.role === "admin" ? { OR: [own, { shared: true }] } : own),
    },
  });
  if (count === 0) throw new ApiError("saved_filter_not_found");
}

/** `owner` is an e-mail address. */
export async function exportSavedFilters(): Promise<
  Pick<SavedFilter, "owner" | "name" | "filter" | "shared" | "created_at">[]
> {
  const rows = await db.saved_filter.findMany({
    orderBy: [{ member_id: "asc" }, { name: "asc" }, { id: "asc" }],
  });
  const ownersOf = await readOwners(rows);
  return rows.map((row) => ({
    owner: ownersOf(row).email,
    name: row.name,
    filter: row.filter as Record<string, unknown>,
    shared: row.shared,
    created_at: toIso(row.created_at),
  }));
}

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
