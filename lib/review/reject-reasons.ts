import { recordAudit } from "#lib/accounts/record-audit.ts";
import { isoTimes } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { learner } from "#lib/checks/learner/learn.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import {
  MAX_REASONS,
  type RejectReason,
  type RejectReasonCreate,
  type RejectReasonUpdate,
} from "./reject-reason-schema.ts";

/* The team's list. A reason is never deleted: posts, history and figures name it. */

/** Reasons in use in the order of their keys, then archived ones. */
export async function listRejectReasons(tx: Tx = db): Promise<RejectReason[]> {
  const rows = await tx.reject_reason.findMany({
    orderBy: [{ place: { sort: "asc", nulls: "last" } }, { id: "asc" }],
    omit: { updated_at: true },
  });
  return rows.map(isoTimes) as RejectReason[];
}

/**
 * Adds a reason behind the others.
 *
 * @throws reject_reason_exists, reject_reasons_full
 */
export async function addRejectReason(actor: Actor, values: RejectReasonCreate): Promise<RejectReason> {
  return db.$transaction(async (tx) => {
    const all = await lockReasons(tx);
    requireUnusedLabel(all, values.label);
    const place = all.filter(isInUse).length + 1;
    if (place > MAX_REASONS) throw new ApiError("reject_reasons_full", { count: MAX_REASONS });
    const { id } = await tx.reject_reason.create({ data: { ...values, place }, select: { id: true } });
    const after = { ...values, place, archived: false };
    await recordAudit(tx, actor, { action: "reject_reason.create", subject: values.label, after });
    return { id, ...values, place, archived_at: null };
  });
}

/**
 * Changes, moves, archives or restores a reason. Absent fields stay; the other reasons move up or down.
 *
 * @throws reject_reason_not_found, reject_reason_exists, reject_reasons_full
 */
export async function changeRejectReason(
  actor: Actor,
  id: number,
  change: RejectReasonUpdate,
): Promise<RejectReason> {
  return db.$transaction(async (tx) => {
    const all = await lockReasons(tx);
    const reason = all.find((each) => each.id === id);
    if (reason === undefined) throw new ApiError("reject_reason_not_found");
    const { label = reason.label, about = reason.about, archived = !isInUse(reason) } = change;
    requireUnusedLabel(all, label, id);
    if (archived && change.place !== undefined)
      throw validationError([{ path: "place", message: "is for a reason in use" }]);
    const order = all.filter((each) => isInUse(each) && each.id !== id);
    if (!archived) {
      if (order.length >= MAX_REASONS) throw new ApiError("reject_reasons_full", { count: MAX_REASONS });
      order.splice((change.place ?? reason.place ?? MAX_REASONS) - 1, 0, reason);
    }
    const placeOf = (of: RejectReason) => (order.includes(of) ? order.indexOf(of) + 1 : null);
    const before = {
      label: reason.label,
      about: reason.about,
      place: reason.place,
      archived: !isInUse(reason),
    };
    const after = { label, about, place: placeOf(reason), archived };
    // The learner reads all decisions again: a reason that is not about texts teaches no words.
    if (about !== reason.about) await learner.set({ cursor: 0 }, tx);
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      for (const each of all) {
        const place = placeOf(each);
        if (each.id !== id && place === each.place) continue;
        const own = each.id === id ? { label, about } : {};
        const archived_at = place === null ? (each.archived_at ?? new Date()) : null;
        const data = { ...own, place, archived_at, updated_at: new Date() };
        await tx.reject_reason.update({ where: { id: each.id }, data, select: { id: true } });
      }
      await recordAudit(tx, actor, { action: "reject_reason.update", subject: label, before, after });
    }
    return (await listRejectReasons(tx)).find((each) => each.id === id) ?? reason;
  });
}

/** Whether the reason is not archived. */
export const isInUse = (reason: RejectReason): boolean => reason.place !== null;

/** Locks the list against other changes of it. Reviews do not wait. */
async function lockReasons(tx: Tx): Promise<RejectReason[]> {
  await tx.$executeRaw`LOCK TABLE reject_reason IN SHARE ROW EXCLUSIVE MODE`;
  return listRejectReasons(tx);
}

function requireUnusedLabel(all: readonly RejectReason[], label: string, ownId?: number): void {
  const isTaken = all.some((each) => each.id !== ownId && each.label.toLowerCase() === label.toLowerCase());
  if (isTaken) throw new ApiError("reject_reason_exists", { label });
}

/** A request that names a reason. With `decided_at`, a reason that was archived later is valid. */
interface Wanted {
  reject_reason?: number | null | undefined;
  decided_at?: string | null | undefined;
}

/**
 * Checks that the named reasons can be used.
 *
 * @param path of the field in the request, by the index of the decision
 * @throws validation
 */
export async function requireRejectReasons(
  wanted: readonly Wanted[],
  path: (index: number) => string = () => "reject_reason",
): Promise<void> {
  if (wanted.every(({ reject_reason: id }) => id == null)) return;
  const known = new Map((await listRejectReasons()).map((reason) => [reason.id, reason]));
  const errors = wanted.flatMap(({ reject_reason: id, decided_at: at }, index) => {
    if (id == null) return [];
    const reason = known.get(id);
    if (reason === undefined) return [{ path: path(index), message: "is not the id of a reason" }];
    const { archived_at: end } = reason;
    const isUsable = end === null || (at != null && Date.parse(at) < Date.parse(end));
    return isUsable ? [] : [{ path: path(index), message: "is the id of an archived reason" }];
  });
  if (errors.length > 0) throw validationError(errors);
}
