import type { Owner } from "#lib/auth/principal.ts";
import { ApiError } from "#lib/errors.ts";
import { listPostsOfConsumer } from "#lib/posts/upcoming-posts.ts";
import { botDays } from "#lib/stats/bot-days.ts";
import { keyStatus } from "./api-keys.ts";
import { keyRows } from "./sql.ts";
import type { KeyFigures } from "./schema.ts";

/**
 * The page of one key: its deliveries by day in the last `days`, the posts that it holds and those that it would get next.
 *
 * @throws ApiError `api_key_not_found`
 */
export async function keyFigures(principal: Owner, id: number, days: number): Promise<KeyFigures> {
  const key = (await keyStatus(principal)).keys.find((each) => each.id === id);
  if (key === undefined) throw new ApiError("api_key_not_found");
  const is_own = (await keyRows(principal.member_id)).some((row) => row.id === id);
  const [perDay, posts] = await Promise.all([
    botDays(id, days),
    listPostsOfConsumer(id, key.scopes.includes("consume") ? key.stream_ids : null),
  ]);
  const sum = (name: "delivered" | "nacks" | "errors" | "timeouts") =>
    perDay.reduce((total, day) => total + day[name], 0);
  const ended = sum("delivered") + sum("nacks") + sum("errors") + sum("timeouts");
  const share = (part: number) => (ended === 0 ? null : Math.round((part / ended) * 10_000) / 100);
  return {
    key,
    totals: {
      reservations: ended,
      delivered: sum("delivered"),
      nacks: sum("nacks"),
      errors: sum("errors"),
      timeouts: sum("timeouts"),
      error_share: share(sum("errors")),
      nack_share: share(sum("nacks")),
      timeout_share: share(sum("timeouts")),
    },
    days: perDay,
    is_own,
    ...posts,
  };
}
