import type { Metadata } from "next";
import { DeskSettings } from "#components/desk-settings/desk-settings.tsx";
import { AlertMailPanel, ProfilePanel, ServicesPanel, SessionsPanel } from "./profile-panels.tsx";
import { AppearancePanel } from "#components/settings/profile/appearance-panel.tsx";
import { PasswordPanel } from "#components/settings/profile/password-panel.tsx";
import { Panel } from "#components/ui/card.tsx";
import { countKeysOf } from "#lib/accounts/api-keys.ts";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getProfile } from "#lib/accounts/profile.ts";
import { listSessions } from "#lib/accounts/sessions.ts";
import { isMailSetUp } from "#lib/accounts/transport.ts";
import { env } from "#lib/base/env.ts";
import { roles } from "#lib/base/http/permissions.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";

export const metadata: Metadata = { title: "Me" };

export default async function ProfilePage() {
  const { id, role, preferences, session_id: sessionId } = await requireMember();
  const [profile, keys, sessions] = await Promise.all([
    getProfile(id),
    countKeysOf(id),
    listSessions(id, sessionId),
  ]);
  const services = configuredProviders();
  return (
    <div className="space-y-6">
      <ProfilePanel
        profile={profile}
        ownZone={typeof preferences.time_zone === "string" ? preferences.time_zone : null}
        defaultZone={env().TIME_ZONE}
      />
      <AppearancePanel />
      {role === "admin" && isMailSetUp() ? <AlertMailPanel isOn={preferences.alert_mail !== false} /> : null}
      {roles.indexOf(role) >= roles.indexOf("reviewer") ? (
        <Panel id="desk" title="Desk settings" description="Only for you, on all your devices.">
          <div className="max-w-2xl">
            <DeskSettings preferences={readPreferences(preferences)} />
          </div>
        </Panel>
      ) : null}
      <PasswordPanel hasPassword={profile.has_password} email={profile.email} keys={keys} />
      {services.length > 0 ? <ServicesPanel services={services} allowed={profile.sign_in_with} /> : null}
      <SessionsPanel sessions={sessions.items} />
    </div>
  );
}
