import { plural } from "#components/words/format.ts";

/** Settings → Doctor. */
export const doctor = {
  title: "Doctor",
  hint: "The checks of the command doctor, and of the address in this browser.",
  running: "Checking takes up to ten seconds.",
  again: "Check again",
  failed: "The checks could not be made",
  check: "Check",
  state: "Result",
  found: "Finding and advice",
  states: { ok: "Good", warn: "Warning", fail: "Problem" },
  allGood: "All checks are good.",
  bad: (count: number) => `${plural(count, "check needs", "checks need")} attention.`,
} as const;
