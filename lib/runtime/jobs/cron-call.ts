import { isSameSecret } from "#lib/accounts/api-key.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import { cleanUpNow } from "./cleanup.ts";
import { resetIntervals, runDueWork } from "./run-due-work.ts";

/** The platform ends a call after 60 s (`maxDuration` of the routes). */
const BUDGET_MS = 50_000;

/**
 * @throws ApiError `cron_closed` when no secret is set, `cron_secret_wrong`
 */
export function requireCronSecret(request: Request): void {
  const { CRON_SECRET } = env();
  if (CRON_SECRET === undefined) throw new ApiError("cron_closed");
  const given = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (!isSameSecret(given, CRON_SECRET)) {
    throw new ApiError("cron_secret_wrong", {}, { headers: { "WWW-Authenticate": 'Bearer realm="cron"' } });
  }
}

/** Runs due work for the time of a call. Unfinished work waits for the next call. */
export async function tick(): Promise<{ worked: boolean }> {
  const deadline = new Date(Date.now() + BUDGET_MS);
  resetIntervals();
  let worked = false;
  for (;;) {
    const round = await runDueWork({ deadline });
    worked ||= round.worked;
    if (!round.worked || Date.now() >= deadline.getTime()) return { worked };
  }
}

/** Runs the cleanup, whether it is due or not. */
export function cleanUp(): Promise<{ deleted: number }> {
  return cleanUpNow({ deadline: new Date(Date.now() + BUDGET_MS) });
}
