/** From key press to the next painted card. */
export const DECISION_MEASURE = "sluice:decision-to-next-card";

const KEPT = 2000;

let pressedAt: number | null = null;

/** `at` is the event's timestamp, which includes delays of a busy page. */
export function markDecision(at: number): void {
  pressedAt = at;
}

export function measureNextCard(): void {
  const start = pressedAt;
  if (start === null) return;
  pressedAt = null;
  // requestAnimationFrame runs before the paint, the message after it.
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      if (performance.getEntriesByName(DECISION_MEASURE).length >= KEPT)
        performance.clearMeasures(DECISION_MEASURE);
      performance.measure(DECISION_MEASURE, { start, end: performance.now() });
      port1.close();
    };
    port2.postMessage(null);
  });
}
