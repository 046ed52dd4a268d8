import { words } from "#components/words/en.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { Post } from "#lib/posts/schema.ts";
import { isUnseen } from "./seen-pictures.ts";
import type { Verdict } from "./use-batch.ts";

const w = words.reviewTools.leftOut;

type Shown = Pick<Post, "id" | "approved" | "queue_status" | "confirmed_at" | "media_attachments">;

/** Why a batch will not change a post: unseen pictures, or a reason from the server's count. Null if it will change it. */
export function leftOutReason(
  post: Shown,
  decision: Verdict,
  seen: ReadonlySet<number>,
  warnings: ActionPreview["warnings"],
): string | null {
  const isApproval = decision === "approve";
  if (isApproval && isUnseen(post, seen)) return w.unseen;
  const counted = new Set(warnings.map(({ code }) => code));
  const isHandedOut = post.queue_status === "reserved" || post.queue_status === "delivered";
  if (counted.has("handed_out") && isHandedOut) return w.handedOut;
  if (counted.has("already") && post.approved === isApproval) return w.already[decision];
  return counted.has("unconfirmed") && post.confirmed_at === null ? w.unconfirmed : null;
}
