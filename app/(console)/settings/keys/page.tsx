import type { Metadata } from "next";
import { ConnectPanel } from "#components/settings/keys/connect-panel.tsx";
import { KeysBoard } from "#components/settings/keys/keys-board.tsx";
import { keyStatus } from "#lib/accounts/api-keys.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { env } from "#lib/base/env.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { listStreams } from "#lib/collect/read-streams.ts";

export const metadata: Metadata = { title: "Bots" };

export default async function KeysPage() {
  const { id, role } = await requireMember();
  const [status, streams] = await Promise.all([
    keyStatus({ scopes: scopesOf(role), member_id: id }),
    listStreams({ skip: 0, limit: 1000 }),
  ]);
  const { PUBLIC_URL, RESERVE_TIMEOUT_SECONDS } = env();
  return (
    <div className="space-y-6">
      <KeysBoard
        keys={status.keys}
        streams={streams.items.map(({ id: stream, hashtag, instance }) => ({
          id: stream,
          hashtag,
          instance,
        }))}
        scopes={[...scopesOf(role)]}
        publicUrl={PUBLIC_URL}
      />
      <ConnectPanel publicUrl={PUBLIC_URL} reserveSeconds={RESERVE_TIMEOUT_SECONDS} />
    </div>
  );
}
