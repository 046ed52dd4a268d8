import type { Metadata } from "next";
import { QualityBoard } from "#components/checks/quality-board.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { getQuality } from "#lib/checks/quality/quality.ts";

export const metadata: Metadata = { title: words.checks.title };

export default async function ChecksQualityPage() {
  await requireMember();
  return <QualityBoard quality={await getQuality()} />;
}
