import type { Metadata } from "next";
import { ReasonsBoard } from "#components/settings/reasons/reasons-board.tsx";
import { words } from "#components/words/en.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { listRejectReasons } from "#lib/review/reject-reasons.ts";

export const metadata: Metadata = { title: words.reasons.title };

export default async function ReasonsPage() {
  await requireRole("admin");
  return <ReasonsBoard reasons={await listRejectReasons()} />;
}
