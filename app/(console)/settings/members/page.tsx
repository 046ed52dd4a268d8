import type { Metadata } from "next";
import { MembersBoard } from "#components/settings/members/members-board.tsx";
import { words } from "#components/words/en.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { listInvitations } from "#lib/members/invitations.ts";
import { listMembers } from "#lib/members/accounts.ts";

export const metadata: Metadata = { title: words.settings.members };

export default async function MembersPage() {
  await requireRole("admin");
  const [members, invitations] = await Promise.all([
    listMembers({ skip: 0, limit: 1000 }),
    listInvitations(),
  ]);
  return <MembersBoard members={members} invitations={invitations} />;
}
