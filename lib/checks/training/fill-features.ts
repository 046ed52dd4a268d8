import { featureIds } from "#lib/checks/learner/features.ts";
import { mapInSlices } from "#lib/event-loop.ts";
import { advanceJob, openJob } from "#lib/checks/verdict/jobs-sql.ts";
import { readFeatureKey } from "./learner-model.ts";
import { namesOf } from "./predict-again.ts";
import { isTimeUp, type Limits } from "#lib/checks/verdict/rejudge.ts";
import { rowsWithoutFeatures, writeFeatures } from "./sql.ts";

const BATCH = 500;
/** Of the features; another one than the stored one begins the work again. */
const FORM = "1";

/**
 * Computes the features of checked posts that have none, after an upgrade that changed their form. Runs no check; reviewed
 * posts keep the prediction of their decision. The learner is not trained meanwhile.
 */
export async function fillFeatures(limits: Limits): Promise<{ worked: boolean }> {
  for (let worked = false; ; worked = true) {
    const job = await openJob("features", FORM);
    if (job === null || isTimeUp(limits)) return { worked };
    const rows = await rowsWithoutFeatures(job.done_from, BATCH);
    const key = await readFeatureKey();
    const names = await namesOf(rows);
    await writeFeatures(
      await mapInSlices([...names], ([id, named]) => ({ id, features: [...featureIds(named, key)] })),
    );
    await advanceJob(job, rows.at(-1)?.id ?? null);
  }
}
