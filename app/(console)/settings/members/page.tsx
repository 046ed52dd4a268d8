import type { Metadata } from "next";
import { LinksPanel } from "./links-panel.tsx";
import { MemberTable } from "./member-table.tsx";
import { ReasonsBoard } from "./reasons-board.tsx";
import { listMembers } from "#lib/accounts/accounts.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { listLinks } from "#lib/accounts/links.ts";
import { listRejectReasons } from "#lib/review/reject-reasons.ts";

export const metadata: Metadata = { title: "Team" };

export default async function MembersPage() {
  const { role } = await requireMember();
  if (role !== "admin") return <p>Only admins see the team.</p>;
  const [members, links, reasons] = await Promise.all([listMembers(), listLinks(), listRejectReasons()]);
  return (
    <div className="space-y-6">
      <MemberTable members={members} />
      <LinksPanel links={links} />
      <ReasonsBoard reasons={reasons} />
    </div>
  );
}
