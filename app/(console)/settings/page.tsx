import type { Metadata } from "next";
import { DeskSettings } from "#components/desk-settings/desk-settings.tsx";
import { AlertMailPanel } from "#components/settings/profile/alert-mail-panel.tsx";
import { AppearancePanel } from "#components/settings/profile/appearance-panel.tsx";
import { ProfilePanel } from "#components/settings/profile/profile-panel.tsx";
import { zoneGroups } from "#components/settings/profile/time-zones.ts";
import { Panel } from "#components/ui/card.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { roles } from "#lib/auth/permissions.ts";
import { readPreferences } from "#lib/desk/preferences.ts";
import { env } from "#lib/env.ts";
import { isMailSetUp } from "#lib/mail/transport.ts";
import { getProfile } from "#lib/members/profile.ts";

export const metadata: Metadata = { title: words.settings.profile };

export default async function ProfilePage() {
  const { id, role, preferences } = await requireMember();
  const profile = await getProfile(id);
  return (
    <div className="space-y-6">
      <ProfilePanel
        profile={profile}
        ownZone={typeof preferences.time_zone === "string" ? preferences.time_zone : null}
        defaultZone={env().TIME_ZONE}
        zones={zoneGroups()}
      />
      <AppearancePanel />
      {role === "admin" && isMailSetUp() ? <AlertMailPanel isOn={preferences.alert_mail !== false} /> : null}
      {roles.indexOf(role) >= roles.indexOf("reviewer") ? (
        <Panel id="desk" title={words.reviewTools.settingsTitle} description={words.reviewTools.settingsHint}>
          <div className="max-w-2xl">
            <DeskSettings preferences={readPreferences(preferences)} />
          </div>
        </Panel>
      ) : null}
    </div>
  );
}
