import type { Metadata } from "next";
import { BlockList } from "#components/blocking/block-list.tsx";
import { ReportedOptOuts } from "#components/blocking/reported-opt-outs.tsx";
import { SwitchesPanel } from "#components/blocking/switches-panel.tsx";
import { SectionHead } from "#components/shell/section-head.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { listBlocks } from "#lib/blocking/block-lists.ts";
import { getSettings } from "#lib/blocking/switches.ts";
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
      <SectionHead section="Streams and blocking" current="/blocking" />
      <div className="space-y-6">
        <SwitchesPanel key={settings.updated_at} settings={settings} />
        {optOuts.total === 0 ? null : <ReportedOptOuts optOuts={optOuts} />}
        <BlockList kind="user" entries={users.items} />
        <BlockList kind="hashtag" entries={hashtags.items} />
      </div>
    </>
  );
}
