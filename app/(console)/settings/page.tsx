import type { Metadata } from "next";
import { DeskSettings } from "#components/desk-settings/desk-settings.tsx";
import { ThemeSwitch } from "#components/shell/theme-switch.tsx";
import { Panel } from "#components/ui/card.tsx";
import { countKeysOf } from "#lib/accounts/api-keys.ts";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getProfile } from "#lib/accounts/profile.ts";
import { listSessions } from "#lib/accounts/session.ts";
import { isMailSetUp } from "#lib/accounts/mail.ts";
import { env } from "#lib/base/env.ts";
import { roles } from "#lib/base/http/permissions.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import {
  AlertMailPanel,
  PasswordPanel,
  ProfilePanel,
  ServicesPanel,
  SessionsPanel,
} from "./profile-panels.tsx";

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
      <Panel title="Appearance" description="Applies to all your devices.">
        <ThemeSwitch />
      </Panel>
      {role === "admin" && isMailSetUp() ? <AlertMailPanel isOn={preferences.alert_mail !== false} /> : null}
      {roles.indexOf(role) >= roles.indexOf("reviewer") ? (
        <Panel id="desk" title="Desk settings" description="Only for you, on all your devices.">
          <DeskSettings preferences={readPreferences(preferences)} />
        </Panel>
      ) : null}
      <PasswordPanel profile={profile} keys={keys} />
      {services.length > 0 ? <ServicesPanel services={services} allowed={profile.sign_in_with} /> : null}
      <SessionsPanel sessions={sessions} />
    </div>
  );
}
