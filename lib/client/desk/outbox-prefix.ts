/** Other members on the browser must not send these decisions. */
export function outboxPrefix(memberId: number): string {
  return `sluice:outbox:${memberId}:`;
}
