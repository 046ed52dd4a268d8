"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { words } from "#components/words/en.ts";
import type { BlockedHashtag } from "#lib/filters/schema.ts";
import { BlockListPanel } from "./block-list-panel.tsx";
import { useBlock, useBlockList, type BlockList } from "./use-block-list.tsx";

const w = words.filters;
const blank = { hashtag: "", notes: "" };
const list: BlockList<BlockedHashtag, typeof blank> = {
  kind: "hashtags",
  path: "/reblog-controls/blocked-hashtags",
  nameOf: (tag) => `#${tag.hashtag}`,
  keyOf: (tag) => `#${tag.hashtag}`,
  draftOf: ({ hashtag, notes }) => ({ hashtag, notes: notes ?? "" }),
};
const columns: Column<BlockedHashtag>[] = [
  {
    key: "hashtag",
    header: w.hashtag,
    primary: true,
    cell: (tag) => <span title={`#${tag.hashtag}`}>#{tag.hashtag}</span>,
  },
];

/** Blocked hashtags. */
export function BlockedHashtagsPanel({ hashtags }: { hashtags: BlockedHashtag[] }) {
  const { mayManage, ...table } = useBlockList(list, hashtags, columns);
  return (
    <BlockListPanel
      title={w.blockedHashtags}
      hint={w.blockedHashtagsHint}
      empty={w.blockedHashtagsEmpty}
      emptyHint={w.blockedHashtagsEmptyHint}
      form={mayManage ? <BlockHashtagForm /> : undefined}
      textOf={hashtagOf}
      {...table}
    />
  );
}

function hashtagOf(tag: BlockedHashtag): string {
  return `#${tag.hashtag} ${tag.notes ?? ""}`;
}

function BlockHashtagForm() {
  const [draft, setDraft] = useState(blank);
  const block = useBlock(list, () => setDraft(blank));
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
