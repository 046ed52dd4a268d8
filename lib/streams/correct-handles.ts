import { recordAudit } from "#lib/audit/record-audit.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { renameExamples } from "#lib/checks/training/rename-examples.ts";
import { copyOptOuts, dropOldOptOuts, holdRenamed } from "#lib/consent/rename-authors.ts";
import { Prisma, type Tx } from "#lib/db.ts";
import { changeBlockLists, type BlockChange } from "#lib/filters/block-changes.ts";
import { copyBlocks } from "#lib/filters/rename-authors.ts";
import {
  endHandleChange,
  isRenamed,
  lockHandleChange,
  noteHandleChangeStarted,
  renamed,
  type HandleChange,
} from "#lib/hosts/handle-changes.ts";
import { renamePosts } from "#lib/ingest/rename-posts.ts";
import { renameStandings } from "#lib/review/rename-authors.ts";
import { renameFigures } from "#lib/stats/rename-authors.ts";

/** Posts in one transaction. */
const BATCH = 200;

type Step = "more" | "done" | "busy" | "none";

/**
 * Corrects stored handles once a server's domain is known: first block lists, opt-outs and consent lists get the new
 * handles, then posts and queue entries in batches, at last standings and figures. A killed process repeats one batch.
 */
export async function correctHandles(limits: {
  deadline: Date;
  signal?: AbortSignal | undefined;
}): Promise<{ worked: boolean }> {
  for (let worked = false; ; worked = true) {
    if (limits.signal?.aborted === true || Date.now() >= limits.deadline.getTime()) return { worked };
    const step = await changeBlockLists(servicePrincipal, correctSome);
    if (step === "none" || step === "busy") return { worked };
  }
}

async function correctSome(tx: Tx): Promise<{ result: Step; changes: BlockChange[] }> {
  const change = await lockHandleChange(tx);
  if (change === null) return { result: "none", changes: [] };
  if (!change.started) return { result: "more", changes: await start(tx, change) };
  const { authors, more } = await renamePosts(tx, change, BATCH);
  if (authors.length > 0) {
    await renameExamples(tx, authors, change);
    return { result: "more", changes: await holdRenamed(tx, authors) };
  }
  // Other transactions lock the last posts.
  if (more) return { result: "busy", changes: [] };
  await finish(tx, change);
  return { result: "done", changes: [] };
}

async function start(tx: Tx, change: HandleChange): Promise<BlockChange[]> {
  const changes = [...(await copyBlocks(tx, change)), ...(await copyOptOuts(tx, change))];
  await extendConsentLists(tx, change);
  await noteHandleChangeStarted(tx, change.id);
  return changes;
}

async function finish(tx: Tx, change: HandleChange): Promise<void> {
  await dropOldOptOuts(tx, change);
  await renameStandings(tx, change);
  await renameFigures(tx, change);
  await endHandleChange(tx, change.id);
  await recordAudit(tx, servicePrincipal, {
    action: "author.rename",
    subject: change.before,
    before: { handle: change.before },
    after: { handle: change.after },
  });
}

/** Entries are `@user@host`. */
async function extendConsentLists(tx: Tx, change: HandleChange): Promise<void> {
  const key = Prisma.sql`substr(entry, 2)`;
  await tx.$executeRaw`
    UPDATE stream SET consent_list = consent_list || more.entries
      FROM (SELECT s.id, array_agg('@' || ${renamed(key, change)} ORDER BY entry) AS entries
              FROM stream s, unnest(s.consent_list) entry
             WHERE ${isRenamed(key, change)} AND NOT ('@' || ${renamed(key, change)}) = ANY (s.consent_list)
             GROUP BY s.id) more
     WHERE stream.id = more.id`;
}
