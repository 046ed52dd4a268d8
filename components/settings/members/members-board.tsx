"use client";
import { useState } from "react";
import { useApi } from "#lib/client/use-api.ts";
import type { Invitation, Member } from "#lib/members/schema.ts";
import { InvitationsPanel } from "./invitations-panel.tsx";
import { LinkDialog, type OneTimeLink } from "./link-dialog.tsx";
import { MemberTable } from "./member-table.tsx";

export interface MembersBoardProps {
  members: { items: Member[]; total: number };
  invitations: { items: Invitation[]; total: number };
}

export function MembersBoard({ members, invitations }: MembersBoardProps) {
  const people = useApi<MembersBoardProps["members"]>("/members?limit=1000", { fallback: members });
  const open = useApi<MembersBoardProps["invitations"]>("/members/invitations", { fallback: invitations });
  const [link, setLink] = useState<OneTimeLink>();
  const now = people.data ?? members;
  // Nothing jumps back before the reload.
  const putBack = (changed: Member) =>
    void people.reload({
      ...now,
      items: now.items.map((each) => (each.id === changed.id ? changed : each)),
    });
  return (
    <div className="space-y-6">
      <MemberTable list={people} onLink={setLink} onChanged={putBack} />
      <InvitationsPanel list={open} />
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </div>
  );
}
