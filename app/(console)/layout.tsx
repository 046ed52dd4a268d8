import { Suspense, type ReactNode } from "react";
import { formatCompact, formatCount } from "#components/format.ts";
import { AppShell } from "#components/shell/app-shell.tsx";
import { ConsoleProviders } from "#components/shell/console-providers.tsx";
import { SourceNote } from "#components/shell/source-note.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { now, toIso } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { listRejectReasons } from "#lib/review/reject-reasons.ts";
import { countForReviewer } from "./to-review.ts";

/** Passes only those fields of the member to the browser that screens need. */
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
      <AppShell
        source={<SourceNote url={env().SOURCE_URL} isAdmin={role === "admin"} className="px-2" />}
        waiting={
          <Suspense>
            <Waiting />
          </Suspense>
        }
      >
        {children}
      </AppShell>
    </ConsoleProviders>
  );
}

/** Number of posts to review. The page does not wait for it. */
async function Waiting() {
  const count = await countForReviewer();
  if (count === 0) return null;
  return (
    <span className="tabular text-12 text-muted">
      {count < 10_000 ? formatCount(count) : formatCompact(count)}
      <span className="hidden-visually"> waiting</span>
    </span>
  );
}
