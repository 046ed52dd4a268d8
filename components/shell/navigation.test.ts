import { describe, expect, it } from "vitest";
import { barFor, isCurrent, menuFor, placesFor } from "./navigation.ts";

describe("navigation", () => {
  it.each(["viewer", "reviewer", "admin"] as const)(
    "has Home, Review, Posts, Queue and More on the phone for a %s",
    (role) => {
      const { bar, more } = barFor(role);
      expect(bar.map(({ label }) => label).filter((label) => label !== "Review")).toEqual([
        "Home",
        "Posts",
        "Queue",
      ]);
      const menu = menuFor(role).map((place) => place.href);
      expect([...bar, ...more].map((place) => place.href).sort()).toEqual([...menu, "/settings"].sort());
      expect(menu).toContain("/posts");
      expect(menu.length).toBeLessThanOrEqual(6);
    },
  );
  it("hides the desk from viewers", () => {
    expect(placesFor("viewer").map((place) => place.href)).not.toContain("/review");
  });
  it("marks the section of a page", () => {
    expect(isCurrent("/queue", "/queue/errors")).toBe(true);
    expect(isCurrent("/queue", "/queues")).toBe(false);
    expect(isCurrent("/", "/queue")).toBe(false);
    expect(isCurrent("/streams", "/blocking")).toBe(true);
  });
});
