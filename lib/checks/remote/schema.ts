import { z } from "zod";
import { isoTime } from "#lib/http/fields.ts";

export const RemoteProvider = z
  .object({
    name: z.string().meta({ example: "openai-compatible" }),
    model: z.string(),
    checks: z
      .array(z.enum(["remote_moderation", "question"]))
      .meta({ description: "Checks that it answers." }),
    calls_today: z.int().meta({ description: "Since midnight UTC." }),
    paused_until: isoTime
      .nullable()
      .meta({ description: "After five failures in a row, or on its request." }),
    last_error: z.string().nullable(),
    failed_at: isoTime.nullable().meta({ description: "Time of `last_error`." }),
  })
  .meta({ id: "RemoteProvider" });
export type RemoteProvider = z.infer<typeof RemoteProvider>;

export const RemoteProviders = z
  .object({
    host: z
      .string()
      .nullable()
      .meta({ description: "Receives text and pictures of new posts; null when off." }),
    daily_limit: z.int().meta({ description: "Calls of each provider in a day (UTC)." }),
    waiting: z.int().meta({ description: "Posts that are still to be asked about." }),
    providers: z.array(RemoteProvider),
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
