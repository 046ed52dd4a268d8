import type { Metadata } from "next";
import { AuditBoard } from "#components/settings/audit/audit-board.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { scopesOf } from "#lib/auth/permissions.ts";
import { listAudit } from "#lib/audit/list-audit.ts";
import { AuditQuery } from "#lib/audit/schema.ts";
import { readLogAddress } from "#app/(console)/settings/log-address.ts";

export const metadata: Metadata = { title: words.settings.audit.title };

export default async function AuditPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { time_zone: zone, role } = await requireMember();
  const { query, ...view } = readLogAddress(AuditQuery, ["action", "actor"], await searchParams, zone);
  return <AuditBoard log={await listAudit({ scopes: scopesOf(role) }, query)} {...view} />;
}
