import type { Metadata } from "next";
import { KeysBoard } from "#components/settings/keys/keys-board.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { scopesOf } from "#lib/auth/permissions.ts";
import { env } from "#lib/env.ts";
import { keyStatus } from "#lib/keys/api-keys.ts";
import { listStreams } from "#lib/streams/read-streams.ts";

export const metadata: Metadata = { title: words.settings.keys };

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
