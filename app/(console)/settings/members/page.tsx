import type { Metadata } from "next";
import { MembersBoard } from "#components/settings/members/members-board.tsx";
import { words } from "#components/words/en.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { listMembers } from "#lib/members/accounts.ts";
import { listLinks } from "#lib/members/links-made.ts";

export const metadata: Metadata = { title: words.settings.members };

export default async function MembersPage() {
  await requireRole("admin");
  const [members, links] = await Promise.all([listMembers({ skip: 0, limit: 1000 }), listLinks()]);
  return <MembersBoard members={members} links={links} />;
}
