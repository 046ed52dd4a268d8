import type { Metadata } from "next";
import { ThemeSwitch } from "#components/shell/theme-switch.tsx";
import { Panel } from "#components/ui/card.tsx";
import { countKeysOf } from "#lib/accounts/api-keys.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getProfile } from "#lib/accounts/profile.ts";
import { listSessions } from "#lib/accounts/session.ts";
import { PasswordPanel, ProfilePanel, SessionsPanel } from "./profile-panels.tsx";

export const metadata: Metadata = { title: "Me" };

export default async function ProfilePage() {
  const me = await requireMember();
  const [profile, keys, sessions] = await Promise.all([
    getProfile(me.id),
    countKeysOf(me.id),
    listSessions(me.id, me.session_id),
  ]);
  return (
    <div className="space-y-6">
      <ProfilePanel me={me} profile={profile} />
      <Panel title="Appearance" description="Applies to all your devices.">
        <ThemeSwitch />
      </Panel>
      <PasswordPanel profile={profile} keys={keys} />
      <SessionsPanel sessions={sessions} />
    </div>
  );
}
