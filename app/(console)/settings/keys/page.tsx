import type { Metadata } from "next";
import { keyStatus } from "#lib/accounts/api-keys.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { env } from "#lib/base/env.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { listStreams } from "#lib/collect/streams.ts";
import { ConnectPanel } from "./connect-panel.tsx";
import { KeysBoard } from "./keys-board.tsx";

export const metadata: Metadata = { title: "Bots" };

export default async function KeysPage() {
  const { id: member_id, role } = await requireMember();
  const scopes = scopesOf(role);
  const [{ keys }, streams] = await Promise.all([
    keyStatus({ scopes, member_id }),
    listStreams({ skip: 0, limit: 1000 }),
  ]);
  const { PUBLIC_URL, RESERVE_TIMEOUT_SECONDS } = env();
  return (
    <div className="space-y-6">
      <KeysBoard
        keys={keys}
        streams={streams.items.map(({ id, hashtag, instance }) => ({ id, hashtag, instance }))}
        scopes={[...scopes]}
        publicUrl={PUBLIC_URL}
      />
      <ConnectPanel publicUrl={PUBLIC_URL} reserveSeconds={RESERVE_TIMEOUT_SECONDS} />
    </div>
  );
}
