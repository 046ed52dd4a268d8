"use client";
import { scopeWords } from "#components/words.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Badge, StatePill } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { useNow } from "#components/ui/clock-context.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import type { ApiKey, GeneratedKey } from "#lib/accounts/key-schema.ts";
import { GenerateKeyDialog } from "./generate-key-dialog.tsx";
import { streamNames, type NamedStream, type ScopeName } from "./key-facts.ts";
import { RevokeButton } from "./revoke-button.tsx";

export interface KeyTableProps {
  keys: ApiKey[];
  streams: NamedStream[];
  scopes: ScopeName[];
  onGenerated: (key: GeneratedKey) => void;
}

export function KeyTable({ keys, streams, scopes, onGenerated }: KeyTableProps) {
  const seesAll = useCan("admin");
  const columns: Column<ApiKey>[] = [
    {
      key: "key",
      header: "Key",
      primary: true,
      wrap: true,
      cell: (key) => (
        <>
          <span id={`key-${key.id}`} className="block scroll-mt-16">
            <Link href={`/settings/keys/${key.id}`}>{key.name}</Link>
          </span>
          <code className="font-mono text-12 font-normal text-muted">
            {key.prefix}…{key.last_characters}
          </code>
        </>
      ),
    },
    {
      key: "scopes",
      header: "Scopes",
      width: "13rem",
      cell: (key) => (
        <span className="flex flex-wrap gap-1">
          {key.scopes.map((scope) => (
            <Badge key={scope} title={scopeWords[scope].hint}>
              {scopeWords[scope].name}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      key: "streams",
      header: "Streams",
      wrap: true,
      cell: (key) => streamNames(key.stream_ids, streams),
    },
    { key: "expires", header: "Expires", width: "9rem", cell: (key) => <KeyExpiry at={key.expires_at} /> },
    {
      key: "used",
      header: "Last asked",
      width: "7rem",
      cell: (key) => <RelativeTime at={key.last_asked_at} fallback="Never" />,
    },
    ...(seesAll
      ? [
          {
            key: "maker",
            header: "Created by",
            width: "9rem",
            cell: (key: ApiKey) => (
              <span dir="auto" className="block desk:max-w-36 desk:truncate" title={key.created_by}>
                {key.created_by}
              </span>
            ),
          } satisfies Column<ApiKey>,
        ]
      : []),
    {
      key: "act",
      header: "Actions",
      hideHeader: true,
      width: "6rem",
      cell: (apiKey) => (
        <span className="flex desk:justify-end">
          <RevokeButton apiKey={apiKey} />
        </span>
      ),
    },
  ];
  return (
    <Panel
      title="Keys"
      description="Programs use a key to sign in. A key never has more rights than its owner."
      actions={<GenerateKeyDialog streams={streams} scopes={scopes} onGenerated={onGenerated} />}
      flush
    >
      <DataTable
        caption="Keys"
        columns={columns}
        rows={keys}
        rowKey={(key) => key.id}
        density="comfortable"
        empty={<EmptyState title="No API keys yet">A boost bot needs one to take approved posts.</EmptyState>}
      />
    </Panel>
  );
}

function KeyExpiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at !== null && Date.parse(at) <= now) return <StatePill state="expired" />;
  return <Expiry at={at} fallback="Never" />;
}
