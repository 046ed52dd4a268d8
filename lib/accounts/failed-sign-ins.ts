import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { recordAudit } from "./record-audit.ts";
import type { ClientInfo } from "./client-info.ts";
import { countFailure } from "./sign-in-throttle.ts";
import { memberLabel } from "./serialize-member.ts";

export type FailedSignIn = {
  /** Null when the address belongs to no member. */
  member: { id: number; name: string; email: string } | null;
  way: "password" | "password change" | "github" | "oidc";
  client: ClientInfo;
};

/**
 * Each failure is a line of the log, and the 1st, 10th, 100th … of a member, or of unknown accounts, one of the audit
 * log, so that an attacker cannot fill it. Neither has anything that was typed.
 */
export async function noteFailedSignIn({ member, way, client }: FailedSignIn): Promise<void> {
  const failures = await countFailure(member === null ? "unknown" : `member:${member.id}`);
  log.warn({ member_id: member?.id ?? null, way, ...client, failures }, "sign-in failed");
  if (!isPowerOfTen(failures)) return;
  await recordAudit(db, servicePrincipal, {
    action: "member.sign_in_failed",
    subject: member === null ? "An unknown account" : memberLabel(member),
    after: { failures, way, ...client },
  });
}

function isPowerOfTen(value: number): boolean {
  return Number.isInteger(Math.log10(value));
}
