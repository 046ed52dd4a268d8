import type { Metadata } from "next";
import { ChecksPanel } from "#components/settings/checks/checks-panel.tsx";
import { ProvidersPanel } from "#components/settings/checks/providers-panel.tsx";
import { RulesPanel } from "#components/settings/checks/rules-panel.tsx";
import { WordsPanel } from "#components/settings/checks/words-panel.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { getChecksSettings } from "#lib/checks/settings/change-check-settings.ts";
import { listRules } from "#lib/checks/settings/rule-settings.ts";
import { listWords } from "#lib/checks/words/word-list.ts";
import { listProviders } from "#lib/checks/remote/list-providers.ts";
import { listStreams } from "#lib/streams/read-streams.ts";

export const metadata: Metadata = { title: words.settings.checks };

export default async function ChecksPage() {
  await requireMember();
  const [settings, rules, listed, streams, providers] = await Promise.all([
    getChecksSettings(),
    listRules(),
    listWords(),
    listStreams({ skip: 0, limit: 1000 }),
    listProviders(),
  ]);
  return (
    <div className="space-y-6">
      <ChecksPanel settings={settings} />
      <ProvidersPanel providers={providers} />
      <RulesPanel rules={rules} />
      <WordsPanel
        words={listed}
        streams={streams.items.map(({ id, hashtag, instance }) => ({ id, hashtag, instance }))}
      />
    </div>
  );
}
