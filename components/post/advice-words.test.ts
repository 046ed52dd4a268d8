import { describe, expect, it } from "vitest";
import { adviceCount, adviceLine, revealWords } from "./advice-words.ts";

const entry = (decision: "approve" | "reject" | "skip", would_reject: boolean | null) => ({
  decision,
  advice: { would_reject },
});

describe("advice that was hidden until the decision", () => {
  it.each([
    [
      "reject",
      true,
      "The checks would have said: would reject",
      "As you decided.",
      "Checks: would reject, agreed",
    ],
    [
      "approve",
      true,
      "The checks would have said: would reject",
      "You decided otherwise.",
      "Checks: would reject, disagreed",
    ],
    [
      "approve",
      false,
      "The checks would have said: no problem",
      "As you decided.",
      "Checks: no problem, agreed",
    ],
    ["reject", null, "The checks would have said: not checked", undefined, "Checks: not checked"],
  ] as const)("%s, would_reject %s", (decision, would_reject, title, description, line) => {
    expect(revealWords(entry(decision, would_reject))).toEqual({ title, description });
    expect(adviceLine(entry(decision, would_reject))).toBe(line);
  });

  it("counts agreement over decisions with a result", () => {
    expect(adviceCount([{ decision: "approve" }, entry("reject", null), entry("skip", true)])).toBeNull();
    expect(adviceCount([entry("reject", true), entry("approve", true), entry("approve", false)])).toBe(
      "Checks agreed with 2 of 3 decisions made with hidden advice",
    );
  });
});
