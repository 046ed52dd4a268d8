import type { Metadata } from "next";
import { ThemeSwitch } from "#components/shell/theme-switch.tsx";
import { ActionForm, FormNotice, SubmitButton } from "#components/ui/action-form.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/input.tsx";
import { countKeysOf } from "#lib/accounts/api-keys.ts";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getProfile } from "#lib/accounts/profile.ts";
import { listSessions } from "#lib/accounts/session.ts";
import { isMailSetUp } from "#lib/accounts/mail.ts";
import { env } from "#lib/base/env.ts";
import { roles } from "#lib/base/http/permissions.ts";
import { readPreferences, type DeskPreferences } from "#lib/client/desk/preferences.ts";
import { saveDesk } from "./actions.ts";
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

function DeskSettings({ preferences }: { preferences: DeskPreferences }) {
  return (
    <ActionForm
      action={saveDesk}
      errors={{ form: "Change something first." }}
      className="flex max-w-md flex-col gap-4"
    >
      <FormNotice />
      <Field label="Media that may be upsetting">
        <Select
          name="cover"
          defaultValue={preferences.cover}
          options={[
            { value: "blur", label: "Blurred until you show it" },
            { value: "grey", label: "A grey area; not loaded until you show it" },
            { value: "off", label: "Nothing is covered" },
          ]}
        />
      </Field>
      <Switch
        name="keys"
        label="Single-key shortcuts"
        hint="Turn off if a screen reader or voice input uses single keys. Ctrl-Z always works."
        defaultChecked={preferences.keys_on}
      />
      <SubmitButton variant="primary" className="self-start">
        Save
      </SubmitButton>
    </ActionForm>
  );
}
