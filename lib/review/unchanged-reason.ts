import { ApiError } from "#lib/errors.ts";
import type { Unchanged } from "./decide-posts.ts";
import { EXPECTED_STATE } from "./state.ts";

/** Why a post of a batch stayed as it was, in a sentence. */
export function unchangedReason(unchanged: Unchanged): string {
  if (unchanged.why === "missing") return new ApiError("post_not_found").message;
  if (unchanged.why === "left_alone") return "Decided again since";
  if (unchanged.why === "refused") {
    return new ApiError("wrong_state", { state: unchanged.state, expected: EXPECTED_STATE }).message;
  }
  const { state } = unchanged;
  return state === "rejected"
    ? "Already rejected"
    : state === "unreviewed"
      ? "Not reviewed"
      : "Already approved";
}
