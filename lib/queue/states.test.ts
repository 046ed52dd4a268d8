import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectedState, nextQueueState, queueMoves, queueStates } from "./states.ts";

const everyState = [...queueStates, "unreviewed", "rejected"] as const;

const legal: Record<string, string> = {
  "pending reserve": "reserved",
  "reserved ack": "delivered",
  "pending late_ack": "delivered",
  "reserved nack": "pending",
  "reserved time_out": "pending",
  "reserved error": "error",
  "reserved extend": "reserved",
  "reserved release": "pending",
  "error requeue": "pending",
  "error mark_delivered": "delivered",
};

describe("queue states", () => {
  it("allow exactly the documented transitions, over all pairs", () => {
    for (const state of everyState) {
      for (const move of queueMoves) {
        expect([state, move, nextQueueState(state, move)]).toEqual([
          state,
          move,
          legal[`${state} ${move}`] ?? null,
        ]);
      }
    }
  });

  it("expectedState is a state the move is legal in", () => {
    for (const move of queueMoves) expect(nextQueueState(expectedState(move), move)).not.toBeNull();
  });

  it("delivered is final and error is left by manual moves only", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...queueStates),
        fc.array(fc.constantFrom(...queueMoves)),
        (start, moves) => {
          let state = start;
          for (const move of moves) {
            const next = nextQueueState(state, move);
            if (state === "delivered") expect(next).toBeNull();
            if (state === "error" && next !== null) expect(["requeue", "mark_delivered"]).toContain(move);
            state = next ?? state;
          }
        },
      ),
    );
  });
});
