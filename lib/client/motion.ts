/** Whether this person asked the system for less motion; for what is moved by script, which the stylesheet cannot still. */
export function wantsNoMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
