import { connect } from "./connect.ts";

/** Less than the pause after a failure (schedule-backups.ts), so that a killed attempt does not delay the next. */
const LEASE_MINUTES = 55;

/**
 * Runs `work` in one of several instances on the same database.
 * @returns null when another instance has the claim
 */
export async function whileClaimed<T>(url: string, work: () => Promise<T>): Promise<T | null> {
  const until = await claim(url);
  if (until === null) return null;
  try {
    return await work();
  } finally {
    // Else it expires.
    await release(url, until).catch(() => undefined);
  }
}

async function claim(url: string): Promise<string | null> {
  const rows = await run<{ until: string }>(
    url,
    `UPDATE installation SET backup_lease_until = now() + $1 * interval '1 minute'
      WHERE backup_lease_until IS NULL OR backup_lease_until < now()
      RETURNING backup_lease_until::text AS until`,
    [LEASE_MINUTES],
  );
  return rows[0]?.until ?? null;
}

async function release(url: string, until: string): Promise<void> {
  await run(
    url,
    "UPDATE installation SET backup_lease_until = NULL WHERE backup_lease_until = $1::timestamptz",
    [until],
  );
}

async function run<Row extends object>(url: string, sql: string, values: unknown[]): Promise<Row[]> {
  const client = await connect(url, "sluice-backup");
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
