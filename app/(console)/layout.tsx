import type { ReactNode } from "react";
import { AppShell } from "#components/shell/app-shell.tsx";
import { ConsoleProviders } from "#components/shell/console-providers.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { now, toIso } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { listRejectReasons } from "#lib/review/reject-reasons.ts";

/** Only the fields that screens need reach the browser. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { id, name, email, role, time_zone, preferences } = await requireMember();
  const reasons = await listRejectReasons();
  const { keys_on: single_keys } = readPreferences(preferences);
  return (
    <ConsoleProviders
      member={{ id, name, email, role, single_keys }}
      timeZone={time_zone}
      renderedAt={toIso(now())}
      reasons={reasons}
    >
      <AppShell sourceUrl={env().SOURCE_URL}>{children}</AppShell>
    </ConsoleProviders>
  );
}
