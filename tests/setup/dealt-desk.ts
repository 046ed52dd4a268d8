import { expect, type Page } from "@playwright/test";
import type { PostKind, SimPost } from "#tests/simulated-server/server.ts";
import { testAt } from "./own-place.ts";
import { startPlace, type Place } from "./place.ts";

/** A post to lay out; `kind` is what the simulated server makes of it, text unless told otherwise. */
export type Given = Partial<SimPost> & { kind?: PostKind };

export type StoredPost = {
  id: number;
  approved: boolean | null;
  reviewer_notes: string | null;
  media_attachments: unknown[];
};

/** Posts of one journey. Their stream brought nothing else, so that nobody else's cards come between. */
export type Deal = {
  streamId: number;
  /** The deck with these cards only. */
  path: string;
  /** In the order they were given, the oldest first. */
  posts: StoredPost[];
  /** As the simulated server has them. */
  sources: SimPost[];
};

/** An installation whose cards each journey lays out itself. */
export type DealtDesk = Place & {
  /** Lays posts out, a minute apart, the first one three hours old. */
  deal: (given: readonly Given[]) => Promise<Deal>;
  /** The post as it is stored now. */
  stored: (post: StoredPost | undefined) => Promise<StoredPost>;
  /** Its verdict now. */
  approvedOf: (post: StoredPost | undefined) => Promise<boolean | null>;
  /** Sets the administrator's desk preferences; null takes one out. */
  prefer: (preferences: Record<string, unknown>) => Promise<void>;
};

/** Starts one, without the hint for first-time visitors. */
export function startDealtDesk(): Promise<DealtDesk> {
  return startPlace({ hashtags: ["desk"], posts: 0 }, async ({ call, remote }) => {
    const prefer = async (preferences: Record<string, unknown>) => {
      await call("PATCH", "/profile", { preferences });
    };
    await prefer({ desk_hint_seen: true });
    let deals = 0;
    const deal = async (given: readonly Given[]): Promise<Deal> => {
      const hashtag = `deal${++deals}`;
      const begin = Date.now() - 3 * 3_600_000;
      const sources = given.map(({ kind, ...post }, at) =>
        remote.control.addPost(
          { created_at: new Date(begin + at * 60_000), hashtags: [hashtag], ...post },
          kind,
        ),
      );
      const { json: stream } = await call<{ id: number }>("POST", "/streams", {
        hashtag,
        instance: remote.host,
        enable_scheduling: false,
      });
      await call("POST", `/streams/${stream.id}/fetch`);
      const { json: list } = await call<{ items: StoredPost[] }>(
        "GET",
        `/posts?stream_id=${stream.id}&order=oldest&limit=100`,
      );
      return { streamId: stream.id, path: `/review?stream_id=${stream.id}`, posts: list.items, sources };
    };
    const stored = async (post: StoredPost | undefined) =>
      (await call<StoredPost>("GET", `/posts/${post?.id}`)).json;
    return { deal, stored, approvedOf: async (post) => (await stored(post)).approved, prefer };
  });
}

/** The test of a file of journeys at a dealt desk of their own, `desk`. */
export function dealtDeskTest() {
  return testAt(startDealtDesk).extend<{ desk: DealtDesk }>({
    desk: async ({ place }, use) => use(place),
  });
}

/** A post of one line. */
export const text = (words: string): Given => ({ paragraphs: [words] });

/** The card that can be decided now. */
export const cardOnTop = (page: Page) => page.locator('[data-place="top"]');

/** Waits until this post is the card on top. */
export async function expectOnTop(page: Page, post: StoredPost | undefined): Promise<void> {
  await expect(cardOnTop(page)).toHaveAttribute("data-card", String(post?.id));
}

/** What was said last to screen readers. */
export const said = (page: Page) => page.locator("[role=status][data-said]");
