import { z } from "zod";
import { db } from "#lib/base/db.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import type { EmptiedCounts } from "#lib/checks/learner/emptied-examples.ts";
import { NO_REVIEWS } from "#lib/checks/learner/model.ts";
import { MAX_EXAMPLES } from "./examples-sql.ts";

/** Counts the emptied examples themselves. */
const ALL = -1;

const FeatureCountRow = z.object({ feature: z.int(), reviewed: z.int(), rejected: z.int() });

/** The learnt examples whose posts were deleted; features that may be counted have an entry. */
export async function emptiedCounts(): Promise<EmptiedCounts> {
  const rows = FeatureCountRow.array().parse(
    await db.$queryRaw<unknown[]>`SELECT feature, reviewed, rejected FROM check_feature_count`,
  );
  const features = new Map(rows.map(({ feature, ...count }) => [feature, count]));
  const posts = features.get(ALL) ?? NO_REVIEWS;
  features.delete(ALL);
  return { posts, features };
}

/**
 * Features that will be counted when the posts of their examples are deleted. Others without a count are forgotten. Above
 * `MAX_EXAMPLES` emptied examples all counts are halved, so that old decisions lose their weight.
 */
export async function countFeaturesOf(known: EmptiedCounts, wanted: ReadonlySet<number>): Promise<void> {
  const added = [...wanted].filter((feature) => !known.features.has(feature));
  const unused = [...known.features.keys()].filter((feature) => !wanted.has(feature));
  const halved = known.posts.reviewed > MAX_EXAMPLES;
  if (added.length + unused.length === 0 && !halved) return;
  await inTransaction(async (tx) => {
    // As empty_examples(): writers wait for each other.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(7106)`;
    if (halved) {
      await tx.$executeRaw`
        UPDATE check_feature_count SET reviewed = rejected / 2 + (reviewed - rejected) / 2, rejected = rejected / 2
         WHERE (SELECT reviewed FROM check_feature_count WHERE feature = ${ALL}::int) > ${MAX_EXAMPLES}::int`;
    }
    await tx.$executeRaw`
      DELETE FROM check_feature_count WHERE feature = ANY (${unused}::int[]) AND reviewed = 0`;
    await tx.$executeRaw`
      INSERT INTO check_feature_count (feature) SELECT unnest(${added}::int[]) ON CONFLICT DO NOTHING`;
  });
}
