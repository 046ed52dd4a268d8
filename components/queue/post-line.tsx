import type { ReactNode } from "react";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { PostCell } from "./post-cell.tsx";

export function PostLine({
  post,
  picture,
  facts,
  action,
}: {
  post: ListedPost;
  picture?: ReactNode;
  facts: ReactNode;
  action?: ReactNode;
}) {
  return (
    <li className="flex items-center gap-4 px-4 py-2 text-13">
      {picture}
      <div className="min-w-0 flex-1">
        <PostCell post={picture ? { ...post, has_attachments: false } : post} />
        <p className="tabular mt-0.5 text-12 text-muted">{facts}</p>
      </div>
      {action}
    </li>
  );
}
