"use client";
import { useState } from "react";
import { useMember } from "#components/shell/member-context.tsx";
import { StatePill } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { Member } from "#lib/accounts/member-schema.ts";
import { decisionList } from "#lib/client/figure-lists.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { LinkDialog, type OneTimeLink } from "./link-dialog.tsx";
import { MemberActions } from "./member-actions.tsx";
import { RoleSelect } from "./role-select.tsx";

export function MemberTable({ members }: { members: Member[] }) {
  const [link, setLink] = useState<OneTimeLink>();
  const me = useMember();
  const columns: Column<Member>[] = [
    {
      key: "member",
      header: "Member",
      primary: true,
      cell: (member) => (
        <>
          <span dir="auto" className="block desk:truncate">
            <Link href={decisionList({ reviewer: member.id })} tone="plain" prefetch={false}>
              {member.name}
            </Link>
            {member.id === me.id ? <span className="font-normal text-muted"> (you)</span> : null}
          </span>
          <span className="block text-12 font-normal text-muted desk:truncate">{member.email}</span>
        </>
      ),
    },
    {
      key: "role",
      header: "Role",
      width: "10rem",
      cell: (member) => <RoleSelect member={member} />,
    },
    {
      key: "state",
      header: "State",
      width: "8rem",
      cell: (member) => <StatePill state={member.disabled_at === null ? "active" : "disabled"} />,
    },
    {
      key: "seen",
      header: "Last sign-in",
      width: "9rem",
      cell: (member) => (
        <>
          <RelativeTime at={member.last_sign_in_at} fallback="Never" />
          {member.has_password ? null : <span className="block text-12 text-muted">no password</span>}
        </>
      ),
    },
    {
      key: "act",
      header: "Actions",
      hideHeader: true,
      width: "4rem",
      cell: (member) => (
        <span className="flex max-desk:absolute max-desk:end-2 max-desk:top-2 desk:justify-end">
          <MemberActions member={member} onLink={setLink} />
        </span>
      ),
    },
  ];
  return (
    <Panel
      title="Members"
      description="Changes apply from the member's next request, and to their API keys."
      actions={<InviteDialog onLink={setLink} />}
      flush
    >
      <DataTable
        caption="Members"
        columns={columns}
        rows={members}
        rowKey={(member) => member.id}
        density="comfortable"
      />
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </Panel>
  );
}
