"use client";
import { useState } from "react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { BlockedHashtag } from "#lib/filters/schema.ts";
import { BlockListPanel } from "./block-list-panel.tsx";
import { ImportDialog } from "./import-dialog.tsx";

const w = words.filters;
const path = "/reblog-controls/blocked-hashtags";
const refresh = ["/reblog-controls*", "/curated*", "/posts*"];
interface Draft {
  hashtag: string;
  notes: string;
}

/** Puts an entry on the list; the toast takes it off again. What is said later of the same entry replaces it. */
function useBlock(onDone?: () => void) {
  const takeBack = useMutation<BlockedHashtag>((tag) => apiFetch(`${path}/${tag.id}`, { method: "DELETE" }), {
    refresh,
    onDone: (_nothing, tag) => notifyDone(w.unblocked(`#${tag.hashtag}`), { id: `#${tag.hashtag}` }),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  return useMutation<Draft, BlockedHashtag>(
    ({ hashtag, notes }) => apiFetch(path, { method: "POST", body: { hashtag, notes: notes || null } }),
    {
      refresh,
      onDone: (tag) => {
        onDone?.();
        notifyDone(w.blocked(`#${tag.hashtag}`), {
          id: `#${tag.hashtag}`,
          undo: () => void takeBack.run(tag),
        });
      },
    },
  );
}

/** Blocked hashtags. */
export function BlockedHashtagsPanel({ hashtags }: { hashtags: BlockedHashtag[] }) {
  const mayManage = useCan("admin");
  const { data = hashtags } = useApi<BlockedHashtag[]>(path, { fallback: hashtags });
  const restore = useBlock();
  const unblock = useMutation<BlockedHashtag>((tag) => apiFetch(`${path}/${tag.id}`, { method: "DELETE" }), {
    refresh,
    onDone: (_nothing, tag) =>
      notifyDone(w.unblocked(`#${tag.hashtag}`), {
        id: `#${tag.hashtag}`,
        undo: () => void restore.run({ hashtag: tag.hashtag, notes: tag.notes ?? "" }),
      }),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  const columns: Column<BlockedHashtag>[] = [
    {
      key: "hashtag",
      header: w.hashtag,
      primary: true,
      cell: (tag) => <span title={`#${tag.hashtag}`}>#{tag.hashtag}</span>,
    },
    {
      key: "notes",
      header: w.notes,
      cell: (tag) => <span title={tag.notes ?? undefined}>{tag.notes ?? "–"}</span>,
    },
    {
      key: "matches",
      header: w.matches,
      numeric: true,
      width: "5rem",
      cell: (tag) => <span title={w.matchesHint}>{formatCount(tag.matches)}</span>,
    },
    { key: "since", header: w.since, width: "8rem", cell: (tag) => <RelativeTime at={tag.created_at} /> },
  ];
  if (mayManage) {
    columns.push({
      key: "act",
      header: words.common.actions,
      hideHeader: true,
      width: "6rem",
      cell: (tag) => (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`${w.unblock} #${tag.hashtag}`}
          onClick={() => void unblock.run(tag)}
        >
          {w.unblock}
        </Button>
      ),
    });
  }
  return (
    <BlockListPanel
      title={w.blockedHashtags}
      hint={w.blockedHashtagsHint}
      empty={w.blockedHashtagsEmpty}
      emptyHint={w.blockedHashtagsEmptyHint}
      actions={
        <>
          {mayManage ? <ImportDialog kind="hashtags" /> : null}
          <a href={`/api/v1${path}.csv`} download className={buttonClass("quiet", "sm")}>
            {w.export}
          </a>
        </>
      }
      form={mayManage ? <BlockHashtagForm /> : undefined}
      columns={columns}
      rows={data}
      rowKey={(tag) => tag.id}
      textOf={hashtagOf}
    />
  );
}

function hashtagOf(tag: BlockedHashtag): string {
  return `#${tag.hashtag} ${tag.notes ?? ""}`;
}

function BlockHashtagForm() {
  const [draft, setDraft] = useState<Draft>({ hashtag: "", notes: "" });
  const block = useBlock(() => setDraft({ hashtag: "", notes: "" }));
  return (
    <form
      className="grid items-start gap-3 desk:grid-cols-[2fr_3fr_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        void block.run(draft);
      }}
    >
      <Field label={w.hashtag} error={block.failure?.fieldError("hashtag") ?? block.failure?.detail}>
        <Input
          required
          autoCapitalize="none"
          value={draft.hashtag}
          onChange={(event) => setDraft({ ...draft, hashtag: event.target.value })}
        />
      </Field>
      <Field label={w.notes} optional>
        <Input value={draft.notes} onChange={(event) => setDraft({ ...draft, notes: event.target.value })} />
      </Field>
      <Button type="submit" variant="primary" pending={block.pending} className="desk:mt-5.5">
        {w.block}
      </Button>
    </form>
  );
}
