import type { Metadata } from "next";
import { ChecksPanel } from "#components/settings/checks/checks-panel.tsx";
import { WordsPanel } from "./words-panel.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getChecksSettings } from "#lib/checks/score/show-settings.ts";
import { listWords } from "#lib/checks/words/word-list.ts";

export const metadata: Metadata = { title: "Checks" };

export default async function ChecksPage() {
  await requireMember();
  const [settings, listed] = await Promise.all([getChecksSettings(), listWords()]);
  return (
    <div className="space-y-6">
      <ChecksPanel settings={settings} />
      <WordsPanel words={listed} />
    </div>
  );
}
