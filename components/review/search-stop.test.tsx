import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ClockProvider } from "#components/ui/clock-context.tsx";
import { SearchStop } from "./search-stop.tsx";

describe("SearchStop", () => {
  it("says how far was searched, in the page's time zone, and leads on", () => {
    const markup = renderToStaticMarkup(
      <ClockProvider renderedAt="2026-03-02T00:00:00.000Z" timeZone="Asia/Tokyo">
        <SearchStop at="2026-03-01T20:15:00.000Z" href="/posts?q=otter&until=2026-03-01T20%3A15%3A00.000Z" />
      </ClockProvider>,
    );
    expect(markup).toContain('href="/posts?q=otter&amp;until=2026-03-01T20%3A15%3A00.000Z"');
    const text = markup.replace(/<[^>]*>/g, " ");
    expect(text).toMatch(/Searched as far as .*2 Mar 2026.*05:15/);
    expect(text).toContain("Search further");
  });
});
