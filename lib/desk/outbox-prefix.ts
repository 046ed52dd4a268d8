/** Another member on the same browser never sends these decisions. */
export function outboxPrefix(memberId: number): string {
  return `sluice:outbox:${memberId}:`;
}
