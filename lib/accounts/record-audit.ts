import { Prisma, type Tx } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";

export interface AuditEvent {
  /** `stream.create`, `key.revoke`, `member.role`, `settings.update`, `queue.trim`, … */
  action: string;
  /** Readable without a look-up: `#cats on mastodon.social`. */
  subject: string;
  before?: Prisma.InputJsonValue | null;
  after?: Prisma.InputJsonValue | null;
}

/** Writes a line of the audit log. Call it in the transaction of the change. Never put secrets into `before` or `after`. */
export async function recordAudit(tx: Tx, actor: Actor, event: AuditEvent): Promise<void> {
  await tx.audit_event.create({
    data: {
      actor: actor.label,
      member_id: actor.member_id,
      api_key_id: actor.key_id,
      source: actor.source,
      action: event.action,
      subject: event.subject,
      before: event.before ?? Prisma.DbNull,
      after: event.after ?? Prisma.DbNull,
    },
  });
}
