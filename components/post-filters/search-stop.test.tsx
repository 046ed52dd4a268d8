import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ClockProvider } from "#components/ui/clock-context.tsx";
import type { SearchStopped } from "#lib/client/search-on.ts";
import { SearchStop } from "./search-stop.tsx";

const textAt = (stopped: SearchStopped, order: string | null) =>
  renderToStaticMarkup(
    <ClockProvider renderedAt="2026-03-02T00:00:00.000Z" timeZone="Asia/Tokyo">
      <SearchStop stopped={stopped} order={order} href="/posts" />
    </ClockProvider>,
  ).replace(/<[^>]*>/g, " ");

describe("SearchStop", () => {
  it("says how far was searched, in the page's time zone, and leads on", () => {
    const markup = renderToStaticMarkup(
      <ClockProvider renderedAt="2026-03-02T00:00:00.000Z" timeZone="Asia/Tokyo">
        <SearchStop
          stopped={{ searched_until: "2026-03-01T20:15:00.000Z" }}
          order={null}
          href="/posts?q=otter&until=2026-03-01T20%3A15%3A00.000Z"
        />
      </ClockProvider>,
    );
    expect(markup).toContain('href="/posts?q=otter&amp;until=2026-03-01T20%3A15%3A00.000Z"');
    const text = markup.replace(/<[^>]*>/g, " ");
    expect(text).toMatch(/Searched back to .*2 Mar 2026.*05:15/);
    expect(text).toContain("Continue searching");
  });

  it("says it in what orders the posts", () => {
    const at = Date.UTC(2026, 2, 1, 20, 15);
    const place = (key: string) => ({ search_after: `${at}~77~${key}` });
    expect(textAt({ search_after: `${at}~77` }, "oldest")).toMatch(/Searched back to .*2 Mar 2026.*05:15/);
    expect(textAt(place("ann@a.example"), "author")).toContain("up to posts by @ann@a.example.");
    expect(textAt(place("0.12"), "ai_unsure")).toContain("up to AI scores of 38 % and 62 %.");
    expect(textAt(place("1"), "ai_unsure")).toMatch(/2 Mar 2026, 05:15.* among posts without an AI score/);
  });
});
