import { ArrowRight, Circle, CircleCheck, OctagonAlert, TriangleAlert, type LucideIcon } from "lucide-react";
import NextLink from "next/link";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { FigureHelp } from "#components/ui/figure-help.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import { formatCount } from "#components/format.ts";
import type { Detail, Health, Stage } from "./flow-stages.ts";

const flowHealth = { good: "Good", warn: "Warning", bad: "Problem", idle: "Idle" } as const;

const stageNames = { intake: "Intake", review: "Review", queue: "Queue", delivery: "Delivery" };
const looks: Record<Health, readonly [LucideIcon, string]> = {
  good: [CircleCheck, "text-approve"],
  warn: [TriangleAlert, "text-warn"],
  bad: [OctagonAlert, "text-reject"],
  idle: [Circle, "text-muted"],
};

/** Four stages in a row; on phones one below the other. `notes`: lines below a stage. */
export function Flow({
  stages,
  notes = {},
}: {
  stages: readonly Stage[];
  notes?: Partial<Record<Stage["name"], ReactNode>>;
}) {
  return (
    <ol
      aria-label="From intake to delivery"
      className="grid gap-px bg-line desk:grid-cols-2 wide:grid-cols-4"
    >
      {stages.map((stage, index) => (
        <StageCell
          key={stage.name}
          stage={stage}
          isLast={index === stages.length - 1}
          note={notes[stage.name]}
        />
      ))}
    </ol>
  );
}

function StageCell({ stage, isLast, note }: { stage: Stage; isLast: boolean; note: ReactNode }) {
  const { icon: Icon, name, href, figure, list, meaning, unit, health, state, stateHref, at, more } = stage;
  const [Sign, tone] = looks[health];
  return (
    <li className="relative bg-surface px-4 py-2.5 has-[a:hover]:bg-wash desk:py-3">
      <div className="flex items-baseline gap-2 desk:block">
        <span className="flex min-w-24 items-center gap-1.5 self-center text-13 font-medium text-muted">
          <Icon aria-hidden className="size-4" />
          <NextLink
            href={href}
            prefetch={false}
            className="after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {stageNames[name]}
          </NextLink>
        </span>
        <span className="ms-auto flex items-baseline gap-1.5 desk:mt-1">
          <NextLink
            href={list}
            prefetch={false}
            className="relative z-1 flex items-baseline gap-1.5 rounded-sm hover:underline pointer-coarse:min-h-11 pointer-coarse:items-center"
          >
            <span data-figure={meaning} className="tabular text-20 font-semibold tracking-tight">
              {formatCount(figure)}
            </span>
            <span className="text-13 text-muted">{unit}</span>
          </NextLink>
          <FigureHelp
            figure={meaning}
            label={`${stageNames[name]}, ${unit}`}
            className="relative z-1 -my-1 self-center pointer-coarse:-me-3 pointer-coarse:-my-3"
          />
        </span>
      </div>
      <p className="mt-0.5 flex items-start gap-1.5 text-13 desk:mt-1">
        <Sign aria-hidden className={cn("mt-px size-4 shrink-0", tone)} />
        <span className="min-w-0">
          {health === "warn" || health === "bad" ? (
            <span className={cn("font-medium", tone)}>{flowHealth[health]}: </span>
          ) : (
            <VisuallyHidden>{flowHealth[health]}: </VisuallyHidden>
          )}
          <DetailText text={state} href={stateHref} />
          {at === undefined ? null : (
            <>
              {" "}
              <RelativeTime isAhead at={at} />
            </>
          )}
          {more.map((detail) => (
            <span key={detail.text} className="text-muted">
              {" · "}
              <DetailText {...detail} />
            </span>
          ))}
        </span>
      </p>
      {note}
      {isLast ? null : (
        <span
          aria-hidden
          className="absolute end-0 top-1/2 z-1 hidden size-5 translate-x-[calc(50%+0.5px)] -translate-y-1/2 items-center justify-center rounded-full border border-line bg-surface wide:flex rtl:-translate-x-[calc(50%+0.5px)]"
        >
          <ArrowRight className="size-3 text-muted rtl:rotate-180" />
        </span>
      )}
    </li>
  );
}

function DetailText({ text, href }: Detail) {
  if (href === undefined) return text;
  return (
    <Link
      href={href}
      prefetch={false}
      tone="plain"
      className="relative z-1 underline decoration-line-strong decoration-dotted hover:decoration-current"
    >
      {text}
    </Link>
  );
}
