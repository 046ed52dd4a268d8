"use client";
import { useState } from "react";
import type { Link, Member } from "#lib/accounts/member-schema.ts";
import { useApi } from "#lib/client/use-api.ts";
import { LinkDialog, type OneTimeLink } from "./link-dialog.tsx";
import { LinksPanel } from "./links-panel.tsx";
import { MemberTable } from "./member-table.tsx";

export interface MembersBoardProps {
  members: { items: Member[]; total: number };
  links: { items: Link[]; total: number };
}

export function MembersBoard({ members, links }: MembersBoardProps) {
  const people = useApi<MembersBoardProps["members"]>("/members?limit=1000", { fallback: members });
  const open = useApi<MembersBoardProps["links"]>("/members/links", { fallback: links });
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
      <LinksPanel list={open} />
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </div>
  );
}
