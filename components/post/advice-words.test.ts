import { describe, expect, it } from "vitest";
import { adviceCount, adviceLine } from "./advice-words.ts";

const entry = (decision: "approve" | "reject" | "skip", would_reject: boolean | null) => ({
  decision,
  advice: { would_reject },
});

describe("advice that was hidden until the decision", () => {
  it.each([
    ["reject", true, null],
    ["approve", true, "Checks: would reject"],
    ["approve", false, null],
    ["reject", false, "Checks: no problem"],
    ["reject", null, null],
    ["skip", true, null],
  ] as const)("%s, would_reject %s: the line in the list is %s", (decision, would_reject, line) => {
    expect(adviceLine(entry(decision, would_reject))).toBe(line);
  });

  it("counts agreement over decisions with a result", () => {
    expect(adviceCount([{ decision: "approve" }, entry("reject", null), entry("skip", true)])).toBeNull();
    expect(adviceCount([entry("reject", true), entry("approve", true), entry("approve", false)])).toBe(
      "Checks agreed with 2 of 3 decisions made with hidden advice",
    );
  });
});
