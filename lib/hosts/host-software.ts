import { db } from "#lib/db.ts";
import {
  detectSoftware,
  familyOf,
  SOFTWARE_CACHE_HOURS,
  type DetectedSoftware,
} from "#lib/fediverse/detect-software.ts";
import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import { SourceFailure } from "#lib/fediverse/source-failure.ts";

/**
 * The software behind a host, asked once a day and remembered for all processes. When a host that was known
 * cannot be asked, what was known still holds.
 *
 * @throws SourceFailure when a host never asked before cannot be asked
 */
export async function hostSoftware(
  host: string,
  request: HostRequest,
  signal?: AbortSignal,
): Promise<DetectedSoftware> {
  const rows = await db.$queryRaw<{ software: string | null; fresh: boolean }[]>`
    SELECT software, software_at > now() - ${SOFTWARE_CACHE_HOURS} * interval '1 hour' AS fresh
      FROM host_state WHERE host = ${host} AND software_at IS NOT NULL`;
  const known = rows[0];
  if (known?.fresh === true) return remembered(known.software);
  try {
    const detected = await detectSoftware(host, request, signal ? { signal } : {});
    await db.$executeRaw`
      INSERT INTO host_state (host, software, software_at) VALUES (${host}, ${detected.name}, now())
      ON CONFLICT (host) DO UPDATE SET software = excluded.software, software_at = now()`;
    return detected;
  } catch (error) {
    if (known === undefined || !(error instanceof SourceFailure)) throw error;
    return remembered(known.software);
  }
}

function remembered(name: string | null): DetectedSoftware {
  return { name, version: null, family: familyOf(name) };
}
