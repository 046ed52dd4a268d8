import type { Metadata } from "next";
import { PasswordPanel } from "#components/settings/profile/password-panel.tsx";
import { ServicesPanel } from "#components/settings/profile/services-panel.tsx";
import { SessionsPanel } from "#components/settings/profile/sessions-panel.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { configuredProviders } from "#lib/members/auth-options.ts";
import { getProfile } from "#lib/members/profile.ts";

export const metadata: Metadata = { title: words.settings.signIn };

export default async function SignInSettingsPage() {
  const { id } = await requireMember();
  const profile = await getProfile(id);
  const services = configuredProviders();
  return (
    <div className="space-y-6">
      <PasswordPanel hasPassword={profile.has_password} email={profile.email} />
      {services.length > 0 ? <ServicesPanel services={services} allowed={profile.sign_in_with} /> : null}
      <SessionsPanel />
    </div>
  );
}
