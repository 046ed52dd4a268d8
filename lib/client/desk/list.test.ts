import { describe, expect, it } from "vitest";
import { rangeBetween, readListRequest } from "./list.ts";

const read = (query: string, place: "review" | "posts") => readListRequest(new URLSearchParams(query), place);

describe("readListRequest", () => {
  it("lists unreviewed posts only, oldest first by default, in the grid", () => {
    expect(read("", "review").query).toBe("reviewed=false&order=oldest&skip=0&limit=48");
    expect(read("approved=false&order=newest", "review").query).toBe(
      "reviewed=false&order=newest&skip=0&limit=48",
    );
  });

  it("lists all posts in the API's order on the posts page", () => {
    expect(read("", "posts").query).toBe("skip=0&limit=50");
    expect(read("queue_status=error", "posts").query).toBe("queue_status=error&skip=0&limit=50");
  });
});

describe("rangeBetween", () => {
  it("works in both directions and with an unknown start", () => {
    expect(rangeBetween([5, 3, 9, 1], 3, 1)).toEqual([3, 9, 1]);
    expect(rangeBetween([5, 3, 9, 1], 1, 3)).toEqual([3, 9, 1]);
    expect(rangeBetween([5, 3], 7, 3)).toEqual([3]);
  });
});
