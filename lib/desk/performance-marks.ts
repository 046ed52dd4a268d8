/** Name of the measures in the browser's performance timeline: from key press to the next card on the screen. */
export const DECISION_MEASURE = "sluice:decision-to-next-card";

/** More than an evening's worth; older ones make room. */
const KEPT = 2000;

let pressedAt: number | null = null;

/** A decision was made; `at` is the event's own time, so that waiting for a busy page counts too. */
export function markDecision(at: number): void {
  pressedAt = at;
}

/** The next card is in the document: measures once the browser has painted it. */
export function measureNextCard(): void {
  const start = pressedAt;
  if (start === null) return;
  pressedAt = null;
  // The frame's callback runs before its paint, the message after it.
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
