import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { ApiKey } from "#lib/accounts/key-schema.ts";

const SHOWN = 3;

/** When each bot asked for a post. */
export function BotNotes({ keys }: { keys: readonly ApiKey[] }) {
  return keys
    .filter(({ scopes }) => scopes.includes("consume"))
    .slice(0, SHOWN)
    .map(({ id, name, last_asked_at: at }) => (
      <p key={id} className="mt-0.5 text-13 wrap-anywhere text-muted">
        {name}{" "}
        {at === null ? (
          "has not asked yet"
        ) : (
          <>
            asked <RelativeTime at={at} />
          </>
        )}
      </p>
    ));
}
