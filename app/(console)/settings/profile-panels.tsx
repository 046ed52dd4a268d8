import { zoneGroups, zoneName } from "#components/settings/profile/time-zones.ts";
import {
  ActionButton,
  ActionField,
  ActionForm,
  ActionSwitch,
  FormNotice,
  SubmitButton,
} from "#components/ui/action-form.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { Profile, Provider, Session } from "#lib/accounts/member-schema.ts";
import { allowService, endSession, saveProfile, sendAlerts, signOutEverywhere } from "./actions.ts";

export function ProfilePanel({
  profile,
  ownZone,
  defaultZone,
}: {
  profile: Profile;
  /** Null for the time zone of the installation. */
  ownZone: string | null;
  defaultZone: string;
}) {
  return (
    <Panel title="Profile" description="Your name and preferences.">
      <ActionForm
        action={saveProfile}
        errors={{
          form: "Change something first.",
          name: "Enter a name of at most 100 characters.",
          time_zone: "Choose a time zone of the list.",
        }}
        className="max-w-md space-y-4"
      >
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
            defaultValue={ownZone ?? ""}
            placeholder={`Default of this installation (${zoneName(defaultZone)})`}
            options={[{ value: "UTC", label: "UTC" }]}
            groups={zoneGroups().map((group) => ({ label: group.region, options: group.zones }))}
          />
        </ActionField>
        <SubmitButton variant="primary">Save</SubmitButton>
      </ActionForm>
    </Panel>
  );
}

/** For admins, where mail is set up. */
export function AlertMailPanel({ isOn }: { isOn: boolean }) {
  return (
    <Panel
      title="Alerts by e-mail"
      description="Such as a silent stream, a failed backup or a full disk: one mail at the start and one at the end."
    >
      <ActionSwitch action={sendAlerts} label="Send alerts to my address" checked={isOn} />
    </Panel>
  );
}

export function ServicesPanel({
  services,
  allowed,
}: {
  services: { id: Provider; name: string }[];
  allowed: Provider[];
}) {
  return (
    <Panel
      title="Other services"
      description="A service can sign you in if it has verified your e-mail address."
    >
      <ul className="flex flex-col gap-2">
        {services.map(({ id, name }) => (
          <li key={id}>
            <ActionSwitch
              action={allowService}
              fields={{ service: id, name }}
              label={`Sign in with ${name}`}
              checked={allowed.includes(id)}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const sessionColumns: Column<Session>[] = [
  {
    key: "browser",
    header: "Browser",
    primary: true,
    cell: (session) => (
      <span className="flex flex-wrap items-center gap-2">
        {session.browser ?? "Unknown browser"}
        {session.current ? <Badge tone="accent">this browser</Badge> : null}
      </span>
    ),
  },
  {
    key: "network",
    header: "Network",
    width: "12rem",
    cell: (session) =>
      session.address_prefix === null ? (
        <span className="text-muted">unknown</span>
      ) : (
        <span className="wrap-anywhere tabular-nums">{session.address_prefix}</span>
      ),
  },
  {
    key: "used",
    header: "Last used",
    width: "9rem",
    cell: (session) => <RelativeTime at={session.last_used_at} />,
  },
  {
    key: "since",
    header: "Signed in",
    width: "9rem",
    cell: (session) => <RelativeTime at={session.created_at} />,
  },
  {
    key: "act",
    header: "Actions",
    hideHeader: true,
    width: "6rem",
    cell: ({ id, browser }) => {
      const name = browser ?? "Unknown browser";
      return (
        <span className="flex desk:justify-end">
          <ActionButton
            action={endSession}
            fields={{ id, browser: name }}
            size="sm"
            aria-label={`End the session of ${name}`}
          >
            End
          </ActionButton>
        </span>
      );
    },
  },
];

export function SessionsPanel({ sessions }: { sessions: Session[] }) {
  return (
    <Panel
      title="Sessions"
      description="Browsers and scripts that are signed in as you. End those that you do not recognise."
      flush
      actions={
        <ActionButton
          action={signOutEverywhere}
          ask={{
            title: "Sign out everywhere",
            description: "Ends all sessions on all devices, including this one. API keys keep working.",
            confirm: "Sign out everywhere",
          }}
        >
          Sign out everywhere
        </ActionButton>
      }
    >
      <DataTable
        caption="Sessions"
        columns={sessionColumns}
        rows={sessions}
        rowKey={(session) => session.id}
        density="comfortable"
      />
    </Panel>
  );
}
