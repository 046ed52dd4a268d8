/** Beginning of the keys of one member; another member on the same browser never sends them. */
export function outboxPrefix(memberId: number): string {
  return `sluice:outbox:${memberId}:`;
}
