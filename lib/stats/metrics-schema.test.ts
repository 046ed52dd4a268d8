import { describe, expect, it } from "vitest";
import { metricsOf, percent } from "./metrics-schema.ts";

describe("metrics", () => {
  it("are listed by section in the order of their declaration", () => {
    expect(metricsOf("reviewer")).toEqual(["reviewed", "approved"]);
  });

  it("give a rate of 0 when there is nothing", () => {
    expect([percent(0, 0), percent(5, 12)]).toEqual([0, 41.67]);
  });
});
