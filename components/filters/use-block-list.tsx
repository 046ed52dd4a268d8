import { Button, buttonClass } from "#components/ui/button.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { ImportDialog } from "./import-dialog.tsx";

const w = words.filters;
const refresh = ["/reblog-controls*", "/curated*", "/posts*"];

export interface BlockEntry {
  id: number;
  notes: string | null;
  matches: number;
  created_at: string;
}

/** What tells one block list from the other. */
export interface BlockList<Entry extends BlockEntry, Draft extends { notes: string }> {
  kind: "hashtags" | "users";
  path: string;
  /** An entry in a sentence. */
  nameOf: (entry: Entry) => string;
  /** One for each entry there can be: what is said later of the same entry replaces what was said before. */
  keyOf: (entry: Entry) => string;
  /** What was filled in to make it. */
  draftOf: (entry: Entry) => Draft;
}

/** Takes an entry off the list; `undo` goes into the message. */
function useTakeOff<Entry extends BlockEntry, Draft extends { notes: string }>(
  { path, nameOf, keyOf }: BlockList<Entry, Draft>,
  undo?: (entry: Entry) => void,
) {
  return useMutation<Entry>((entry) => apiFetch(`${path}/${entry.id}`, { method: "DELETE" }), {
    refresh,
    onDone: (_nothing, entry) =>
      notifyDone(w.unblocked(nameOf(entry)), {
        id: keyOf(entry),
        ...(undo ? { undo: () => undo(entry) } : {}),
      }),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
}

/** Puts an entry on the list; the message takes it off again. */
export function useBlock<Entry extends BlockEntry, Draft extends { notes: string }>(
  list: BlockList<Entry, Draft>,
  onDone?: () => void,
) {
  const takeBack = useTakeOff(list);
  return useMutation<Draft, Entry>(
    (draft) => apiFetch(list.path, { method: "POST", body: { ...draft, notes: draft.notes || null } }),
    {
      refresh,
      onDone: (entry) => {
        onDone?.();
        notifyDone(w.blocked(list.nameOf(entry)), {
          id: list.keyOf(entry),
          undo: () => void takeBack.run(entry),
        });
      },
    },
  );
}

/**
 * A list as its panel takes it.
 * @param first the columns that tell its entries apart
 */
export function useBlockList<Entry extends BlockEntry, Draft extends { notes: string }>(
  list: BlockList<Entry, Draft>,
  fallback: Entry[],
  first: Column<Entry>[],
) {
  const mayManage = useCan("admin");
  const { data: rows = fallback } = useApi<Entry[]>(list.path, { fallback });
  const restore = useBlock(list);
  const unblock = useTakeOff(list, (entry) => void restore.run(list.draftOf(entry)));
  const columns: Column<Entry>[] = [
    ...first,
    {
      key: "notes",
      header: w.notes,
      cell: (entry) => <span title={entry.notes ?? undefined}>{entry.notes ?? "–"}</span>,
    },
    {
      key: "matches",
      header: w.matches,
      numeric: true,
      width: "5rem",
      cell: (entry) => <span title={w.matchesHint}>{formatCount(entry.matches)}</span>,
    },
    {
      key: "since",
      header: w.since,
      width: "8rem",
      cell: (entry) => <RelativeTime at={entry.created_at} />,
    },
  ];
  if (mayManage) {
    columns.push({
      key: "act",
      header: words.common.actions,
      hideHeader: true,
      width: "6rem",
      cell: (entry) => (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`${w.unblock} ${list.nameOf(entry)}`}
          onClick={() => void unblock.run(entry)}
        >
          {w.unblock}
        </Button>
      ),
    });
  }
  const actions = (
    <>
      {mayManage ? <ImportDialog kind={list.kind} /> : null}
      <a href={`/api/v1${list.path}.csv`} download className={buttonClass("quiet", "sm")}>
        {w.export}
      </a>
    </>
  );
  return { mayManage, rows, columns, actions, rowKey: (entry: Entry) => entry.id };
}
