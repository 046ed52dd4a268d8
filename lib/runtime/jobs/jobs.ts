import { composeInvitationMail, composeResetMail } from "#lib/accounts/links.ts";
import { isMailSetUp, queueAlertMail, sendMail } from "#lib/accounts/mail.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { compactTally } from "#lib/base/tally.ts";
import { learn } from "#lib/checks/learner/learn.ts";
import { checkPictures } from "#lib/checks/pictures/check-pictures.ts";
import { askRemoteChecks } from "#lib/checks/remote/ask-remote-checks.ts";
import { classifyDue } from "#lib/checks/score/classify-posts.ts";
import { checkSources } from "#lib/collect/check-sources.ts";
import { fetchDueStream } from "#lib/collect/fetch-streams.ts";
import { planSourceChecks } from "#lib/collect/plan-checks.ts";
import { applyHoldChanges } from "#lib/queue/hold-changes.ts";
import { composeAlertMail, watchAlerts } from "#lib/stats/alerts.ts";
import { claimCleanup, cleanUpNow } from "./cleanup.ts";
import { prune } from "./prune.ts";

export interface Limits {
  /** Time at which the job ends. Unfinished work stays due. */
  deadline: Date;
  signal?: AbortSignal | undefined;
}

/** A job. The database says what is due, so several processes may run the same one. */
export interface Job {
  name: string;
  /** Pause between two runs in one process. */
  everyMs: number;
  /** Does due work. Cheap when nothing is due. Called again without a pause after work. */
  run: (limits: Limits) => Promise<{ worked: boolean } | void>;
}

/** Posts of one run. Few, so that other jobs get processor time. */
const CLASSIFY_LIMIT = 1_000;
/** Streams that are fetched at a time. Each host gets one request at a time in any case. */
const CONCURRENT_FETCHES = 4;
const MIN_FETCH_MS = 3_000;

export const jobs: readonly Job[] = [
  {
    name: "apply block lists",
    everyMs: 1_000,
    run: applyHoldChanges,
  },
  {
    name: "fetch due streams",
    everyMs: 1_000,
    run: fetchDueStreams,
  },
  {
    name: "classify",
    everyMs: 5_000,
    async run({ deadline }) {
      const { scored } = await classifyDue({ limit: CLASSIFY_LIMIT, deadline });
      return { worked: scored > 0 };
    },
  },
  {
    name: "learn",
    everyMs: 10_000,
    async run(limits) {
      await learn(limits);
    },
  },
  {
    name: "check pictures",
    everyMs: 2_000,
    run: checkPictures,
  },
  {
    name: "plan source checks",
    everyMs: 20_000,
    run: planSourceChecks,
  },
  {
    name: "check sources",
    everyMs: 1_000,
    async run(limits) {
      const { checked } = await checkSources(limits);
      return { worked: checked > 0 };
    },
  },
  {
    name: "ask remote checks",
    everyMs: 2_000,
    run: askRemoteChecks,
  },
  {
    name: "watch alerts",
    everyMs: 60_000,
    run: () =>
      watchAlerts(async (tx, change) => {
        if (isMailSetUp()) await queueAlertMail(tx, change);
      }),
  },
  {
    name: "send mail",
    everyMs: 2_000,
    run: (limits) =>
      sendMail(limits, {
        alert: composeAlertMail,
        invite: composeInvitationMail,
        reset: composeResetMail,
      }),
  },
  {
    name: "compact the tally",
    everyMs: 5_000,
    // Only for speed: figures are exact without it.
    run: ({ deadline }) => compactTally(deadline),
  },
  {
    name: "clean up delivered posts",
    everyMs: 60_000,
    async run(limits) {
      const worked = await claimCleanup();
      if (worked) await cleanUpNow(limits);
      return { worked };
    },
  },
  {
    name: "prune",
    everyMs: 600_000,
    run: prune,
  },
];

async function fetchDueStreams({ deadline, signal }: Limits): Promise<{ worked: boolean }> {
  let fetched = 0;
  const fetchUntilNoneIsDue = async () => {
    while (!signal?.aborted && deadline.getTime() - Date.now() > MIN_FETCH_MS) {
      const stream = await fetchDueStream({ limit: env().MAX_POSTS_PER_FETCH, deadline, signal });
      if (stream === null) return;
      fetched++;
      log.debug({ stream }, "stream fetched");
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_FETCHES }, fetchUntilNoneIsDue));
  return { worked: fetched > 0 };
}
