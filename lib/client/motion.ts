/** For motion by script, which CSS cannot stop. */
export function wantsNoMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
