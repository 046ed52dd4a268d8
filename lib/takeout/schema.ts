import { z } from "zod";
import { CheckState } from "#lib/checks/settings/schema.ts";
import { ClassifyWord } from "#lib/checks/words/schema.ts";
import { ClassifyRule } from "#lib/checks/rules/schema.ts";
import { blockListExport, ExportSettings } from "#lib/filters/schema.ts";
import { isoTime } from "#lib/http/fields.ts";
import { ApiKey } from "#lib/keys/schema.ts";
import { Member } from "#lib/members/schema.ts";
import { Standing } from "#lib/review/author-schema.ts";
import { SavedFilter } from "#lib/review/saved-filter-schema.ts";
import { ExportedStream } from "#lib/streams/schema.ts";
import { TopicalTag } from "#lib/topical/schema.ts";

/** Names a stream without its id. */
const streamName = z.object({ hashtag: z.string(), instance: z.string() });

/**
 * Response of `GET /export`. Streams are named by hashtag and server, members by e-mail address, because ids
 * mean nothing in another installation.
 */
export const Takeout = z
  .object({
    format: z.literal("sluice-export"),
    version: z.literal(1).meta({ description: "Version of this format; increased when a field is removed." }),
    exported_at: isoTime,
    streams: z.array(ExportedStream),
    switches: ExportSettings.omit({ created_at: true, updated_at: true }),
    ...blockListExport,
    topical_tags: z.array(TopicalTag.omit({ id: true })),
    checks: z.array(
      CheckState.pick({ name: true, enabled: true, votes: true, threshold: true, shown: true }),
    ),
    text_rules: z.array(ClassifyRule.pick({ name: true, weight: true, enabled: true })),
    words: z.array(
      ClassifyWord.pick({ word: true, created_at: true }).extend({
        stream: streamName.nullable().meta({ description: "Null when it applies to every stream." }),
      }),
    ),
    saved_filters: z.array(
      SavedFilter.pick({ owner: true, name: true, filter: true, shared: true, created_at: true }),
    ),
    author_standings: z.array(
      z.object({ account: z.string(), standing: Standing, set_by: z.string(), set_at: isoTime }),
    ),
    members: z.array(
      Member.pick({ email: true, name: true, role: true, disabled_at: true, created_at: true }),
    ),
    api_keys: z.array(
      ApiKey.pick({ name: true, scopes: true, created_by: true, created_at: true, expires_at: true }).extend({
        streams: z.array(streamName).nullable().meta({
          description:
            "Ids of the streams that the key is bound to, without deleted ones; null for every stream.",
        }),
      }),
    ),
  })
  .meta({ id: "Takeout" });
export type Takeout = z.infer<typeof Takeout>;
