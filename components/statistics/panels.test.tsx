import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Overview } from "#lib/stats/overview-schema.ts";
import { AgreementPanel } from "./agreement-panel.tsx";
import { BotsPanel } from "./bots-panel.tsx";
import { LanguagesPanel, RejectionsPanel } from "./choice-panels.tsx";
import { FunnelPanel } from "./funnel-panel.tsx";
import { ForecastPanel, KeepUpPanel } from "./work-panels.tsx";

const hours = Array.from({ length: 168 }, (_, slot) => ({
  weekday: Math.floor(slot / 24),
  hour: slot % 24,
  arrivals: 0,
  decisions: 0,
  deliveries: 0,
}));

const empty = {
  range: { from: "2026-05-04", to: "2026-05-10", days: 7 },
  hours,
  runway: {
    pending: 0,
    supply: 0,
    deliveries_per_day: 0,
    approvals_per_day: 0,
    days: null,
    runs_dry_at: null,
    with_approvals_runs_dry_at: null,
  },
  funnel: {
    dropped: [],
    fetched: 0,
    auto_rejected: [],
    reviewed: 0,
    rejected: 0,
    approved: 0,
    trimmed: 0,
    errors: [],
    delivered: 0,
    held_now: [],
  },
  outcomes: {
    found: 0,
    not_stored: 0,
    stored: 0,
    unreviewed: 0,
    deleted: 0,
    auto_rejected: 0,
    rejected: 0,
    approved: 0,
    unknown: 0,
    waiting: 0,
    delivered: 0,
    failed: 0,
    removed: 0,
  },
  rejections: [],
  languages: [],
  agreement: {
    same: 0,
    different: 0,
    taken_back: 0,
    share: 0,
    pairs: [],
    reviewers: [],
  },
  bots: [],
} as unknown as Overview;

const textOf = (element: React.ReactElement) =>
  renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, "|")
    .replace(/\|+/g, "|");

describe("panels of the statistics", () => {
  it("say what is missing when there is nothing", () => {
    expect(textOf(<ForecastPanel overview={empty} />)).toContain(
      "Not known: no delivery in the last four weeks",
    );
    expect(textOf(<KeepUpPanel overview={empty} unreviewed={0} />)).toContain("Not known: nothing arrived");
    expect(textOf(<RejectionsPanel overview={empty} />)).toContain("No rejections in this period");
    expect(textOf(<LanguagesPanel overview={empty} />)).toContain("No posts in this period");
    expect(textOf(<AgreementPanel overview={empty} />)).toContain("No post was decided twice");
    expect(textOf(<BotsPanel overview={empty} />)).toContain(
      "A bot needs an API key with the scope consume.",
    );
    expect(textOf(<FunnelPanel overview={empty} />)).toContain("|Found|");
  });

  it("name the only kind of rejection in the chart and in its table", () => {
    const rejections = [{ date: "2026-05-04", by_reviewers: 3, by_filters: [] }];
    const text = textOf(<RejectionsPanel overview={{ ...empty, rejections }} />);
    expect(text.split("Rejected by reviewers")).toHaveLength(3);
  });

  it("name the end of the queue and the growth of the backlog", () => {
    const overview: Overview = {
      ...empty,
      hours: hours.map((each, slot) => (slot === 10 ? { ...each, arrivals: 7, decisions: 2 } : each)),
      runway: {
        ...empty.runway,
        supply: 12,
        deliveries_per_day: 4,
        days: 3,
        runs_dry_at: "2026-05-13T10:00:00Z",
      },
    };
    const lasts = textOf(<ForecastPanel overview={overview} />);
    expect(lasts).toContain("Until 13 May 2026, 10:00 (3 days)");
    expect(lasts).toContain("longer than 90 days");
    const keepUp = textOf(<KeepUpPanel overview={overview} unreviewed={41} />);
    expect(keepUp).toContain("No: 5 more arrived than were decided");
    for (const figure of ["|7|", "|2|", "|+5|", "|41|"]) expect(keepUp).toContain(figure);
    expect(
      textOf(<ForecastPanel overview={{ ...overview, runway: { ...overview.runway, supply: 0 } }} />),
    ).toContain("No: nothing is ready to be delivered");
  });

  it("show languages, pairs, bots and outcomes with their figures", () => {
    const overview: Overview = {
      ...empty,
      outcomes: {
        ...empty.outcomes,
        found: 30,
        not_stored: 9,
        stored: 21,
        approved: 21,
        waiting: 20,
        removed: 1,
      },
      languages: [
        { language: "de", fetched: 11, decided: 8, approved: 6, approval_rate: 75 },
        { language: "", fetched: 3, decided: 0, approved: 0, approval_rate: 0 },
        { language: "not a code", fetched: 1, decided: 0, approved: 0, approval_rate: 0 },
      ],
      agreement: {
        ...empty.agreement,
        same: 3,
        different: 1,
        taken_back: 2,
        share: 75,
        pairs: [
          {
            first: "Ann",
            first_member_id: 1,
            second: "Bob",
            second_member_id: 2,
            same: 3,
            different: 1,
            share: 75,
          },
        ],
        reviewers: [{ reviewer: "Ann", member_id: 1, taken_back: 2 }],
      },
      bots: [
        {
          api_key_id: 4,
          name: "Boost bot",
          active: false,
          last_seen_at: null,
          reserved: 0,
          delivered: 14,
          deliveries_per_day: 2,
          errors: 1,
          error_share: 6.67,
          age: { count: 14, p50: 7200, p90: 90_000, p99: null },
          days: [{ date: "2026-05-05", delivered: 14, errors: 1 }],
        },
      ],
    };
    const languages = textOf(<LanguagesPanel overview={overview} />);
    expect(languages).toContain("|German|11|8|6|75 %|");
    expect(languages).toContain("|Not named|3|0|0|–|");
    expect(languages).toContain("|not a code|1|");
    const agreement = textOf(<AgreementPanel overview={overview} />);
    expect(agreement).toContain("|Ann|Bob|3|1|75 %|");
    expect(agreement).toContain("of 4 posts decided twice");
    const bots = textOf(<BotsPanel overview={overview} />);
    expect(bots).toContain("|2|14|1|6.7 %|2 hr|1 day|");
    expect(bots).toContain("revoked or expired");
    const funnel = textOf(<FunnelPanel overview={overview} />);
    for (const line of ["|Found|30|", "|Stored|21|", "|Waiting for a bot|20|", "|Removed from the queue|1|"])
      expect(funnel).toContain(line);
    expect(funnel).not.toContain("Deleted undecided");
  });
});
