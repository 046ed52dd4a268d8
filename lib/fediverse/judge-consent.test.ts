import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeAuthor, judgeConsent, REFUSAL_TAGS } from "./judge-consent.ts";
import type { ConsentSettings } from "./judge-consent.ts";
import { consentSignals } from "./consent-schema.ts";
import { normaliseStatus } from "./normalise-status.ts";
import type { NormalisedPost } from "./normalise-status.ts";

const MODERATE: ConsentSettings = { policy: "moderate" };

/** Uses the normaliser, as for real posts. */
function post(account: Record<string, unknown> = {}, status: Record<string, unknown> = {}): NormalisedPost {
  const result = normaliseStatus(
    {
      id: "1",
      uri: "https://a.example/users/ann/statuses/1",
      visibility: "public",
      content: "<p>hello</p>",
      tags: [{ name: "cats" }],
      created_at: "2026-11-21T10:00:00Z",
      account: {
        acct: "ann",
        note: "<p>I like cats</p>",
        fields: [],
        noindex: false,
        indexable: true,
        discoverable: true,
        ...account,
      },
      ...status,
    },
    { host: "a.example", now: new Date("2026-11-21T12:00:00Z") },
  );
  if (!result.ok) throw new Error(result.reason);
  return result.post;
}

function ruleOf(subject: NormalisedPost, settings: ConsentSettings = MODERATE): string {
  const { verdict, rule } = judgeConsent(subject, settings);
  return `${verdict}: ${rule}`;
}

describe("refusal tags", () => {
  it.each([
    ["plain text", { note: "<p>Hi! #nobot please</p>" }],
    ["capital letters", { note: "<p>#NoBot</p>" }],
    ["all capitals", { note: "<p>#NOBOTS</p>" }],
    ["at the very end", { note: "<p>x</p><p>#noindex</p>" }],
    ["right behind other text", { note: "<p>bots:#nosearch</p>" }],
    ["wide letters", { note: "<p>＃ｎｏｂｏｔ</p>" }],
    ["an invisible letter inside", { note: "<p>#no\u200bbot</p>" }],
    ["a mark of direction inside", { note: "<p>#\u200enobot</p>" }],
    ["a separator at the end", { note: "<p>#nobot・</p>" }],
    ["emphasis of plain text", { note: "<p>_#nobot_</p>" }],
    [
      "Mastodon's link",
      {
        note: '<p><a href="https://a.example/tags/nobot" class="mention hashtag" rel="tag">#<span>nobot</span></a></p>',
      },
    ],
    ["a link with another text", { note: '<p><a href="https://b.example/tags/NoArchive">no thanks</a></p>' }],
    ["Pleroma's link", { note: '<a href="https://a.example/tag/nobot">x</a>' }],
    ["Friendica's link", { note: '<a href="https://a.example/search?tag=nobot">x</a>' }],
    ["a link to a search for it", { note: '<a href="https://a.example/search?q=%23nobot">x</a>' }],
    ["a percent-encoded link", { note: '<a href="https://a.example/tags/%6Eobot">x</a>' }],
    ["the name", { display_name: "Ann #NoBot 🐈" }],
    ["a field's value", { fields: [{ name: "Bots", value: "#nobot" }] }],
    ["a field's name", { fields: [{ name: "#NoBot", value: "yes" }] }],
    ["fields numbered as PHP does it", { fields: { 0: { name: "x", value: "y" }, 2: { name: "#nobot" } } }],
    ["fields as an object of names, the name", { fields: { "#NoBot": "yes" } }],
    ["fields as an object of names, the value", { fields: { Site: "y", Bots: "#nobot" } }],
    [
      "a link in a field",
      {
        fields: [{ name: "x", value: '<a href="https://a.example/tags/noindex">#<span>noindex</span></a>' }],
      },
    ],
  ])("refuse on the profile: %s", (_case, account) => {
    for (const policy of ["moderate", "opt-in"] as const)
      expect(ruleOf(post(account), { policy })).toBe("drop: refusal_tag");
  });

  it.each(REFUSAL_TAGS)("refuse on profile and post: #%s", (tag) => {
    expect(ruleOf(post({ note: `<p>#${tag}</p>` }))).toBe("drop: refusal_tag");
    expect(ruleOf(post({}, { tags: [{ name: tag }] }))).toBe("drop: refusal_tag_on_post");
  });

  it.each([
    ["as a tag", { tags: [{ name: "cats" }, { name: "NoBot" }] }],
    ["as a tag, numbered as PHP does it", { tags: { 0: { name: "cats" }, 3: { name: "NoBot" } } }],
    ["in the text only", { content: "<p>cats #nobot</p>" }],
    ["as a link", { content: '<p><a href="https://a.example/tags/nobot">.</a></p>' }],
    ["in the content warning", { spoiler_text: "cats #nobot" }],
  ])("refuse on the post: %s", (_case, status) => {
    expect(ruleOf(post({}, status))).toBe("drop: refusal_tag_on_post");
  });

  it.each([
    { note: "<p>#nobotany and #nobothering</p>" },
    { note: "<p>I talk about nobot and bots</p>" },
    { note: "<p>#robot #bots #index</p>" },
    { note: '<p><a href="https://a.example/@nobot">@nobot</a> <a href="https://a.example/nobot">x</a></p>' },
    { note: '<p><a href="https://a.example/search?q=nobot">x</a></p>' },
    { display_name: "Ann (nobot)" },
  ])("do not include similar and bare words: %j", (account) => {
    expect(ruleOf(post(account))).toBe("keep: no_refusal");
  });

  it("include the operator's list in any spelling", () => {
    const settings = { ...MODERATE, refusal_tags: ["#KeinBot", "café"] };
    expect(ruleOf(post({ note: "<p>#keinbot</p>" }), settings)).toBe("drop: refusal_tag");
    expect(ruleOf(post({ note: "<p>#CAFE</p>" }), settings)).toBe("drop: refusal_tag");
    expect(ruleOf(post({ note: "<p>#keinbot</p>" }), MODERATE)).toBe("keep: no_refusal");
  });

  it("are listed in the signals", () => {
    const { signals } = judgeConsent(
      post({ note: "<p>#NoBot #noindex</p>" }, { tags: [{ name: "nobot" }] }),
      MODERATE,
    );
    expect(signals.refusal_tags).toEqual(["nobot", "noindex"]);
  });
});

describe("account settings", () => {
  it.each([
    ["moderate", {}, "keep: no_refusal"],
    ["moderate", { noindex: true }, "drop: noindex"],
    ["moderate", { indexable: false, discoverable: false }, "keep: no_refusal"],
    ["moderate", { noindex: null, indexable: null, discoverable: null }, "keep: no_refusal"],
    ["moderate", { noindex: "true" }, "keep: no_refusal"],
    ["opt-in", {}, "drop: not_opted_in"],
    ["moderate", { suspended: true }, "drop: suspended"],
    ["moderate", { memorial: true }, "drop: memorial"],
    ["moderate", { moved: { id: "2", acct: "ann2" } }, "drop: moved"],
    ["moderate", { moved: null }, "keep: no_refusal"],
    ["moderate", { bot: true, locked: true, group: true, limited: true }, "keep: no_refusal"],
  ] as const)("under %s, %j yields %s", (policy, account, expected) => {
    expect(ruleOf(post(account), { policy })).toBe(expected);
  });

  it("opt in by a tag on the profile, not on the post", () => {
    const settings: ConsentSettings = { policy: "opt-in", opt_in_tags: ["#BoostMe"] };
    expect(ruleOf(post({ note: "<p>#boostme</p>" }), settings)).toBe("keep: opt_in_tag");
    expect(ruleOf(post({}, { tags: [{ name: "boostme" }] }), settings)).toBe("drop: not_opted_in");
    expect(ruleOf(post({ note: "<p>#boostme #nobot</p>" }), settings)).toBe("drop: refusal_tag");
    expect(ruleOf(post({ note: "<p>#boostme</p>", noindex: true }), settings)).toBe("keep: opt_in_tag");
  });

  it("refuse when not everybody may boost", () => {
    const policy = (always: string[]) => ({
      interaction_policy: { can_reblog: { always, with_approval: [] } },
    });
    expect(ruleOf(post({}, policy(["me"])))).toBe("drop: announce_refused");
    expect(ruleOf(post({}, policy(["public"])))).toBe("keep: no_refusal");
  });
});

describe("the refusal of an author", () => {
  const refusal = (
    account: Record<string, unknown>,
    settings: ConsentSettings = MODERATE,
    status: Record<string, unknown> = {},
  ) => {
    const subject = post(account, status);
    const { author_refusal } = judgeConsent(subject, settings);
    expect(judgeAuthor(subject.author, settings)).toBe(author_refusal);
    return author_refusal;
  };

  it.each([
    ["a tag on the profile", { note: "<p>#nobot</p>" }, "refusal_tag"],
    ["a tag before noindex", { note: "<p>#nobot</p>", noindex: true }, "refusal_tag"],
    ["noindex", { noindex: true }, "noindex"],
    ["a tag of a moved account", { note: "<p>#nobot</p>", moved: { id: "2" } }, "refusal_tag"],
    ["noindex of a suspended account", { noindex: true, suspended: true }, "noindex"],
    ["no refusal: a moved account", { moved: { id: "2" } }, null],
    ["no refusal: not indexable", { indexable: false, discoverable: false }, null],
  ] as const)("is found under every policy: %s", (_case, account, expected) => {
    for (const policy of ["moderate", "opt-in"] as const) expect(refusal(account, { policy })).toBe(expected);
    const tagged = { tags: [{ name: "nobot" }], interaction_policy: { can_reblog: { always: ["me"] } } };
    expect(refusal(account, MODERATE, tagged)).toBe(expected);
  });

  it("is not noindex of an author who opted in, while a tag still refuses", () => {
    const settings: ConsentSettings = { policy: "opt-in", opt_in_tags: ["yes"] };
    expect(refusal({ noindex: true, note: "<p>#yes</p>" }, settings)).toBeNull();
    expect(refusal({ noindex: true }, settings)).toBe("noindex");
    expect(refusal({ noindex: true, note: "<p>#yes #nobot</p>" }, settings)).toBe("refusal_tag");
    expect(refusal({ noindex: true }, { ...settings, policy: "moderate" })).toBe("noindex");
  });
});

describe("signals", () => {
  it("contain the statements of post and author", () => {
    const { signals } = judgeConsent(
      post(
        { note: null, locked: true, bot: true, indexable: false, discoverable: null },
        {
          sensitive: true,
          spoiler_text: "cw",
          in_reply_to_id: "9",
          quote: { state: "accepted", quoted_status: null },
        },
      ),
      MODERATE,
    );
    expect(signals).toMatchObject({
      policy: "moderate",
      profile_seen: false,
      locked: true,
      bot: true,
      indexable: false,
      discoverable: null,
      sensitive: true,
      content_warning: true,
      reply: true,
      quote: true,
    });
  });

  it("fit their schema, contain no content, and do not depend on other text", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 60 }),
        fc.constantFrom("moderate" as const, "opt-in" as const),
        (text, policy) => {
          const marker = "s3cr3t-w0rds";
          const escaped = text.replace(/[<>&#＃]/g, " ");
          const verdict = judgeConsent(
            post({ note: `<p>${escaped}</p>` }, { content: `<p>${marker} ${escaped}</p>` }),
            {
              policy,
            },
          );
          expect(consentSignals.parse(verdict.signals)).toEqual(verdict.signals);
          expect(JSON.stringify(verdict)).not.toContain(marker);
          expect(verdict.verdict).toBe(policy === "opt-in" ? "drop" : "keep");
        },
      ),
    );
  });
});
