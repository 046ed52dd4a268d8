"use server";
import { after } from "next/server";
import { z } from "zod";
import { settingsOf } from "#components/streams/stream-fields.tsx";
import { streamName } from "#components/streams/stream-name.ts";
import { formAction, formId as id } from "#lib/accounts/form-action.ts";
import { env } from "#lib/base/env.ts";
import { createStream, deleteStream, updateStream } from "#lib/collect/streams.ts";
import { fetchStream } from "#lib/collect/fetch-streams.ts";
import { StreamCreate, StreamUpdate } from "#lib/collect/stream-schema.ts";

/** Opens the page of the new stream, which shows its first fetch. */
export const addStream = formAction({
  scope: "manage",
  body: StreamCreate,
  read: settingsOf,
  run: async (me, body) => {
    const stream = await createStream(me, body);
    // An installation without a worker fetches here. If a worker has claimed the stream, this does nothing.
    if (stream.enable_scheduling)
      after(() => fetchStream(stream.id, { limit: env().MAX_POSTS_PER_FETCH }).catch(() => undefined));
    return { message: `${streamName(stream)} added`, redirectTo: `/streams/${stream.id}` };
  },
});

export const changeStream = formAction({
  scope: "manage",
  body: z.intersection(z.object({ id }), StreamUpdate),
  read: (form) => ({ id: form.get("id"), ...settingsOf(form) }),
  run: async (me, { id: stream, ...change }) => {
    await updateStream(me, stream, change);
    return "Saved";
  },
});

const named = z.object({ id, name: z.string() });

export const switchStream = formAction({
  scope: "manage",
  body: named.extend({ on: z.boolean() }),
  run: async (me, { id: stream, name, on }) => {
    await updateStream(me, stream, { active: on });
    return `${name} ${on ? "resumed" : "paused"}`;
  },
});

export const removeStream = formAction({
  scope: "manage",
  body: named,
  run: async (me, body) => {
    await deleteStream(me, body.id);
    return { message: `${body.name} deleted`, redirectTo: "/streams" };
  },
});
