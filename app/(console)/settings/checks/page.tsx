import type { Metadata } from "next";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getChecksSettings } from "#lib/checks/score/show-checks.ts";
import { listWords } from "#lib/checks/words/word-list.ts";
import { ChecksPanel } from "./checks-panel.tsx";
import { WordsPanel } from "./words-panel.tsx";

export const metadata: Metadata = { title: "Checks" };

export default async function ChecksPage() {
  const { role } = await requireMember();
  if (role !== "admin") return <p>Only admins see the checks.</p>;
  const [settings, words] = await Promise.all([getChecksSettings(), listWords()]);
  return (
    <div className="space-y-6">
      <ChecksPanel settings={settings} />
      <WordsPanel words={words} />
    </div>
  );
}
