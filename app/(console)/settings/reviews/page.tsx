import type { Metadata } from "next";
import { readLogAddress } from "#app/(console)/settings/log-address.ts";
import { ReviewLogBoard } from "#components/settings/reviews/review-log-board.tsx";
import { memberNames } from "#lib/accounts/accounts.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { ReviewLogQuery } from "#lib/review/log-schema.ts";
import { listLog } from "#lib/review/log.ts";

export const metadata: Metadata = { title: "Review log" };

export default async function ReviewLogPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { time_zone: zone } = await requireMember();
  const names = ["member_id", "action", "reject_reason", "batch"];
  const { query, ...view } = readLogAddress(ReviewLogQuery, names, await searchParams, zone);
  const [log, members] = await Promise.all([listLog(query), memberNames()]);
  return <ReviewLogBoard log={log} members={members} {...view} />;
}
