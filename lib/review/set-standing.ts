import type { Principal } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { authorKeyOf, getAuthor } from "./get-author.ts";
import { inTransaction } from "#lib/transaction.ts";
import type { Author, Standing } from "./author-schema.ts";

/**
 * Says how an author stands: `trusted` is shown to reviewers, `muted` puts their posts behind all others in the
 * deck, `none` takes it back. Nothing is approved or rejected by it.
 * @throws author_not_found when `account` is not `user@host`
 */
export async function setStanding(
  principal: Principal,
  account: string,
  standing: Standing,
): Promise<Author> {
  const key = authorKeyOf(account);
  await inTransaction(async (tx) => {
    const before = (await tx.author_standing.findUnique({ where: { author_key: key } }))?.standing ?? "none";
    if (before === standing) return;
    if (standing === "none") {
      await tx.author_standing.deleteMany({ where: { author_key: key } });
    } else {
      const row = { standing, set_by: principal.label, set_at: new Date() };
      await tx.author_standing.upsert({
        where: { author_key: key },
        create: { author_key: key, ...row },
        update: row,
      });
    }
    await recordAudit(tx, principal, {
      action: "author.standing",
      subject: `@${key}`,
      before: { standing: before },
      after: { standing },
    });
  });
  return getAuthor(account);
}
