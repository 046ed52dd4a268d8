import { describe, expect, it } from "vitest";
import { searchOn } from "./search-on.ts";

const stop = "2026-03-01T12:00:00.000Z";

describe("searchOn", () => {
  it("goes on at the time where the search stopped, in its direction", () => {
    const list = { searched_until: stop, skip: 0, total: 7 };
    expect(searchOn(list, null)).toEqual({ until: stop, skip: "0" });
    expect(searchOn(list, "newest")).toEqual({ until: stop, skip: "0" });
    expect(searchOn(list, "oldest")).toEqual({ since: stop, skip: "0" });
  });

  it("passes over as many fewer as were found before", () => {
    expect(searchOn({ searched_until: stop, skip: 50, total: 20 }, null)).toEqual({
      until: stop,
      skip: "30",
    });
    expect(searchOn({ searched_until: stop, skip: 50, total: 60 }, null)).toEqual({ until: stop, skip: "0" });
  });

  it("has nothing to go on to when the search did not stop", () => {
    expect(searchOn({ skip: 0, total: 7 }, null)).toBeNull();
  });
});
