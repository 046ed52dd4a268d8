import { FigureLink } from "#components/charts/figure-link.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { ExactTime } from "#components/ui/relative-time.tsx";
import { changedThrough, lifeActions, lifeStates } from "#components/words.ts";
import { decisionsBy } from "#lib/client/figure-lists.ts";
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
        // A skip leaves the post as it is.
        ...post.history
          .filter(({ action }) => action !== "skip" && action !== "unskip")
          .map((line, at) => ({
            key: at,
            title: lifeActions[line.action] ?? line.action,
            facts: [
              <>
                {line.source === "service" ? null : (
                  <>
                    <FigureLink href={decisionsBy(line)}>{line.actor}</FigureLink>{" "}
                  </>
                )}
                {changedThrough[line.source]}
              </>,
              <ExactTime at={line.at} />,
              noteOf(line),
            ],
          })),
      ]}
      empty={null}
    />
  );
}

function noteOf({ reject_reason_label: reason, note, action, to }: HistoryLine): React.ReactNode {
  const said = [reason, note].filter(Boolean).join(": ");
  if (said !== "")
    return (
      <bdi>
        <span className="hidden-visually">Note: </span>
        {said}
      </bdi>
    );
  return action === "edit" && to ? (lifeStates[to] ?? to) : null;
}
