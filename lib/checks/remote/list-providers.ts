import { toIso } from "#lib/clock.ts";
import { env } from "#lib/env.ts";
import { MODERATION_MODEL } from "./openai-moderation.ts";
import { providerHost } from "./post-json.ts";
import type { RemoteProvider, RemoteProviders } from "./schema.ts";
import { countWaiting, providerRows } from "./sql.ts";

/** Without the key and without the path of the address. */
export async function listProviders(): Promise<RemoteProviders> {
  const { AI_PROVIDER, AI_DAILY_LIMIT, OPENAI_MODEL } = env();
  if (AI_PROVIDER.length === 0) {
    return { host: null, daily_limit: AI_DAILY_LIMIT, waiting: 0, providers: [] };
  }
  const [rows, waiting] = await Promise.all([providerRows(), countWaiting()]);
  const rowOf = new Map(rows.map((row) => [row.name, row]));
  return {
    host: providerHost(),
    daily_limit: AI_DAILY_LIMIT,
    waiting,
    providers: AI_PROVIDER.map((name, index): RemoteProvider => {
      const row = rowOf.get(name);
      return {
        name,
        model: name === "openai-moderation" ? MODERATION_MODEL : (OPENAI_MODEL ?? ""),
        // The first one moderates.
        checks: [
          ...(index === 0 ? ["remote_moderation" as const] : []),
          ...(name === "openai-compatible" ? ["question" as const] : []),
        ],
        calls_today: row?.calls_today ?? 0,
        paused_until: toIso(row?.paused_until ?? null),
        last_error: row?.last_error ?? null,
        failed_at: toIso(row?.failed_at ?? null),
      };
    }),
  };
}
