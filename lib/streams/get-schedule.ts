import type { z } from "zod";
import { requireStream } from "./get-stream.ts";
import type { Schedule } from "./schema.ts";
import { serializeSchedule } from "./serialize.ts";

/** When a stream is fetched by itself. @throws ApiError `stream_not_found` */
export async function getSchedule(id: number): Promise<z.infer<typeof Schedule>> {
  return serializeSchedule(await requireStream(id));
}
