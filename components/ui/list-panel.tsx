import { Fragment, type ReactNode } from "react";
import { Panel, type PanelProps } from "./card.tsx";

export interface ListRow {
  key: string | number;
  title: ReactNode;
  /** Shown below the title. null and false are omitted. */
  facts?: readonly ReactNode[];
  actions?: ReactNode;
}

export interface ListPanelProps extends Pick<PanelProps, "description" | "actions" | "footer"> {
  title: string;
  /** Shown above the list, such as a form that adds a row. */
  children?: ReactNode;
  rows: readonly ListRow[];
  empty: ReactNode;
}

/** A list of settings, keys, members or events: each row has a title, facts and actions. */
export function ListPanel({ title, description, actions, footer, children, rows, empty }: ListPanelProps) {
  return (
    <Panel title={title} description={description} actions={actions} footer={footer} flush>
      {children ? <div className="border-b border-line px-4 py-3">{children}</div> : null}
      {rows.length === 0 ? <p className="px-4 py-6 text-center text-13 text-muted">{empty}</p> : null}
      <ul aria-label={title} className="divide-y divide-line">
        {rows.map(({ key, title: name, facts = [], actions: buttons }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
            <div className="min-w-0 flex-1 basis-64">
              <div dir="auto" className="text-14 font-medium wrap-anywhere">
                {name}
              </div>
              <p className="text-13 wrap-anywhere text-muted">
                {facts
                  .filter((fact) => fact !== null && fact !== false)
                  .map((fact, index) => (
                    <Fragment key={index}>
                      {index > 0 ? " · " : null}
                      {fact}
                    </Fragment>
                  ))}
              </p>
            </div>
            {buttons ? <div className="flex flex-wrap items-center gap-2">{buttons}</div> : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
