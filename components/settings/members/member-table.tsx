"use client";
import { useMember } from "#components/shell/member-context.tsx";
import { StatePill } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import type { Member } from "#lib/accounts/member-schema.ts";
import { decisionList } from "#lib/client/figure-lists.ts";
import type { ApiState } from "#lib/client/use-api.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import type { OneTimeLink } from "./link-dialog.tsx";
import { MemberActions } from "./member-actions.tsx";
import { RoleSelect } from "./role-select.tsx";

const w = words.settings;

export interface MemberTableProps {
  list: ApiState<{ items: Member[]; total: number }>;
  onLink: (link: OneTimeLink) => void;
  onChanged: (member: Member) => void;
}

export function MemberTable({ list, onLink, onChanged }: MemberTableProps) {
  const me = useMember();
  const columns: Column<Member>[] = [
    {
      key: "member",
      header: w.member,
      primary: true,
      cell: (member) => (
        <>
          <span dir="auto" className="block desk:truncate">
            <Link href={decisionList({ reviewer: member.id })} tone="plain" prefetch={false}>
              {member.name}
            </Link>
            {member.id === me.id ? <span className="font-normal text-muted"> ({w.you})</span> : null}
          </span>
          <span className="block text-12 font-normal text-muted desk:truncate">{member.email}</span>
        </>
      ),
    },
    {
      key: "role",
      header: w.role,
      width: "10rem",
      cell: (member) => <RoleSelect member={member} onChanged={onChanged} />,
    },
    {
      key: "state",
      header: w.state,
      width: "8rem",
      cell: (member) => <StatePill state={member.disabled_at === null ? "active" : "disabled"} />,
    },
    {
      key: "seen",
      header: w.lastSignIn,
      width: "9rem",
      cell: (member) => (
        <>
          <RelativeTime at={member.last_sign_in_at} fallback={words.common.never} />
          {member.has_password ? null : <span className="block text-12 text-muted">{w.noPassword}</span>}
        </>
      ),
    },
    {
      key: "act",
      header: words.common.actions,
      hideHeader: true,
      width: "4rem",
      cell: (member) => (
        <span className="flex max-desk:absolute max-desk:end-2 max-desk:top-2 desk:justify-end">
          <MemberActions member={member} onLink={onLink} onChanged={onChanged} />
        </span>
      ),
    },
  ];
  return (
    <Panel title={w.members} description={w.membersHint} actions={<InviteDialog onLink={onLink} />} flush>
      {list.failure && !list.data ? (
        <ErrorState
          title={w.membersFailed}
          failure={list.failure}
          onRetry={() => void list.reload()}
          retrying={list.refreshing}
        />
      ) : (
        <DataTable
          caption={w.members}
          columns={columns}
          rows={list.data?.items ?? []}
          rowKey={(member) => member.id}
          density="comfortable"
        />
      )}
    </Panel>
  );
}
