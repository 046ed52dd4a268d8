import {
  ActionButton,
  ActionField,
  ActionForm,
  FormNotice,
  SubmitButton,
} from "#components/ui/action-form.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Checkbox, Switch } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { passwordHint, revokeKeysHint, revokeKeysLabel } from "#components/words.ts";
import { configuredProviders } from "#lib/accounts/auth-options.ts";
import type { CurrentMember } from "#lib/accounts/current-member.ts";
import { isMailSetUp } from "#lib/accounts/mail.ts";
import type { Profile, Session } from "#lib/accounts/member-schema.ts";
import { env } from "#lib/base/env.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { changePassword, endSession, saveProfile, signOutEverywhere } from "./actions.ts";

const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")].map((value) => ({
  value,
  label: value.replaceAll("_", " "),
}));
const covers = [
  { value: "blur", label: "Blurred until you show it" },
  { value: "grey", label: "A grey area; not loaded until you show it" },
  { value: "off", label: "Nothing is covered" },
];
const errors = {
  name: "Enter a name of at most 100 characters.",
  time_zone: "Choose a time zone of the list.",
};

export function ProfilePanel({ me, profile }: { me: CurrentMember; profile: Profile }) {
  const { role, preferences } = me;
  const { cover, keys_on } = readPreferences(preferences);
  const services = configuredProviders();
  return (
    <Panel title="Profile" description="Only for you, on all your devices.">
      <ActionForm action={saveProfile} errors={errors} className="flex max-w-md flex-col items-stretch gap-4">
        <FormNotice />
        <ActionField name="name" label="Name" hint="Shown next to your decisions." required>
          <Input name="name" defaultValue={profile.name} maxLength={100} autoComplete="name" />
        </ActionField>
        <Field label="E-mail" hint="You sign in with it. It cannot be changed.">
          <Input value={profile.email} readOnly className="bg-wash" />
        </Field>
        <ActionField name="time_zone" label="Time zone" hint="All times are shown in this zone.">
          <Select
            name="time_zone"
            defaultValue={typeof preferences.time_zone === "string" ? preferences.time_zone : ""}
            placeholder={`Default of this installation (${env().TIME_ZONE})`}
            options={zones}
          />
        </ActionField>
        {role === "viewer" ? null : (
          <div id="desk" className="flex scroll-mt-16 flex-col gap-4">
            <Field label="Media that may be upsetting">
              <Select name="cover" defaultValue={cover} options={covers} />
            </Field>
            <Switch
              name="keys"
              label="Single-key shortcuts"
              hint="Turn off if a screen reader or voice input uses single keys. Ctrl-Z always works."
              defaultChecked={keys_on}
            />
          </div>
        )}
        {role === "admin" && isMailSetUp() ? (
          <>
            <input type="hidden" name="has_alerts" />
            <Switch
              name="alerts"
              label="Send alerts to my address"
              hint="Such as a silent stream, a failed backup or a full disk: one mail at the start and one at the end."
              defaultChecked={preferences.alert_mail !== false}
            />
          </>
        ) : null}
        {services.length === 0 ? null : <input type="hidden" name="has_services" />}
        {services.map(({ id, name }) => (
          <Switch
            key={id}
            name="sign_in_with"
            value={id}
            label={`Sign in with ${name}`}
            hint="If it has verified your e-mail address."
            defaultChecked={profile.sign_in_with.includes(id)}
          />
        ))}
        <SubmitButton variant="primary" className="self-start">
          Save
        </SubmitButton>
      </ActionForm>
    </Panel>
  );
}

/** @param keys number of the member's active API keys */
export function PasswordPanel({ profile, keys }: { profile: Profile; keys: number }) {
  const { has_password: hasPassword, email } = profile;
  return (
    <Panel
      title="Password"
      description={
        hasPassword
          ? "Ends all your other sessions."
          : "You sign in through another service. With a password you can also sign in without it."
      }
    >
      <ActionForm
        action={changePassword}
        errors={{
          current_password: "Enter your current password.",
          new_password:
            "Use 10 to 256 characters that are not easy to guess, such as a sentence of your own.",
        }}
        clears
        // The browser's bubble would cover the button.
        noValidate
        className="flex max-w-md flex-col gap-4"
      >
        <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />
        {hasPassword ? (
          <ActionField name="current_password" whole label="Current password" required>
            <Input
              name="current_password"
              type="password"
              autoComplete="current-password"
              maxLength={256}
              required
            />
          </ActionField>
        ) : null}
        <ActionField
          name="new_password"
          whole={!hasPassword}
          label="New password"
          hint={passwordHint}
          required
        >
          <Input
            name="new_password"
            type="password"
            autoComplete="new-password"
            minLength={10}
            maxLength={256}
            required
          />
        </ActionField>
        {keys > 0 ? (
          <Checkbox name="revoke_keys" label={revokeKeysLabel(keys)} hint={revokeKeysHint} />
        ) : null}
        <SubmitButton variant="primary" className="self-start">
          {hasPassword ? "Change password" : "Set password"}
        </SubmitButton>
      </ActionForm>
    </Panel>
  );
}

export function SessionsPanel({ sessions }: { sessions: Session[] }) {
  return (
    <ListPanel
      title="Sessions"
      description="Browsers and scripts that are signed in as you. End those that you do not recognise."
      actions={
        <ActionButton
          action={signOutEverywhere}
          ask="Ends all sessions on all devices, including this one. API keys keep working."
        >
          Sign out everywhere
        </ActionButton>
      }
      rows={sessions.map(({ id, current, browser, address_prefix, last_used_at, created_at }) => {
        const name = browser ?? "Unknown browser";
        return {
          key: id,
          title: current ? [name, " ", <Badge key="this" tone="accent" children="this browser" />] : name,
          facts: [
            address_prefix ?? "unknown network",
            ["used ", <RelativeTime key="used" at={last_used_at} />],
            ["signed in ", <RelativeTime key="since" at={created_at} />],
          ],
          actions: (
            <ActionButton
              action={endSession}
              fields={{ id, browser: name }}
              size="sm"
              aria-label={`End the session of ${name}`}
            >
              End
            </ActionButton>
          ),
        };
      })}
      empty="No sessions"
    />
  );
}
