import type { Metadata } from "next";
import { KeysBoard } from "#components/settings/keys/keys-board.tsx";
import { keyStatus } from "#lib/accounts/api-keys.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { env } from "#lib/base/env.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { listStreams } from "#lib/collect/read-streams.ts";

export const metadata: Metadata = { title: "Keys" };

export default async function KeysPage() {
  const { id, role } = await requireMember();
  const [status, streams] = await Promise.all([
    keyStatus({ scopes: scopesOf(role), member_id: id }),
    listStreams({ skip: 0, limit: 1000 }),
  ]);
  return (
    <KeysBoard
      status={status}
      streams={streams.items.map((stream) => ({
        id: stream.id,
        hashtag: stream.hashtag,
        instance: stream.instance,
      }))}
      scopes={[...scopesOf(role)]}
      publicUrl={env().PUBLIC_URL}
      reserveSeconds={env().RESERVE_TIMEOUT_SECONDS}
    />
  );
}
