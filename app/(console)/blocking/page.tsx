import type { Metadata } from "next";
import { BlockListPanel } from "#components/filters/block-list-panel.tsx";
import { ReportedOptOuts } from "#components/filters/reported-opt-outs.tsx";
import { SwitchesPanel } from "#components/filters/switches-panel.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { listOptOuts } from "#lib/consent/opt-outs.ts";
import { getSettings } from "#lib/filters/settings.ts";
import { listBlocks } from "#lib/filters/block-lists.ts";

export const metadata: Metadata = { title: words.filters.title };

export default async function BlockingPage() {
  await requireMember();
  const [settings, optOuts, users, hashtags] = await Promise.all([
    getSettings(),
    listOptOuts(),
    listBlocks("user"),
    listBlocks("hashtag"),
  ]);
  return (
    <>
      <PageHeader title={words.filters.title} description={words.filters.description} />
      <div className="space-y-6">
        <SwitchesPanel settings={settings} />
        {optOuts.total === 0 ? null : <ReportedOptOuts optOuts={optOuts} />}
        <BlockListPanel kind="user" entries={users.items} />
        <BlockListPanel kind="hashtag" entries={hashtags.items} />
      </div>
    </>
  );
}
