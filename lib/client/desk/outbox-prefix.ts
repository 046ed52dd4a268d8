/** Id of the member who opened a page last: the pages of another one are signed out. */
export const memberKey = "sluice:member";

/** Prefix of the storage keys. One per member, because another member of this browser must not send these decisions. */
export function outboxPrefix(memberId: number): string {
  return `sluice:outbox:${memberId}:`;
}
