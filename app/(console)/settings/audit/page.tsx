import type { Metadata } from "next";
import { readLogAddress } from "#app/(console)/settings/log-address.ts";
import { AuditBoard } from "#components/settings/audit/audit-board.tsx";
import { AuditQuery } from "#lib/accounts/audit-schema.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { listAudit } from "#lib/accounts/list-audit.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { time_zone: zone, role } = await requireMember();
  const { query, ...view } = readLogAddress(AuditQuery, ["action", "actor"], await searchParams, zone);
  return <AuditBoard log={await listAudit({ scopes: scopesOf(role) }, query)} {...view} />;
}
