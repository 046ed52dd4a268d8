import { describe, expect, it } from "vitest";
import { barFor, isCurrent, placesFor } from "./navigation.ts";
import { parseTheme } from "./theme-cookie.ts";

describe("navigation", () => {
  it.each(["viewer", "reviewer", "admin"] as const)(
    "has four places and More on the phone for a %s",
    (role) => {
      const { bar, more } = barFor(role);
      expect(bar).toHaveLength(4);
      expect([...bar, ...more].map((place) => place.href).sort()).toEqual(
        placesFor(role)
          .map((place) => place.href)
          .sort(),
      );
    },
  );
  it.each(["viewer", "reviewer", "admin"] as const)("has the posts for a %s", (role) => {
    expect(placesFor(role).map((place) => place.href)).toContain("/posts");
  });
  it("hides the desk from viewers", () => {
    expect(placesFor("viewer").map((place) => place.href)).not.toContain("/review");
  });
  it("marks the section of a page", () => {
    expect(isCurrent("/queue", "/queue/errors")).toBe(true);
    expect(isCurrent("/queue", "/queues")).toBe(false);
    expect(isCurrent("/", "/queue")).toBe(false);
  });
});

describe("parseTheme", () => {
  it("accepts only the values of the switch", () => {
    expect([parseTheme("dark"), parseTheme("light"), parseTheme("system"), parseTheme('"><script>')]).toEqual(
      ["dark", "light", undefined, undefined],
    );
  });
});
