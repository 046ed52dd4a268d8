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

/** Who works here and who is invited. Links stand in a window of their own: they are shown once. */
export function MembersBoard({ members, invitations }: MembersBoardProps) {
  const people = useApi<MembersBoardProps["members"]>("/members?limit=1000", { fallback: members });
  const open = useApi<MembersBoardProps["invitations"]>("/members/invitations", { fallback: invitations });
  const [link, setLink] = useState<OneTimeLink>();
  return (
    <div className="space-y-6">
      <MemberTable list={people} onLink={setLink} />
      <InvitationsPanel list={open} />
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </div>
  );
}
