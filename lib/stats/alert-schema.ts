import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { isoTime, stringField } from "#lib/base/http/fields.ts";

export const alertNames = [
  "supply.low",
  "stream.silent",
  "errors.jump",
  "key.silent",
  "backup.failed",
  "disk.full",
] as const;
export type AlertName = (typeof alertNames)[number];

/** As in a mail. */
export const Alert = z
  .object({
    id: common.id,
    alert: z.enum(alertNames).describe("Kind of alert."),
    stream_id: z
      .int()
      .nullable()
      .meta({ description: "The stream of `stream.silent`, else null.", example: 7 }),
    key_id: z.int().nullable().meta({ description: "The key of `key.silent`, else null.", example: 4 }),
    title: stringField("Sentence for people.", "The queue lasts less than a day"),
    url: stringField("Page on which a person acts.", "https://sluice.example/queue"),
    started_at: isoTime.describe("When the condition was noticed."),
    ended_at: isoTime.nullable().describe("An hour after the condition was over; null before."),
  })
  .meta({ id: "Alert" });
export type Alert = z.infer<typeof Alert>;
