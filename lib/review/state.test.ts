import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { queueStates } from "#lib/queue/states.ts";
import { outcomeOf, reviewStateOf, reviewStates, verdicts, type ReviewState, type Verdict } from "./state.ts";

// State, verdict → next state, "same", or 409 (docs/api.md#review-and-queue-states).
const contract: [ReviewState, Verdict, ReviewState | "same" | 409][] = [
  ["unreviewed", true, "pending"],
  ["unreviewed", false, "rejected"],
  ["unreviewed", null, "same"],
  ["rejected", true, "pending"],
  ["rejected", false, "same"],
  ["rejected", null, "unreviewed"],
  ["pending", true, "same"],
  ["pending", false, "rejected"],
  ["pending", null, "unreviewed"],
  ["reserved", true, "same"],
  ["reserved", false, 409],
  ["reserved", null, 409],
  ["delivered", true, "same"],
  ["delivered", false, 409],
  ["delivered", null, 409],
  ["error", true, "same"],
  ["error", false, "rejected"],
  ["error", null, 409],
];

test.each(contract)("%s, approved: %s → %s", (state, verdict, expected) => {
  const outcome = outcomeOf(state, verdict);
  if (expected === 409) expect(outcome).toEqual({ kind: "refused" });
  else if (expected === "same") expect(outcome).toEqual({ kind: "none" });
  else expect(outcome).toMatchObject({ kind: "change", to: expected });
});

test("the table covers every pair", () => {
  expect(contract).toHaveLength(reviewStates.length * verdicts.length);
});

const state = fc.constantFrom(...reviewStates);
const verdict = fc.constantFrom(...verdicts);

describe("outcomeOf", () => {
  test("enters the queue only by approval and never removes a reserved post", () => {
    fc.assert(
      fc.property(state, verdict, (from, target) => {
        const inside = (queueStates as readonly string[]).includes(from);
        const outcome = outcomeOf(from, target);
        if (outcome.kind !== "change") {
          expect(["none", "refused"]).toContain(outcome.kind);
          return;
        }
        expect(outcome.queue === "enter").toBe(target === true && !inside);
        expect(outcome.queue === "leave").toBe(inside);
        expect(["reserved", "delivered"]).not.toContain(from);
        expect(outcome.action).toBe(target === true ? "approve" : target === false ? "reject" : "unreview");
      }),
    );
  });
});

test("a post in the queue has the state of its entry", () => {
  for (const queue of queueStates)
    for (const approved of verdicts) expect(reviewStateOf(approved, queue)).toBe(queue);
  expect([reviewStateOf(null, null), reviewStateOf(false, null), reviewStateOf(true, null)]).toEqual([
    "unreviewed",
    "rejected",
    "pending",
  ]);
});
