"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import type { Profile } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { zoneName, type ZoneGroup } from "./time-zones.ts";

const fieldErrors = {
  form: "Change something first.",
  name: "Enter a name of at most 100 characters.",
  time_zone: "Choose a time zone of the list.",
  theme: "Choose one of the themes.",
  preferences: "Choose one of the settings shown.",
  sign_in_with: "Choose one of the services shown.",
} as const;

export interface ProfilePanelProps {
  profile: Profile;
  /** Null for the time zone of the installation. */
  ownZone: string | null;
  defaultZone: string;
  /** From the server, because browsers list other zones. */
  zones: readonly ZoneGroup[];
}

export function ProfilePanel({ profile, ownZone, defaultZone, zones }: ProfilePanelProps) {
  const router = useRouter();
  const [name, setName] = useState(profile.name);
  const [zone, setZone] = useState(ownZone);
  const save = useMutation<void, Profile>(
    () => apiFetch("/profile", { method: "PATCH", body: { name, time_zone: zone } }),
    {
      onDone: (after) => {
        setName(after.name);
        notifyDone("Saved");
        // Name and zone are part of the shell.
        router.refresh();
      },
    },
  );
  const errors = formErrors(fieldErrors, save.failure);
  return (
    <Panel title="Profile" description="Your name and preferences.">
      <form
        className="max-w-md space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        {errors.form ? <Notice tone="reject">{errors.form}</Notice> : null}
        <Field label="Name" hint="Shown next to your decisions." error={errors.at("name")} required>
          <Input
            value={name}
            maxLength={100}
            autoComplete="name"
            required
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label="E-mail" hint="You sign in with it. It cannot be changed.">
          <Input value={profile.email} readOnly className="bg-wash" />
        </Field>
        <Field label="Time zone" hint="All times are shown in this zone." error={errors.at("time_zone")}>
          <Select
            value={zone ?? ""}
            placeholder={`Default of this installation (${zoneName(defaultZone)})`}
            options={[{ value: "UTC", label: "UTC" }]}
            groups={zones.map((group) => ({ label: group.region, options: group.zones }))}
            onChange={(event) => setZone(event.target.value || null)}
          />
        </Field>
        <Button type="submit" variant="primary" pending={save.pending}>
          Save
        </Button>
      </form>
    </Panel>
  );
}
