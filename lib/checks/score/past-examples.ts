import { advanceJob, openJob } from "#lib/checks/verdict/jobs-sql.ts";
import { exampleIdsWithoutFeatures, insertPastExamples } from "#lib/checks/training/examples-sql.ts";
import { isTimeUp, type Limits } from "#lib/checks/verdict/rejudge.ts";
import { scorePosts } from "./score-posts.ts";

const BATCH = 500;

/**
 * Makes examples of the newest reviews from before this version. Their texts are checked, so that the examples have
 * features; their pictures are not fetched.
 */
export async function learnPastReviews(limits: Limits): Promise<{ worked: boolean }> {
  for (let worked = false; ; worked = true) {
    const job = await openJob("examples", "");
    if (job === null || isTimeUp(limits)) return { worked };
    const made = await insertPastExamples(BATCH);
    // At the end also those that a killed process left without features.
    const ids = made.length > 0 ? made : await exampleIdsWithoutFeatures();
    await scorePosts(ids, { quiet: true });
    if (made.length === 0) await advanceJob(job, null);
  }
}
