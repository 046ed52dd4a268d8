import type { Metadata } from "next";
import { MoveInPanel } from "#components/settings/move-in/move-in-panel.tsx";
import { words } from "#components/words/en.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { env } from "#lib/env.ts";
import { readImportState } from "#lib/import-fenliu/uploads.ts";

export const metadata: Metadata = { title: words.moveIn.title };

export default async function MoveInPage() {
  await requireRole("admin");
  return <MoveInPanel state={env().VERCEL === undefined ? readImportState() : null} />;
}
