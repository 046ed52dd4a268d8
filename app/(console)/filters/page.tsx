import type { Metadata } from "next";
import { BlockedHashtagsPanel } from "#components/filters/blocked-hashtags-panel.tsx";
import { BlockedUsersPanel } from "#components/filters/blocked-users-panel.tsx";
import { RejectBlockedButton } from "#components/filters/reject-blocked-button.tsx";
import { SwitchesPanel } from "#components/filters/switches-panel.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { getSettings } from "#lib/filters/get-settings.ts";
import { listBlockedHashtags } from "#lib/filters/list-blocked-hashtags.ts";
import { listBlockedUsers } from "#lib/filters/list-blocked-users.ts";

export const metadata: Metadata = { title: words.filters.title };

export default async function FiltersPage() {
  await requireMember();
  const [settings, users, hashtags] = await Promise.all([
    getSettings(),
    listBlockedUsers({}),
    listBlockedHashtags({}),
  ]);
  return (
    <>
      <PageHeader
        title={words.filters.title}
        description={words.filters.description}
        actions={<RejectBlockedButton />}
      />
      <div className="space-y-6">
        <SwitchesPanel settings={settings} />
        <BlockedUsersPanel users={users.items} />
        <BlockedHashtagsPanel hashtags={hashtags.items} />
      </div>
    </>
  );
}
