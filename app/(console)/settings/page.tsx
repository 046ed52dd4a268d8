import type { Metadata } from "next";
import { ThemeSwitch } from "#components/shell/theme-switch.tsx";
import { Panel } from "#components/ui/card.tsx";
import { countKeysOf } from "#lib/accounts/api-keys.ts";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { isMailSetUp } from "#lib/accounts/mail.ts";
import { getProfile } from "#lib/accounts/profile.ts";
import { listSessions } from "#lib/accounts/session.ts";
import { env } from "#lib/base/env.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { PasswordPanel, ProfilePanel, SessionsPanel } from "./profile-panels.tsx";

export const metadata: Metadata = { title: "Me" };

export default async function ProfilePage() {
  const { id, role, preferences, session_id: sessionId } = await requireMember();
  const [profile, keys, sessions] = await Promise.all([
    getProfile(id),
    countKeysOf(id),
    listSessions(id, sessionId),
  ]);
  return (
    <div className="space-y-6">
      <ProfilePanel
        profile={profile}
        ownZone={typeof preferences.time_zone === "string" ? preferences.time_zone : null}
        defaultZone={env().TIME_ZONE}
        desk={role === "viewer" ? null : readPreferences(preferences)}
        hasAlerts={role === "admin" && isMailSetUp()}
        services={configuredProviders()}
      />
      <Panel title="Appearance" description="Applies to all your devices.">
        <ThemeSwitch />
      </Panel>
      <PasswordPanel profile={profile} keys={keys} />
      <SessionsPanel sessions={sessions} />
    </div>
  );
}
