import { toIso } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import type { ChatModelState } from "#lib/checks/settings/schema.ts";
import { chatHost, isChatModelOn } from "./chat-endpoint.ts";
import { countWaiting, engineRow } from "./sql.ts";

/** Without the key and without the path of the address. */
export async function readChatModel(): Promise<ChatModelState | null> {
  if (!isChatModelOn()) return null;
  const { AI_DAILY_LIMIT, AI_MODEL = "" } = env();
  const [row, waiting] = await Promise.all([engineRow(), countWaiting()]);
  return {
    host: chatHost(),
    model: AI_MODEL,
    calls_today: row?.calls_today ?? 0,
    daily_limit: AI_DAILY_LIMIT,
    waiting,
    paused_until: toIso(row?.paused_until ?? null),
    last_error: row?.last_error ?? null,
    failed_at: toIso(row?.failed_at ?? null),
  };
}
