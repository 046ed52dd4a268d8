import { changedThrough, lifeActions, lifeStates } from "#components/words.ts";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { ExactTime } from "#components/ui/relative-time.tsx";
import { decisionsBy } from "#lib/client/figure-lists.ts";
import type { HistoryLine } from "#lib/review/post-schema.ts";

export interface PostLifeProps {
  post: { created_at: string; fetched_at: string; instance: string; stream: string | null };
  history: readonly HistoryLine[];
}

interface Step {
  at: string;
  title: string;
  by: string;
  /** Decisions of `by`. */
  href?: string | null;
  how?: string;
  note: string | null;
}

export function PostLife({ post, history }: PostLifeProps) {
  const steps: Step[] = [
    { at: post.created_at, title: "Posted", by: "", note: null },
    {
      at: post.fetched_at,
      title: "Fetched",
      by: post.stream === null ? `from ${post.instance}` : `from ${post.instance}, stream #${post.stream}`,
      note: null,
    },
    ...history.filter(isChange).map((line) => ({
      at: line.at,
      title: lifeActions[line.action] ?? line.action,
      ...(line.source === "service"
        ? { by: "by Sluice" }
        : { by: line.actor, href: decisionsBy(line), how: `, ${changedThrough[line.source]}` }),
      note: noteOf(line),
    })),
  ];
  return (
    <ol className="relative flex flex-col gap-3 border-s border-line ps-4">
      {steps.map((step, i) => (
        <li key={i} className="relative text-13">
          <span
            aria-hidden
            className="absolute -start-4 top-1.5 size-2 -translate-x-1/2 rounded-full border border-line-strong bg-surface rtl:translate-x-1/2"
          />
          <p>
            <span className="font-medium">{step.title}</span>
            {step.by === "" ? null : (
              <span className="text-muted">
                {" · "}
                <FigureLink href={step.href ?? null}>{step.by}</FigureLink>
                {step.how}
              </span>
            )}
          </p>
          {step.note === null ? null : (
            <p dir="auto" className="whitespace-pre-line wrap-anywhere">
              <span className="hidden-visually">Note: </span>
              {step.note}
            </p>
          )}
          <ExactTime at={step.at} className="text-12 text-muted" />
        </li>
      ))}
    </ol>
  );
}

/** A skip leaves the post as it is. */
function isChange({ action }: HistoryLine): boolean {
  return action !== "skip" && action !== "unskip";
}

function noteOf(line: HistoryLine): string | null {
  const said = [line.reject_reason_label, line.note].filter(Boolean).join(": ");
  if (said !== "") return said;
  return line.action === "edit" && line.to ? (lifeStates[line.to] ?? line.to) : null;
}
