import { describe, expect, it } from "vitest";
import { writePlace } from "#lib/posts/search-after.ts";
import { searchOn, stopOf } from "./search-on.ts";

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

  it("goes on behind a place where no time orders", () => {
    const search_after = "1772366400000~77~ann@a.example";
    expect(searchOn({ search_after, skip: 50, total: 20 }, "author")).toEqual({ search_after, skip: "30" });
  });

  it("has nothing to go on to when the search did not stop", () => {
    expect(searchOn({ skip: 0, total: 7 }, null)).toBeNull();
  });
});

describe("stopOf", () => {
  it("tells the time, and what orders before it", () => {
    const moment = new Date(stop);
    expect(stopOf({ searched_until: stop })).toEqual({ at: moment.getTime(), key: null });
    for (const key of [null, "0.25", "a~b@c.example"])
      expect(stopOf({ search_after: writePlace({ moment, id: 77, key }) })).toEqual({
        at: moment.getTime(),
        key,
      });
  });
});
