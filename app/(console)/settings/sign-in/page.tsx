import type { Metadata } from "next";
import { PasswordPanel } from "#components/settings/profile/password-panel.tsx";
import { ServicesPanel } from "#components/settings/profile/services-panel.tsx";
import { SessionsPanel } from "#components/settings/profile/sessions-panel.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { countKeysOf } from "#lib/keys/api-keys.ts";
import { configuredProviders } from "#lib/members/auth-options.ts";
import { getProfile } from "#lib/members/profile.ts";
import { listSessions } from "#lib/members/sessions.ts";

export const metadata: Metadata = { title: words.settings.signIn };

export default async function SignInSettingsPage() {
  const { id, session_id: sessionId } = await requireMember();
  const [profile, keys, sessions] = await Promise.all([
    getProfile(id),
    countKeysOf(id),
    listSessions(id, sessionId),
  ]);
  const services = configuredProviders();
  return (
    <div className="space-y-6">
      <PasswordPanel hasPassword={profile.has_password} email={profile.email} keys={keys} />
      {services.length > 0 ? <ServicesPanel services={services} allowed={profile.sign_in_with} /> : null}
      <SessionsPanel sessions={sessions} />
    </div>
  );
}
