import { nameOf } from "#components/checks/check-name.ts";
import { LogPanel, type LogView } from "#components/settings/log/log-panel.tsx";
import { Badge } from "#components/ui/badge.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { words } from "#components/words/en.ts";
import type { AuditLine } from "#lib/accounts/audit-schema.ts";
import { auditChange } from "./audit-change.ts";

const w = words.settings.audit;

const columns: Column<AuditLine>[] = [
  {
    key: "what",
    header: w.what,
    primary: true,
    wrap: true,
    cell: (line) => (
      <>
        <span className="font-normal text-muted" title={line.action}>
          {w.actions[line.action] ?? line.action}
        </span>{" "}
        <bdi>{subjectOf(line)}</bdi>
      </>
    ),
  },
  {
    key: "change",
    header: w.change,
    wrap: true,
    cell: (line) => <Change texts={auditChange(line.action, line.before, line.after)} />,
  },
  {
    key: "who",
    header: w.who,
    width: "13rem",
    cell: (line) => (
      <span className="flex flex-wrap items-center gap-1.5 whitespace-normal">
        <span className="wrap-anywhere">{line.actor}</span>
        {line.source === "screen" ? null : <Badge>{w.sources[line.source]}</Badge>}
      </span>
    ),
  },
  { key: "when", header: w.when, width: "7rem", cell: (line) => <RelativeTime at={line.at} /> },
];

function subjectOf({ action, subject }: AuditLine): string {
  // Lines until 1.0.0 name the switches differently.
  if (action === "settings.update") return w.groups.settings;
  return action.startsWith("check.") ? nameOf(subject) : subject;
}

/** Longer changes are collapsed. */
const FEW = 3;

function Change({ texts }: { texts: string[] }) {
  if (texts.length === 0) return <span className="text-12 text-muted">–</span>;
  const list = (
    <ul className="text-12 text-muted">
      {texts.map((text) => (
        <li key={text} className="wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
  if (texts.length <= FEW) return list;
  return (
    <details>
      <summary className="-my-1 w-fit rounded-sm py-1 text-12 text-muted pointer-coarse:-my-3 pointer-coarse:py-3">
        {w.count(texts.length)}
      </summary>
      {list}
    </details>
  );
}

export function AuditBoard(view: LogView<AuditLine>) {
  const { action } = view.filters;
  const groups = Object.entries(w.groups).map(([value, label]) => ({ value, label }));
  const isKnown = action === undefined || action in w.groups;
  const options = isKnown ? groups : [...groups, { value: action, label: w.actions[action] ?? action }];
  return (
    <LogPanel
      {...view}
      title={w.title}
      hint={w.hint}
      empty={w.empty}
      path="/settings/audit"
      columns={columns}
      fields={[
        { name: "action", label: w.about, placeholder: w.everything, options },
        { name: "actor", label: w.by, placeholder: w.byHint },
      ]}
    />
  );
}
