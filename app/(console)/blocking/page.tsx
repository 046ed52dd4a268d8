import type { Metadata } from "next";
import { BlockListPanel } from "#components/filters/block-list-panel.tsx";
import { ReportedOptOuts } from "#components/filters/reported-opt-outs.tsx";
import { SwitchesPanel } from "#components/filters/switches-panel.tsx";
import { StreamsHead } from "#components/streams/streams-head.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { listBlocks } from "#lib/blocking/block-lists.ts";
import { getSettings } from "#lib/blocking/settings.ts";
import { listOptOuts } from "#lib/collect/opt-outs.ts";

export const metadata: Metadata = { title: "Blocking" };

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
      <StreamsHead current="/blocking" />
      <div className="space-y-6">
        <SwitchesPanel settings={settings} />
        {optOuts.total === 0 ? null : <ReportedOptOuts optOuts={optOuts} />}
        <BlockListPanel kind="user" entries={users.items} />
        <BlockListPanel kind="hashtag" entries={hashtags.items} />
      </div>
    </>
  );
}
