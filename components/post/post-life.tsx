import type { ReactNode } from "react";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { reasonName } from "#components/statistics/reason-name.ts";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { ExactTime } from "#components/ui/relative-time.tsx";
import { changedThrough, lifeActions, stateLabels } from "#components/words.ts";
import { actorDecisionsUrl } from "#lib/client/posts-url.ts";
import type { HistoryLine, PostDetail } from "#lib/review/post-schema.ts";

export function PostLife({ post }: { post: PostDetail }) {
  const source = post.stream === null ? post.instance : `${post.instance}, stream #${post.stream}`;
  return (
    <ListPanel
      title="History"
      description="All changes, oldest first."
      rows={[
        { key: "posted", title: "Posted", facts: [<ExactTime at={post.created_at} />] },
        { key: "fetched", title: "Fetched", facts: [`from ${source}`, <ExactTime at={post.fetched_at} />] },
        // A skip does not change the post.
        ...post.history
          .filter(({ action }) => action !== "skip" && action !== "unskip")
          .map((line, at) => ({
            key: at,
            title: lifeActions[line.action] ?? line.action,
            facts: [whoOf(line), <ExactTime at={line.at} />, noteOf(line)],
          })),
      ]}
      empty={null}
    />
  );
}

type EventLine = Omit<HistoryLine, "from">;

export function whoOf(line: EventLine): ReactNode {
  return (
    <>
      {line.source === "service" ? null : (
        <>
          <FigureLink href={actorDecisionsUrl(line)}>{line.actor}</FigureLink>{" "}
        </>
      )}
      {changedThrough[line.source]}
    </>
  );
}

export function noteOf({ reject_reason_label: reason, note, source, action, to }: EventLine): ReactNode {
  const reasonOrNote = source === "filter" && note !== null ? reasonName(note) : note;
  const text = [reason, reasonOrNote].filter(Boolean).join(": ");
  if (text !== "")
    return (
      <bdi>
        <span className="hidden-visually">Note: </span>
        {text}
      </bdi>
    );
  return action === "edit" && to ? ((stateLabels as Record<string, string>)[to] ?? to) : null;
}
