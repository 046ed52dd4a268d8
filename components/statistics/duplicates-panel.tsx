"use client";
import { Panel } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";
import { DuplicateCard } from "./duplicate-card.tsx";

const w = words.statistics;

export function DuplicatesPanel({ duplicates }: { duplicates: ErrorStats["duplicates"] }) {
  return (
    <Panel id="duplicates" title={w.duplicates} description={w.duplicatesHint} flush>
      {duplicates.length === 0 ? (
        <EmptyState title={w.duplicatesEmpty} className="py-8" />
      ) : (
        <ul className="divide-y divide-line">
          {duplicates.map((each) => (
            <DuplicateCard key={each.post_id} postId={each.post_id} details={each.error_details} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
