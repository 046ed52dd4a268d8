"use client";
import { Search } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { useBlocking, type Blocking } from "#components/blocking/use-blocking.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { formatCount } from "#components/format.ts";
import { blockListSchemas, type BlockEntry, type BlockKind } from "#lib/blocking/schema.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { panelOf } from "./block-list-kinds.tsx";
import { ImportDialog } from "./import-dialog.tsx";

const lists = {
  user: {
    title: "Blocked accounts and domains",
    hint: "A domain includes its subdomains.",
    empty: "Nobody is blocked",
    emptyHint: "Block one above, or import a list.",
  },
  hashtag: {
    title: "Blocked hashtags",
    hint: "Letter case and accents are ignored, as in Mastodon.",
    empty: "No hashtag is blocked",
    emptyHint: "Posts with a blocked hashtag are rejected or held.",
  },
} as const;

const exports = {
  all: "Export CSV",
  domains: "Domains for Mastodon",
  accounts: "Accounts for Mastodon",
} as const;

const fieldErrors = {
  form: "Change something first.",
  account_identifier: "Enter an account such as @ana@mastodon.social, or for other matches a part of one.",
  pattern_type: "Choose how accounts are matched.",
  subdomains: "Switch it on or off.",
  notes: "Use at most 2000 characters.",
} as const;

const blockedHashtagErrors = {
  form: "Change something first.",
  hashtag: "Enter one hashtag without spaces or signs, such as photography.",
  notes: "Use at most 2000 characters.",
} as const;

/** A list may have ten thousand entries. */
const STEP = 50;

export function BlockListPanel<K extends BlockKind>({
  kind,
  entries,
}: {
  kind: K;
  entries: BlockEntry<K>[];
}) {
  const text = lists[kind];
  const { path } = blockListSchemas[kind];
  const mayManage = useCan("admin");
  const mayReview = useCan("reviewer");
  const { data: rows = entries } = useApi<BlockEntry<K>[]>(path, { fallback: entries });
  const [search, setSearch] = useState("");
  const [drawn, setDrawn] = useState(STEP);
  const query = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(() => {
    const { nameOf } = panelOf(kind);
    if (query === "") return rows;
    return rows.filter((row) => `${nameOf(row)} ${row.notes ?? ""}`.toLowerCase().includes(query));
  }, [kind, rows, query]);
  const blocking = useBlocking();
  const columns = columnsOf(
    kind,
    (entry) => mayManage || (mayReview && panelOf(kind).isSingle(entry)),
    blocking.unblock,
  );
  return (
    <Panel
      title={text.title}
      description={text.hint}
      flush
      actions={
        kind === "user" ? (
          <>
            {mayManage ? <ImportDialog /> : null}
            {Object.entries(exports).map(([form, label]) => (
              <a
                key={form}
                href={`/api/v1${path}.csv${form === "all" ? "" : `?form=${form}`}`}
                download
                className={buttonClass("quiet", "sm")}
              >
                {label}
              </a>
            ))}
          </>
        ) : undefined
      }
    >
      {mayManage || (mayReview && kind === "user") ? (
        <div className="border-b border-line px-4 py-3">
          <BlockForm kind={kind} blocking={blocking} />
        </div>
      ) : null}
      {blocking.question ? <LazyReachDialog question={blocking.question} onClose={blocking.close} /> : null}
      {rows.length > 10 ? (
        <div className="flex items-center gap-3 border-b border-line px-4 py-2">
          <Input
            type="search"
            size="sm"
            lead={<Search aria-hidden />}
            aria-label="Search the list"
            placeholder="Search the list"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="max-w-64"
          />
          <span className="tabular text-13 text-muted" role="status">
            {formatCount(found.length)} of {formatCount(rows.length)}
          </span>
        </div>
      ) : null}
      <DataTable
        caption={text.title}
        columns={columns}
        rows={found.slice(0, drawn)}
        rowKey={(row) => row.id}
        empty={
          query === "" ? (
            <EmptyState title={text.empty} className="py-8">
              {mayManage ? text.emptyHint : null}
            </EmptyState>
          ) : (
            <EmptyState
              title="Nothing matches"
              className="py-8"
              action={
                <Button size="sm" onClick={() => setSearch("")}>
                  Show the whole list
                </Button>
              }
            />
          )
        }
      />
      {found.length > drawn ? (
        <div className="border-t border-line p-3 text-center">
          <Button size="sm" onClick={() => setDrawn(drawn + STEP * 4)}>
            Show more
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function columnsOf<K extends BlockKind>(
  kind: K,
  mayUnblock: (entry: BlockEntry<K>) => boolean,
  unblock: Blocking["unblock"],
): Column<BlockEntry<K>>[] {
  const { columns, nameOf } = panelOf(kind);
  const shared: Column<BlockEntry<K>>[] = [
    {
      key: "notes",
      header: "Note",
      cell: (entry) => <span title={entry.notes ?? undefined}>{entry.notes ?? "–"}</span>,
    },
    {
      key: "matches",
      header: "Posts",
      numeric: true,
      width: "5rem",
      cell: (entry) => (
        <span title="Posts that are rejected or held because of it">{formatCount(entry.matches)}</span>
      ),
    },
    {
      key: "since",
      header: "Since",
      width: "8rem",
      cell: (entry) => <RelativeTime at={entry.created_at} />,
    },
  ];
  return [
    ...columns,
    ...shared,
    {
      key: "act",
      header: "Actions",
      hideHeader: true,
      width: "6rem",
      cell: (entry) =>
        mayUnblock(entry) ? (
          <AlertDialog
            title={`Unblock ${nameOf(entry)}?`}
            description="Posts that it holds can be handed out again. Posts that it rejected when it was set wait for review again; those rejected at a fetch stay rejected."
            confirm="Unblock"
            onConfirm={() => void unblock(kind, entry.id, nameOf(entry))}
            trigger={
              <Button size="sm" variant="ghost" aria-label={`Unblock ${nameOf(entry)}`}>
                Unblock
              </Button>
            }
          />
        ) : null,
    },
  ];
}

function BlockForm<K extends BlockKind>({ kind, blocking }: { kind: K; blocking: Blocking }) {
  const { blank, fields, bodyOf, writtenName } = panelOf(kind);
  const mayManage = useCan("admin");
  const [draft, setDraft] = useState(blank);
  const block = useMutation<typeof draft>((written) =>
    blocking.ask({
      kind,
      body: bodyOf(written),
      name: writtenName(written),
      onDone: () => setDraft(blank),
    }),
  );
  const errors = formErrors(kind === "user" ? fieldErrors : blockedHashtagErrors, block.failure);
  const [main, ...advanced] = fields;
  const fieldOf = ({ name, label, hint, options }: typeof main, isMain: boolean) => {
    const set = (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value });
    return (
      <Field
        key={name}
        label={label}
        hint={hint?.(draft, mayManage)}
        error={errors.at(name) ?? (isMain ? errors.form : undefined)}
        optional={name === "notes"}
      >
        {options ? (
          <Select value={draft[name]} onChange={set} options={options} />
        ) : (
          <Input required={isMain} autoCapitalize="none" value={draft[name]} onChange={set} />
        )}
      </Field>
    );
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void block.run(draft);
      }}
    >
      <div className="grid items-start gap-3 desk:grid-cols-[1fr_auto]">
        {fieldOf(main, true)}
        <Button type="submit" variant="primary" pending={block.pending} className="desk:mt-5.5">
          Block
        </Button>
      </div>
      <details>
        <summary className="min-h-6 text-13">Advanced</summary>
        <div className="mt-2 grid items-start gap-3 desk:grid-cols-2">
          {advanced
            .filter(({ options }) => options === undefined || mayManage)
            .map((field) => fieldOf(field, false))}
        </div>
      </details>
    </form>
  );
}
