import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import type { Stream } from "./schema.ts";
import { serializeStream } from "./serialize.ts";
import { streamRow, type StreamRow } from "./sql.ts";

/** One stream. @throws ApiError `stream_not_found` */
export async function getStream(id: number): Promise<Stream> {
  return serializeStream(await requireStream(id));
}

/** Its row. @throws ApiError `stream_not_found` */
export async function requireStream(id: number): Promise<StreamRow> {
  const row = await streamRow(db, id);
  if (row === null) throw new ApiError("stream_not_found", { id });
  return row;
}
