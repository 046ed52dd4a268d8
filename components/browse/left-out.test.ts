import { expect, it } from "vitest";
import type { Media } from "#lib/posts/schema.ts";
import { leftOutReason } from "./left-out.ts";

const post = {
  id: 7,
  approved: null,
  queue_status: null,
  confirmed_at: "2026-03-01T10:00:00.000Z",
  media_attachments: [] as Media[],
};
const withPicture = { ...post, media_attachments: [{ type: "image" } as Media] };
const unseen = new Set<number>();
const warnings = (...codes: string[]) => codes.map((code) => ({ code, count: 1, detail: "" }));

it("an approval leaves out unseen pictures until they were on the screen", () => {
  expect(leftOutReason(withPicture, "approve", unseen, [])).toBe("Pictures not seen yet");
  expect(leftOutReason(withPicture, "approve", new Set([7]), [])).toBeNull();
  expect(leftOutReason(withPicture, "reject", unseen, [])).toBeNull();
});

it("names the reasons of the server's count, and none that it did not count", () => {
  const unconfirmed = { ...post, confirmed_at: null };
  expect(leftOutReason(unconfirmed, "approve", unseen, warnings("unconfirmed"))).toBe("Not confirmed yet");
  expect(leftOutReason(unconfirmed, "approve", unseen, [])).toBeNull();
  const rejected = { ...post, approved: false };
  expect(leftOutReason(rejected, "reject", unseen, warnings("already"))).toBe("Already rejected");
  expect(leftOutReason(rejected, "approve", unseen, warnings("rejected"))).toBeNull();
  const delivered = { ...post, approved: true, queue_status: "delivered" as const };
  expect(leftOutReason(delivered, "reject", unseen, warnings("handed_out"))).toBe("Handed out");
});
