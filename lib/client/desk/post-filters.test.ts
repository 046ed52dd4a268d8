import { describe, expect, it } from "vitest";
import {
  checkChoiceOf,
  deckFilters,
  deckQuery,
  readFilters,
  setFilters,
  stateChoices,
  stateOf,
  withCheckChoice,
  withState,
  writeFilters,
  type StateChoice,
} from "./post-filters.ts";

const read = (query: string) => readFilters(new URLSearchParams(query));

describe("filters", () => {
  it("survive a round trip in a fixed order, without unknown and empty values", () => {
    const query = "order=oldest&language=ja&q=%E7%8C%AB+cat&view=grid&author=&stream_id=3";
    expect(writeFilters(read(query))).toBe("q=%E7%8C%AB+cat&stream_id=3&language=ja&order=oldest");
    expect(writeFilters(read(writeFilters(read(query))))).toBe(writeFilters(read(query)));
  });

  it("keep surrounding spaces of an error reason only", () => {
    expect(read("error_reason=+gone+&q=+otter+&language=++")).toEqual({ error_reason: " gone ", q: "otter" });
    expect(writeFilters(read("error_reason=+gone+"))).toBe("error_reason=+gone+");
  });

  it.each(Object.keys(stateChoices) as StateChoice[])("recognise the state %s", (choice) => {
    expect(stateOf(withState(read("q=a&approved=false&queue_status=error"), choice))).toBe(choice);
  });

  it("have one choice for the result of the checks", () => {
    const filters = withCheckChoice(read("q=a&ai_would_reject=true"), "ai_result=unsure");
    expect([filters, checkChoiceOf(filters)]).toEqual([{ q: "a", ai_result: "unsure" }, "ai_result=unsure"]);
    expect(withCheckChoice(filters, "")).toEqual({ q: "a" });
  });

  it("drop the state for the deck and count the filters in use", () => {
    const filters = read("q=a&reviewed=false&held_by=differs&order=newest");
    // It holds unreviewed posts only.
    expect(deckFilters(filters)).toEqual({ q: "a", order: "newest" });
    expect([filters, {}].map(deckQuery)).toEqual(["q=a&order=newest", ""]);
    expect(setFilters(filters)).toEqual(["q", "held_by"]);
    // No choice of its own.
    expect(setFilters(read("queue_status=ready"))).toEqual(["queue_status"]);
  });
});
