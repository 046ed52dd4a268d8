import { toIso } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import type { ChatModelState } from "#lib/checks/settings/schema.ts";
import { chatHost, isChatModelOn } from "./chat-endpoint.ts";
import { chatModelState, countWaiting } from "./sql.ts";

/** Without the key and without the path of the address. */
export async function readChatModel(): Promise<ChatModelState | null> {
  if (!isChatModelOn()) return null;
  const { AI_DAILY_LIMIT, AI_MODEL = "" } = env();
  const [state, waiting] = await Promise.all([chatModelState(), countWaiting()]);
  return {
    host: chatHost(),
    model: AI_MODEL,
    calls_today: state.calls_today,
    daily_limit: AI_DAILY_LIMIT,
    waiting,
    paused_until: toIso(state.paused_until),
    last_error: state.last_error,
    failed_at: toIso(state.failed_at),
  };
}
