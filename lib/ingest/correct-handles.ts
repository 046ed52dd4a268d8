import { recordAudit } from "#lib/audit/record-audit.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { db, type Tx } from "#lib/db.ts";
import { changeBlockLists, type BlockChange, type ListChange } from "#lib/filters/block-changes.ts";
import { searchLexemes } from "#lib/search/tokens.ts";

/** Posts in one transaction. */
const BATCH = 200;

type Step = "more" | "done" | "busy" | "none";

export async function isHandleChangeOpen(): Promise<boolean> {
  return (await db.handle_change.findFirst({ select: { id: true } })) !== null;
}

/**
 * Corrects stored handles once a server's domain is known (prisma/functions/rename-authors.sql): first block lists, opt-outs
 * and consent lists get the new handles, then posts and queue entries in batches, at last standings and figures. A killed
 * process repeats one batch.
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

async function correctSome(tx: Tx): Promise<ListChange<Step>> {
  const [change] = await tx.$queryRaw<{ id: number; before: string; after: string; started: boolean }[]>`
    SELECT id, before, after, started FROM handle_change ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
  if (change === undefined) return { result: "none", changes: [] };
  const { id, before, after, started } = change;
  if (!started) {
    const changes = await tx.$queryRaw<BlockChange[]>`
      SELECT b.* FROM handle_change c, begin_rename(c) b WHERE c.id = ${id}`;
    return { result: "more", changes };
  }
  const [{ step }] = await tx.$queryRaw<[{ step: Step }]>`
    SELECT rename_posts(c, ${lexemesOf(after)}::text[], ${BATCH}::int) AS step FROM handle_change c WHERE c.id = ${id}`;
  if (step === "done") {
    await tx.$executeRaw`SELECT finish_rename(c) FROM handle_change c WHERE c.id = ${id}`;
    await recordAudit(tx, servicePrincipal, {
      action: "author.rename",
      subject: before,
      before: { handle: before },
      after: { handle: after },
    });
  }
  return { result: step, changes: [] };
}

function lexemesOf(account: string): string[] {
  return searchLexemes({
    plain_text: "",
    spoiler_text: null,
    author_display_name: "",
    author_account: account,
    hashtags: [],
    media: [],
  });
}
