"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { words } from "#components/words/en.ts";
import type { BlockedUser, PatternType } from "#lib/filters/schema.ts";
import { BlockListPanel } from "./block-list-panel.tsx";
import { useBlock, useBlockList, type BlockList } from "./use-block-list.tsx";

const w = words.filters;
type Draft = Pick<BlockedUser, "account_identifier" | "pattern_type"> & { notes: string };
const blank: Draft = { account_identifier: "", pattern_type: "exact", notes: "" };
const list: BlockList<BlockedUser, Draft> = {
  kind: "users",
  path: "/reblog-controls/blocked-users",
  nameOf: (user) => user.account_identifier,
  keyOf: (user) => `${user.pattern_type} ${user.account_identifier}`,
  draftOf: ({ account_identifier, pattern_type, notes }) => ({
    account_identifier,
    pattern_type,
    notes: notes ?? "",
  }),
};
const columns: Column<BlockedUser>[] = [
  {
    key: "account",
    header: w.account,
    primary: true,
    cell: (user) => <span title={user.account_identifier}>{user.account_identifier}</span>,
  },
  { key: "kind", header: w.kind, width: "8rem", cell: (user) => w.kinds[user.pattern_type] },
];

/** Blocked accounts and patterns. */
export function BlockedUsersPanel({ users }: { users: BlockedUser[] }) {
  const { mayManage, ...table } = useBlockList(list, users, columns);
  return (
    <BlockListPanel
      title={w.blockedUsers}
      hint={w.blockedUsersHint}
      empty={w.blockedUsersEmpty}
      emptyHint={w.blockedUsersEmptyHint}
      form={mayManage ? <BlockUserForm /> : undefined}
      textOf={accountOf}
      {...table}
    />
  );
}

function accountOf(user: BlockedUser): string {
  return `${user.account_identifier} ${user.notes ?? ""}`;
}

function BlockUserForm() {
  const [draft, setDraft] = useState(blank);
  const block = useBlock(list, () => setDraft(blank));
  return (
    <form
      className="grid items-start gap-3 desk:grid-cols-[2fr_9rem_2fr_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        void block.run(draft);
      }}
    >
      <Field
        label={w.account}
        hint={w.accountHint}
        error={block.failure?.fieldError("account_identifier") ?? block.failure?.detail}
      >
        <Input
          required
          autoCapitalize="none"
          value={draft.account_identifier}
          onChange={(event) => setDraft({ ...draft, account_identifier: event.target.value })}
        />
      </Field>
      <Field label={w.kind}>
        <Select
          value={draft.pattern_type}
          onChange={(event) => setDraft({ ...draft, pattern_type: event.target.value as PatternType })}
          options={Object.entries(w.kinds).map(([value, label]) => ({ value, label }))}
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
