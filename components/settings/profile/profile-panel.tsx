"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import type { Profile } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { zoneName, type ZoneGroup } from "./time-zones.ts";

const w = words.settings;

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
        notifyDone(words.common.saved);
        // Name and zone are part of the shell.
        router.refresh();
      },
    },
  );
  const errors = formErrors("profile", save.failure);
  return (
    <Panel title={w.profile} description={w.profileHint}>
      <form
        className="max-w-md space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        {errors.form ? <Notice tone="reject">{errors.form}</Notice> : null}
        <Field label={w.name} hint={w.nameHint} error={errors.at("name")} required>
          <Input
            value={name}
            maxLength={100}
            autoComplete="name"
            required
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label={w.email} hint={w.emailHint}>
          <Input value={profile.email} readOnly className="bg-wash" />
        </Field>
        <Field label={w.timeZone} hint={w.timeZoneHint} error={errors.at("time_zone")}>
          <Select
            value={zone ?? ""}
            placeholder={w.timeZoneDefault(zoneName(defaultZone))}
            options={[{ value: "UTC", label: "UTC" }]}
            groups={zones.map((group) => ({ label: group.region, options: group.zones }))}
            onChange={(event) => setZone(event.target.value || null)}
          />
        </Field>
        <Button type="submit" variant="primary" pending={save.pending}>
          {words.common.save}
        </Button>
      </form>
    </Panel>
  );
}
