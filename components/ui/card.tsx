import type { ComponentProps, ReactNode } from "react";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { cn } from "./cn.ts";
import { FigureHelp } from "./figure-help.tsx";

export function Card({ className, ...rest }: ComponentProps<"div">) {
  return <div className={cn("rounded-lg border border-line bg-surface", className)} {...rest} />;
}

export interface PanelProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  /** No padding around the children. */
  flush?: boolean;
  /** Figure whose definition is offered beside the title. */
  figure?: FigureName;
  id?: string;
  className?: string;
}

export function Panel({
  title,
  description,
  actions,
  children,
  footer,
  flush = false,
  figure,
  id,
  className,
}: PanelProps) {
  return (
    <section id={id} className={cn("min-w-0 rounded-lg border border-line bg-surface", className)}>
      <div
        className={cn(
          "flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3",
          flush && "border-b border-line",
        )}
      >
        <div className="min-w-0 flex-1 basis-48">
          <span className="flex items-center gap-1">
            <h2 className="text-14 font-semibold">{title}</h2>
            {figure ? (
              <FigureHelp
                figure={figure}
                label={typeof title === "string" ? title : figure}
                className="-my-1 pointer-coarse:-my-3"
              />
            ) : null}
          </span>
          {description ? <p className="mt-0.5 text-13 text-muted">{description}</p> : null}
        </div>
        {actions ? <div className="flex min-w-0 flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
      {children === undefined ? null : <div className={cn(!flush && "px-4 pb-4")}>{children}</div>}
      {footer ? <div className="border-t border-line px-4 py-3 text-13 text-muted">{footer}</div> : null}
    </section>
  );
}

export function DefinitionList({ items }: { items: readonly { term: ReactNode; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-[fit-content(45%)_1fr] items-baseline gap-x-4 gap-y-2 text-13 desk:grid-cols-[minmax(8rem,max-content)_1fr]">
      {items.map((item, index) => (
        <div key={index} className="contents">
          <dt className="text-muted">{item.term}</dt>
          <dd className="min-w-0 wrap-anywhere">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
