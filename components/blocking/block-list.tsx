"use client";
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useState } from "react";
import { formatCount } from "#components/format.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { Input, Select } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { blockKinds } from "#components/words.ts";
import { storedType, writtenDomain, type BlockEntry, type BlockKind } from "#lib/blocking/schema.ts";
import { formText } from "#lib/client/form-text.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { blockPaths, domainBody, useBlocking } from "./use-blocking.ts";

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
  "": "Export CSV",
  "?form=domains": "Domains for Mastodon",
  "?form=accounts": "Accounts for Mastodon",
} as const;

/** Rows shown at first, because a list may have ten thousand. */
const ROWS_AT_FIRST = 50;

interface BlockRow {
  id: number;
  name: string;
  /** How an account or domain is compared. Null for hashtags. */
  matching: string | null;
  /** A block of one account. Reviewers may add and remove these. */
  isSingle: boolean;
  notes: string | null;
  matches: number;
  created_at: string;
}

function rowOf(entry: BlockEntry<BlockKind>): BlockRow {
  if ("hashtag" in entry) return { ...entry, name: `#${entry.hashtag}`, matching: null, isSingle: false };
  const { account_identifier: written } = entry;
  const matching = blockKinds[storedType(entry)];
  const name = entry.subdomains ? written.slice(1) : written;
  return { ...entry, name, matching, isSingle: entry.pattern_type === "exact" };
}

export function BlockList({ kind, entries }: { kind: BlockKind; entries: readonly BlockEntry<BlockKind>[] }) {
  const rows = entries.map(rowOf);
  const text = lists[kind];
  const router = useRouter();
  const mayManage = useCan("admin");
  const mayReview = useCan("reviewer");
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState(ROWS_AT_FIRST);
  const query = useDeferredValue(search.trim().toLowerCase());
  const found = rows.filter(({ name, notes }) => `${name} ${notes ?? ""}`.toLowerCase().includes(query));
  const blocking = useBlocking({ settled: () => router.refresh() });
  const columns: Column<BlockRow>[] = [
    {
      key: "name",
      header: kind === "user" ? "Account or domain" : "Hashtag",
      primary: true,
      cell: ({ name }) => (
        <span dir="auto" title={name}>
          {name}
        </span>
      ),
    },
    { key: "matching", header: "Matches", width: "8rem", cell: (row) => row.matching },
    {
      key: "notes",
      header: "Note",
      cell: ({ notes }) => <span title={notes ?? undefined}>{notes ?? "–"}</span>,
    },
    {
      key: "matches",
      header: "Posts",
      numeric: true,
      width: "5rem",
      cell: ({ matches }) => (
        <span title="Posts that are rejected or held because of it">{formatCount(matches)}</span>
      ),
    },
    { key: "since", header: "Since", width: "8rem", cell: (row) => <RelativeTime at={row.created_at} /> },
    {
      key: "act",
      header: "Actions",
      hideHeader: true,
      width: "6rem",
      cell: ({ id, name, isSingle }) =>
        mayManage || (mayReview && isSingle) ? (
          <AlertDialog
            title={`Unblock ${name}?`}
            description="Posts that it holds can be handed out again. Posts that it rejected when it was set wait for review again; those rejected at a fetch stay rejected."
            confirm="Unblock"
            onConfirm={() => void blocking.unblock(kind, id, name)}
            trigger={
              <Button size="sm" variant="ghost" aria-label={`Unblock ${name}`}>
                Unblock
              </Button>
            }
          />
        ) : null,
    },
  ];
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
                href={`/api/v1${blockPaths.user}.csv${form}`}
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
      {mayManage || (mayReview && kind === "user") ? <BlockForm kind={kind} ask={blocking.ask} /> : null}
      {blocking.dialog}
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
        columns={columns.filter(({ key }) => kind === "user" || key !== "matching")}
        rows={found.slice(0, shown)}
        rowKey={(row) => row.id}
        empty={
          query === "" ? (
            <EmptyState title={text.empty} className="py-8">
              {mayManage ? text.emptyHint : null}
            </EmptyState>
          ) : (
            <EmptyState title="Nothing matches" className="py-8" />
          )
        }
      />
      {found.length > shown ? (
        <div className="border-t border-line p-3 text-center">
          <Button size="sm" onClick={() => setShown(shown + ROWS_AT_FIRST * 4)}>
            Show more
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

const errorsOf = {
  account_identifier: "Enter an account such as @ana@mastodon.social, or for other matches a part of one.",
  hashtag: "Enter one hashtag without spaces or signs, such as photography.",
  notes: "Use at most 2000 characters.",
};

/** Value of the form: what is typed decides whether it is an account or a domain. */
const AUTO = "auto";

function BlockForm({ kind, ask }: { kind: BlockKind; ask: ReturnType<typeof useBlocking>["ask"] }) {
  const mayManage = useCan("admin");
  const isUser = kind === "user";
  const block = useMutation<HTMLFormElement>((form) => {
    const given = new FormData(form);
    const [what, notes] = [formText(given, "what"), formText(given, "notes")];
    const pattern_type = formText(given, "pattern_type") || AUTO;
    const domain = pattern_type === AUTO ? writtenDomain(what) : null;
    const account =
      domain === null
        ? { account_identifier: what, pattern_type: pattern_type === AUTO ? "exact" : pattern_type }
        : domainBody(domain);
    return ask({
      kind,
      body: { ...(isUser ? account : { hashtag: what }), notes: notes || null },
      name: isUser ? (domain ?? what) : `#${what.replace(/^#/, "")}`,
      onDone: () => form.reset(),
    });
  });
  const errors = formErrors(errorsOf, block.failure);
  return (
    <form
      className="flex flex-col gap-2 border-b border-line px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void block.run(event.currentTarget);
      }}
    >
      <div className="grid items-start gap-3 desk:grid-cols-[1fr_auto]">
        <Field
          label={isUser ? "Account or domain" : "Hashtag"}
          hint={
            isUser ? `@user@host, or the address of a profile${mayManage ? ", or a domain" : ""}` : undefined
          }
          error={errors.at(isUser ? "account_identifier" : "hashtag") ?? errors.form}
        >
          <Input name="what" required autoCapitalize="none" />
        </Field>
        <Button type="submit" variant="primary" pending={block.pending} className="desk:mt-5.5">
          Block
        </Button>
      </div>
      <details>
        <summary className="min-h-6 text-13">Advanced</summary>
        <div className="mt-2 grid items-start gap-3 desk:grid-cols-2">
          {isUser && mayManage ? (
            <Field label="Matches">
              <Select
                name="pattern_type"
                options={[
                  { value: AUTO, label: "the account or domain" },
                  ...(["suffix", "prefix", "contains"] as const).map((value) => ({
                    value,
                    label: blockKinds[value],
                  })),
                ]}
              />
            </Field>
          ) : null}
          <Field label="Note" optional error={errors.at("notes")}>
            <Input name="notes" />
          </Field>
        </div>
      </details>
    </form>
  );
}
