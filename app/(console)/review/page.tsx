import type { Metadata } from "next";
import { Deck } from "#components/review/deck.tsx";
import { words } from "#components/words/en.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { readPreferences } from "#lib/client/desk-preferences.ts";
import { recentDecisions } from "#lib/review/recent-decisions.ts";
import { listStreams } from "#lib/streams/list-streams.ts";

export const metadata: Metadata = { title: words.review.title };

export default async function ReviewPage() {
  const member = await requireRole("reviewer");
  const [recent, streams] = await Promise.all([
    recentDecisions(member.id),
    listStreams({ skip: 0, limit: 1000 }),
  ]);
  return (
    <Deck
      preferences={readPreferences(member.preferences)}
      recent={recent}
      streams={streams.items.map(({ id, hashtag, instance }) => ({ id, hashtag, instance }))}
    />
  );
}
