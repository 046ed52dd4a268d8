import type { Metadata } from "next";
import { RulesPanel } from "#components/settings/checks/rules-panel.tsx";
import { WordsPanel } from "#components/settings/checks/words-panel.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { listRules } from "#lib/classify/rule-settings.ts";
import { listWords } from "#lib/classify/word-list.ts";
import { listStreams } from "#lib/streams/read-streams.ts";

export const metadata: Metadata = { title: words.settings.checks };

export default async function ChecksPage() {
  await requireMember();
  const [rules, listed, streams] = await Promise.all([
    listRules(),
    listWords(),
    listStreams({ skip: 0, limit: 1000 }),
  ]);
  return (
    <div className="space-y-6">
      <RulesPanel rules={rules} />
      <WordsPanel
        words={listed}
        streams={streams.items.map(({ id, hashtag, instance }) => ({ id, hashtag, instance }))}
      />
    </div>
  );
}
