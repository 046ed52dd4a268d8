import { words } from "#components/words/en.ts";

/** Label of a filter or a hold. A consumer's own reason is shown unchanged. */
export function reasonName(reason: string): string {
  return (
    words.statistics.reasons[reason] ?? words.queue.heldReasons[reason]?.name ?? reason.replaceAll("_", " ")
  );
}
