import type { Metadata } from "next";
import { ServersPanel } from "#components/settings/servers/servers-panel.tsx";
import { words } from "#components/words/en.ts";
import { requireRole } from "#lib/auth/current-member.ts";
import { listServers } from "#lib/streams/list-servers.ts";

export const metadata: Metadata = { title: words.servers.title };

export default async function ServersPage({
  searchParams,
}: {
  searchParams: Promise<{ server?: string | string[] }>;
}) {
  await requireRole("admin");
  const [list, { server }] = await Promise.all([listServers(), searchParams]);
  return <ServersPanel list={list} server={typeof server === "string" ? server.slice(0, 300) : ""} />;
}
