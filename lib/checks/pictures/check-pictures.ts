import { db, Prisma } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import { RawPicture } from "#lib/checks/results/raw-checks.ts";
import { claimPost, isAnyDue, retryAt, settleClaim, type Claim } from "#lib/checks/verdict/later-checks.ts";
import { postPictures } from "#lib/media/picture-source.ts";
import { engineProblem } from "./engine-state.ts";
import { lookAtPicture, type Looked } from "./look-at-picture.ts";

/** Posts at a time, most of which wait for downloads. A slow host holds up its own posts only. */
const AT_ONCE = 16;
/** Less is not enough for a slow download. */
const MIN_TIME_LEFT_MS = 15_000;
/** Pictures of a post. */
const MAX_PICTURES = 4;
const MIN_WAIT_MS = 5_000;

export const arePicturesDue = () => isAnyDue("picture");

let isAwake = false;

/** Downloads and classifies pictures that are due. Without a classifier only their hashes are stored, and they wait. */
export async function checkPictures(limits: {
  deadline: Date;
  signal?: AbortSignal | undefined;
}): Promise<{ worked: boolean }> {
  const classify = engineProblem() === null;
  if (classify && !isAwake) await wakeWaiting();
  isAwake ||= classify;
  let worked = false;
  const work = async () => {
    while (!limits.signal?.aborted && limits.deadline.getTime() - Date.now() > MIN_TIME_LEFT_MS) {
      const claim = await claimPost("picture");
      if (claim === null) return;
      worked = true;
      await checkPost(claim, classify).catch((error: unknown) => {
        log.warn({ err: error, post_id: claim.post_id }, "pictures not checked");
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { worked };
}

/** Pictures that were checked before and still have the same addresses are not checked again. */
async function checkPost(claim: Claim, classify: boolean): Promise<void> {
  const { post_id } = claim;
  const stored = await db.post_check.findUnique({ where: { post_id }, select: { pictures: true } });
  // Unreadable results of another version of this program: the pictures are checked again.
  const known = RawPicture.array().catch([]).parse(stored?.pictures);
  const pictures = ((await postPictures(post_id)) ?? []).slice(0, MAX_PICTURES);
  const looked = await Promise.all(
    pictures.map(({ n, source }) => lookAtPicture(n, source, known, classify)),
  );
  const results = looked.flatMap(({ picture }) => picture ?? []);
  const result = Prisma.sql`pictures = ${JSON.stringify(results)}::jsonb`;
  await settleClaim("picture", claim, { ...stateAfter(claim, looked), result });
}

function stateAfter(claim: Claim, looked: readonly Looked[]) {
  const retries = looked.flatMap(({ retry }) => retry ?? []);
  const attempts = claim.attempts + (retries.some(({ counts }) => counts) ? 1 : 0);
  const next = attempts > claim.attempts ? retryAt(attempts) : new Date(Date.now() + MIN_WAIT_MS);
  if (retries.length > 0 && next !== null) {
    const due = Math.max(next.getTime(), ...retries.map(({ not_before }) => not_before));
    return { state: "waiting", attempts, due_at: new Date(due) };
  }
  if (looked.length === 0) return { state: "none", attempts: 0, due_at: null };
  if (looked.some(({ picture }) => picture === null)) return { state: "waiting", attempts: 0, due_at: null };
  const isAnyDone = looked.some(({ picture }) => picture?.state === "done");
  return { state: isAnyDone ? "done" : "unavailable", attempts, due_at: null };
}

/** Unreviewed posts that wait until the classifier can be used. */
async function wakeWaiting(): Promise<void> {
  await db.$executeRaw`
    UPDATE post_check c SET picture_due_at = now()
      FROM post p
     WHERE c.picture_state = 'waiting' AND c.picture_due_at IS NULL AND p.id = c.post_id AND p.approved IS NULL`;
}
