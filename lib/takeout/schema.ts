import { z } from "zod";
import { CheckState } from "#lib/checks/settings/schema.ts";
import { ClassifyWord } from "#lib/checks/words/schema.ts";
import { ClassifyRule } from "#lib/checks/rules/schema.ts";
import { blockListExport, ExportSettings } from "#lib/filters/schema.ts";
import { common } from "#lib/http/common-fields.ts";
import { isoTime, stringField } from "#lib/http/fields.ts";
import { ApiKey } from "#lib/keys/schema.ts";
import { Member } from "#lib/members/schema.ts";
import { Standing } from "#lib/review/author-schema.ts";
import { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { SavedFilter } from "#lib/review/saved-filter-schema.ts";
import { ExportedStream } from "#lib/streams/schema.ts";
import { TopicalTag } from "#lib/topical/schema.ts";

/** Names a stream without its id. */
const streamName = z.object({ hashtag: common.hashtag, instance: common.instance });

/**
 * Response of `GET /export`. Streams are named by hashtag and server, members by e-mail address, because ids
 * mean nothing in another installation.
 */
export const Takeout = z
  .object({
    format: z.literal("sluice-export").describe("Name and version of the file format."),
    version: z.literal(1).describe("Version of this format; increased when a field is removed."),
    exported_at: isoTime.describe("When the file was made."),
    streams: z.array(ExportedStream).describe("Streams."),
    switches: ExportSettings.omit({ created_at: true, updated_at: true }).describe("The switches."),
    ...blockListExport,
    topical_tags: z.array(TopicalTag.omit({ id: true })).describe("Topical rules."),
    checks: z
      .array(CheckState.pick({ name: true, enabled: true, votes: true, threshold: true, shown: true }))
      .describe("One entry for each check."),
    text_rules: z
      .array(ClassifyRule.pick({ name: true, weight: true, enabled: true }))
      .describe("Settings of the text rules."),
    words: z
      .array(
        ClassifyWord.pick({ word: true, created_at: true }).extend({
          stream: streamName.nullable().describe("Null when it applies to every stream."),
        }),
      )
      .describe("Words of the operator's own list."),
    reject_reasons: z
      .array(RejectReason.omit({ id: true }))
      .describe("Reasons of rejection, archived ones last."),
    saved_filters: z
      .array(SavedFilter.pick({ owner: true, name: true, filter: true, shared: true, created_at: true }))
      .describe("Filters saved by name."),
    author_standings: z
      .array(
        z.object({
          account: common.account,
          standing: Standing,
          set_by: stringField("Name of the member who set it.", "Ana"),
          set_at: isoTime.describe("When it was set."),
        }),
      )
      .describe("Authors that are trusted or muted."),
    members: z
      .array(Member.pick({ email: true, name: true, role: true, disabled_at: true, created_at: true }))
      .describe("Accounts."),
    api_keys: z
      .array(
        ApiKey.pick({
          name: true,
          scopes: true,
          created_by: true,
          created_at: true,
          expires_at: true,
        }).extend({
          streams: z
            .array(streamName)
            .nullable()
            .describe(
              "Ids of the streams that the key is bound to, without deleted ones; null for every stream.",
            ),
        }),
      )
      .describe("API keys, without their secret."),
  })
  .meta({ id: "Takeout" });
export type Takeout = z.infer<typeof Takeout>;
