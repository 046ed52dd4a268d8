import { describe, expect, it } from "vitest";
import { rangeBetween, readListRequest } from "./list.ts";

const read = (query: string, place: "review" | "posts" = "review", view: "grid" | "list" = "grid") =>
  readListRequest(new URLSearchParams(query), place, view);

describe("readListRequest", () => {
  it("lists unreviewed posts, oldest first, at the desk by default", () => {
    expect(read("").query).toBe("reviewed=false&order=oldest&skip=0&limit=48");
    expect(read("approved=false&order=newest").query).toBe("approved=false&order=newest&skip=0&limit=48");
  });

  it("lists all posts in the API's order on the posts page", () => {
    expect(read("", "posts", "list").query).toBe("skip=0&limit=50");
    expect(read("queue_status=error", "posts", "list").query).toBe("queue_status=error&skip=0&limit=50");
  });
});

describe("rangeBetween", () => {
  it("works in both directions and with an unknown start", () => {
    expect(rangeBetween([5, 3, 9, 1], 3, 1)).toEqual([3, 9, 1]);
    expect(rangeBetween([5, 3, 9, 1], 1, 3)).toEqual([3, 9, 1]);
    expect(rangeBetween([5, 3], 7, 3)).toEqual([3]);
  });
});
