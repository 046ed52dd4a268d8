"use client";
import { useState } from "react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { BlockedUser, PatternType } from "#lib/filters/schema.ts";
import { BlockListPanel } from "./block-list-panel.tsx";
import { ImportDialog } from "./import-dialog.tsx";

const w = words.filters;
const path = "/reblog-controls/blocked-users";
const refresh = ["/reblog-controls*", "/curated*", "/posts*"];
type Draft = Pick<BlockedUser, "account_identifier" | "pattern_type"> & { notes: string };
const blank: Draft = { account_identifier: "", pattern_type: "exact", notes: "" };

/** Puts an entry on the list; the toast takes it off again. What is said later of the same entry replaces it. */
function useBlock(onDone?: () => void) {
  const takeBack = useMutation<BlockedUser>((user) => apiFetch(`${path}/${user.id}`, { method: "DELETE" }), {
    refresh,
    onDone: (_nothing, user) =>
      notifyDone(w.unblocked(user.account_identifier), {
        id: `${user.pattern_type} ${user.account_identifier}`,
      }),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  return useMutation<Draft, BlockedUser>(
    (draft) => apiFetch(path, { method: "POST", body: { ...draft, notes: draft.notes || null } }),
    {
      refresh,
      onDone: (user) => {
        onDone?.();
        notifyDone(w.blocked(user.account_identifier), {
          id: `${user.pattern_type} ${user.account_identifier}`,
          undo: () => void takeBack.run(user),
        });
      },
    },
  );
}

/** Blocked accounts and patterns. */
export function BlockedUsersPanel({ users }: { users: BlockedUser[] }) {
  const mayManage = useCan("admin");
  const { data = users } = useApi<BlockedUser[]>(path, { fallback: users });
  const restore = useBlock();
  const unblock = useMutation<BlockedUser>((user) => apiFetch(`${path}/${user.id}`, { method: "DELETE" }), {
    refresh,
    onDone: (_nothing, user) =>
      notifyDone(w.unblocked(user.account_identifier), {
        id: `${user.pattern_type} ${user.account_identifier}`,
        undo: () => void restore.run({ ...user, notes: user.notes ?? "" }),
      }),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  const columns: Column<BlockedUser>[] = [
    {
      key: "account",
      header: w.account,
      primary: true,
      cell: (user) => <span title={user.account_identifier}>{user.account_identifier}</span>,
    },
    { key: "kind", header: w.kind, width: "8rem", cell: (user) => w.kinds[user.pattern_type] },
    {
      key: "notes",
      header: w.notes,
      cell: (user) => <span title={user.notes ?? undefined}>{user.notes ?? "–"}</span>,
    },
    {
      key: "matches",
      header: w.matches,
      numeric: true,
      width: "5rem",
      cell: (user) => <span title={w.matchesHint}>{formatCount(user.matches)}</span>,
    },
    { key: "since", header: w.since, width: "8rem", cell: (user) => <RelativeTime at={user.created_at} /> },
  ];
  if (mayManage) {
    columns.push({
      key: "act",
      header: words.common.actions,
      hideHeader: true,
      width: "6rem",
      cell: (user) => (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`${w.unblock} ${user.account_identifier}`}
          onClick={() => void unblock.run(user)}
        >
          {w.unblock}
        </Button>
      ),
    });
  }
  return (
    <BlockListPanel
      title={w.blockedUsers}
      hint={w.blockedUsersHint}
      empty={w.blockedUsersEmpty}
      emptyHint={w.blockedUsersEmptyHint}
      actions={
        <>
          {mayManage ? <ImportDialog kind="users" /> : null}
          <a href={`/api/v1${path}.csv`} download className={buttonClass("quiet", "sm")}>
            {w.export}
          </a>
        </>
      }
      form={mayManage ? <BlockUserForm /> : undefined}
      columns={columns}
      rows={data}
      rowKey={(user) => user.id}
      textOf={accountOf}
    />
  );
}

function accountOf(user: BlockedUser): string {
  return `${user.account_identifier} ${user.notes ?? ""}`;
}

function BlockUserForm() {
  const [draft, setDraft] = useState(blank);
  const block = useBlock(() => setDraft(blank));
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
