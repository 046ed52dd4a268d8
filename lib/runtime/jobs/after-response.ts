import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { checkSources } from "#lib/collect/check-sources.ts";
import { planSourceChecks } from "#lib/collect/plan-checks.ts";

/** The platform ends a call after 60 s. */
const BUDGET_MS = 20_000;
/** Minimum time between two plans of one process. */
const PLAN_EVERY_MS = 30_000;

let lastPlan = 0;

/**
 * On Vercel, where no worker runs: does the due source checks once the response is sent. Elsewhere nothing.
 *
 * @param options.ahead also plans the checks of the posts that come next
 */
export async function checkSourcesAfterResponse(options: { ahead?: true } = {}): Promise<void> {
  if (env().VERCEL === undefined) return;
  const ahead = options.ahead === true && Date.now() - lastPlan > PLAN_EVERY_MS;
  if (options.ahead === true && !ahead) return;
  if (ahead) lastPlan = Date.now();
  const { after } = await import("next/server");
  after(async () => {
    try {
      const deadline = new Date(Date.now() + BUDGET_MS);
      if (ahead) await planSourceChecks({ deadline });
      await checkSources({ deadline });
    } catch (error) {
      log.error({ err: error }, "source checks after the response failed");
    }
  });
}
