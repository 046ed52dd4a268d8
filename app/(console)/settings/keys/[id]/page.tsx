import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { KeyPage } from "#components/settings/keys/key-page.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { scopesOf } from "#lib/auth/permissions.ts";
import { readPreferences } from "#lib/desk/preferences.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { MAX_ID } from "#lib/http/fields.ts";
import { keyFigures } from "#lib/keys/key-page.ts";
import { listStreams } from "#lib/streams/read-streams.ts";

const DAYS = 30;

interface Props {
  params: Promise<{ id: string }>;
}

/** Cached for metadata and page. Unknown keys answer 404. */
const figuresOf = cache(async (raw: string) => {
  const { id: memberId, role } = await requireMember();
  const id = /^\d{1,10}$/.test(raw) ? Number(raw) : 0;
  if (id === 0 || id > MAX_ID) notFound();
  try {
    return await keyFigures({ scopes: scopesOf(role), member_id: memberId }, id, DAYS);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { key } = await figuresOf((await params).id);
  return { title: `${key.name} · ${words.settings.keys}` };
}

export default async function Page({ params }: Props) {
  const { preferences } = await requireMember();
  const [figures, streams] = await Promise.all([
    figuresOf((await params).id),
    listStreams({ skip: 0, limit: 1000 }),
  ]);
  const names = streams.items.map(({ id, hashtag, instance }) => ({ id, hashtag, instance }));
  return (
    <KeyPage
      figures={figures}
      streams={names}
      publicUrl={env().PUBLIC_URL}
      cover={readPreferences(preferences).cover}
    />
  );
}
