"use client";
import { Check, CheckCheck, ListRestart, RotateCcw, Trash2, Undo2, X, type LucideIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { notifyDecided } from "#components/review/notify-decided.ts";
import { undoDecision } from "#components/review/undo.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { usePageOffer } from "#components/shell/page-offers.ts";
import { Button, type ButtonVariant } from "#components/ui/button.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { ApiFailure, asFailure } from "#lib/client/api-failure.ts";
import { apiFetch, type ApiFetchOptions } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Post } from "#lib/review/post-schema.ts";
import { postActions } from "./post-offers.ts";

type Acted = Pick<
  Post,
  "id" | "version" | "approved" | "queue_status" | "erased_at" | "url" | "post_id" | "author_account"
>;

const paletteIcons: Readonly<Record<string, LucideIcon>> = { approve: Check, reject: X, unreview: Undo2 };

interface Action {
  key: string;
  label: string;
  icon: ReactNode;
  done: string;
  path: string;
  options: ApiFetchOptions;
  variant?: ButtonVariant;
  admin?: boolean;
}

/** Reject left, approve right, as at the desk. */
const thumbs = ["reject", "unreview", "approve"];

/** Rendered twice: on phones the decisions are at the bottom. */
export function PostActions({ post, at }: { post: Acted; at: "head" | "thumb" }) {
  const router = useRouter();
  const mayReview = useCan("reviewer");
  const mayManage = useCan("admin");
  const [pending, setPending] = useState<string | null>(null);
  const run = async (action: Action) => {
    setPending(action.key);
    try {
      await apiFetch(action.path, action.options);
      const refresh = () => router.refresh();
      if (thumbs.includes(action.key))
        notifyDecided(
          action.done,
          () => undoDecision(post.id),
          () => "Previous decision restored",
          { after: refresh },
        );
      else notifyDone(action.done);
    } catch (thrown) {
      notifyFailed("The post was not changed", plainly(asFailure(thrown)));
    }
    setPending(null);
    router.refresh();
  };
  const remove = useMutation<void>(() => apiFetch(`/posts/${post.id}`, { method: "DELETE" }), {
    onDone: () => {
      notifyDone("Post deleted");
      router.push("/posts");
    },
    onFailed: (failure) => notifyFailed("The post was not changed", failure),
  });
  // The server refuses them for an erased post.
  const refused = post.erased_at === null ? [] : ["approve", "unreview"];
  const actions = actionsFor(post).filter(
    (action) => (mayManage || !action.admin) && !refused.includes(action.key),
  );
  usePageOffer(() => ({
    about:
      at === "head"
        ? {
            name: `Post by ${post.author_account}`,
            actions: [
              ...(mayReview
                ? actions.map(({ key, label, ...action }) => ({
                    id: `post ${key}`,
                    name: label,
                    icon: paletteIcons[key] ?? ListRestart,
                    run: () => void run({ key, label, ...action }),
                  }))
                : []),
              ...postActions(post, {}),
            ],
          }
        : null,
  }));
  if (!mayReview) return null;
  if (at === "thumb") {
    const decisions = thumbs.flatMap((key) => actions.find((action) => action.key === key) ?? []);
    if (decisions.length === 0) return null;
    return (
      <div
        role="group"
        aria-label="Decide"
        data-thumb-bar=""
        className="sticky bottom-[calc(3.5rem+1px+env(safe-area-inset-bottom))] z-20 -mx-4 mt-6 mb-[calc(1px-2.5rem+env(safe-area-inset-bottom))] flex gap-2 border-t border-line bg-surface px-3 py-2 desk:hidden"
      >
        {decisions.map((action) => (
          <Button
            key={action.key}
            size="touch"
            icon={action.icon}
            variant={action.variant ?? "quiet"}
            pending={pending === action.key}
            onClick={() => void run(action)}
            className="h-14 min-w-0 flex-1 basis-0 px-2 whitespace-normal slim:px-1 slim:text-14 [&_svg]:size-5 slim:[&_svg]:hidden"
          >
            {action.label}
          </Button>
        ))}
      </div>
    );
  }
  return (
    <>
      {mayManage ? (
        <AlertDialog
          title="Delete this post?"
          description="The post, its pictures and its place in the queue are deleted, without undo. Its history stays in the log. It is not fetched again."
          confirm="Delete"
          pending={remove.pending}
          onConfirm={() => void remove.run()}
          trigger={
            <Button variant="ghost" icon={<Trash2 aria-hidden />}>
              Delete
            </Button>
          }
        />
      ) : null}
      {actions.map((action) => (
        <Button
          key={action.key}
          icon={action.icon}
          variant={action.variant ?? "quiet"}
          pending={pending === action.key}
          onClick={() => void run(action)}
          className={thumbs.includes(action.key) ? "max-desk:hidden" : ""}
        >
          {action.label}
        </Button>
      ))}
    </>
  );
}

function actionsFor(post: Acted): Action[] {
  const review = (approved: boolean | null): Pick<Action, "path" | "options"> => ({
    path: `/posts/${post.id}`,
    options: { method: "PATCH", body: { approved, version: post.version } },
  });
  const move = (name: string): Pick<Action, "path" | "options"> => ({
    path: `/curated/${post.id}/${name}`,
    options: { method: "POST" },
  });
  const approve: Action = {
    key: "approve", label: "Approve", icon: <Check aria-hidden />, done: "Post approved", variant: "approve", ...review(true),
  }; // prettier-ignore
  const reject: Action = {
    key: "reject", label: "Reject", icon: <X aria-hidden />, done: "Post rejected", variant: "reject", ...review(false),
  }; // prettier-ignore
  const unreview: Action = {
    key: "unreview", label: "Back to unreviewed", icon: <Undo2 aria-hidden />, done: "Post is unreviewed again", ...review(null),
  }; // prettier-ignore
  switch (post.queue_status) {
    case "pending":
      return [unreview, reject];
    case "reserved":
    case "delivered":
      return [];
    case "error":
      return [
        { key: "requeue", label: "Requeue", icon: <RotateCcw aria-hidden />, done: "Post is back in the queue", admin: true, ...move("requeue") },
        { key: "mark", label: "Mark as delivered", icon: <CheckCheck aria-hidden />, done: "Post marked as delivered", ...move("mark-delivered") },
        reject,
      ]; // prettier-ignore
    case null:
      if (post.approved === null) return [reject, approve];
      return post.approved ? [unreview, reject] : [unreview, approve];
  }
}

function plainly(failure: ApiFailure): ApiFailure {
  if (failure.status !== 409 || !["reserved", "delivered"].includes(failure.state ?? "")) return failure;
  return new ApiFailure({
    status: 409,
    detail: "A boost bot already has this post. The decision can no longer be changed.",
    requestId: failure.requestId,
  });
}
