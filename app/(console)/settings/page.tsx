import type { Metadata } from "next";
import { AppearancePanel } from "#components/settings/appearance-panel.tsx";
import { ProfilePanel } from "#components/settings/profile-panel.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { env } from "#lib/env.ts";
import { getProfile } from "#lib/members/get-profile.ts";

export const metadata: Metadata = { title: words.settings.profile };

export default async function ProfilePage() {
  const { id, preferences } = await requireMember();
  const profile = await getProfile(id);
  return (
    <div className="space-y-6">
      <ProfilePanel
        profile={profile}
        ownZone={typeof preferences.time_zone === "string" ? preferences.time_zone : null}
        defaultZone={env().TIME_ZONE}
      />
      <AppearancePanel />
    </div>
  );
}
