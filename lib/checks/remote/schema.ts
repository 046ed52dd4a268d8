import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { isoTime, nullableString, stringField } from "#lib/http/fields.ts";

export const RemoteProvider = z
  .object({
    name: stringField("Name.", "openai-compatible"),
    model: stringField("Name of the model.", "omni-moderation-latest"),
    checks: z.array(z.enum(["remote_moderation", "question"])).describe("Checks that it answers."),
    calls_today: z.int().describe("Since midnight UTC."),
    paused_until: isoTime.nullable().describe("After five failures in a row, or on its request."),
    last_error: common.last_error,
    failed_at: isoTime.nullable().describe("Time of `last_error`."),
  })
  .meta({ id: "RemoteProvider" });
export type RemoteProvider = z.infer<typeof RemoteProvider>;

export const RemoteProviders = z
  .object({
    host: nullableString("Receives text and pictures of new posts; null when off.", "mastodon.example"),
    daily_limit: z.int().describe("Calls of each provider in a day (UTC)."),
    waiting: z.int().describe("Posts that are still to be asked about."),
    providers: z.array(RemoteProvider).describe("Remote checks that are set up."),
  })
  .meta({
    id: "RemoteProviders",
    example: {
      host: "localhost:11434",
      daily_limit: 1000,
      waiting: 3,
      providers: [
        {
          name: "openai-compatible",
          model: "llama3.2-vision",
          checks: ["remote_moderation", "question"],
          calls_today: 41,
          paused_until: null,
          last_error: null,
          failed_at: null,
        },
      ],
    },
  });
export type RemoteProviders = z.infer<typeof RemoteProviders>;
