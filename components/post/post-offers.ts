import { Ban, Copy, ExternalLink, FileText } from "lucide-react";
import type { PageAction } from "#components/shell/page-offers.ts";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { Post } from "#lib/review/post-schema.ts";

type Shown = Pick<Post, "id" | "url" | "post_id" | "author_account">;

export function addressOf(post: Pick<Post, "url" | "post_id">): string {
  return post.url ?? post.post_id;
}

/** Actions of the palette on a post, without decisions. `block` only for administrators. */
export function postActions(
  post: Shown,
  { open, block }: { open?: () => void; block?: (account: string) => void },
): PageAction[] {
  return [
    ...(open ? [{ id: "post open", name: "Open this post", icon: FileText, run: open }] : []),
    {
      id: "post original",
      name: "Open original",
      icon: ExternalLink,
      run: () => window.open(addressOf(post), "_blank", "noopener,noreferrer"),
    },
    { id: "post copy", name: "Copy the post’s address", icon: Copy, run: () => void copy(addressOf(post)) },
    ...(block
      ? [
          {
            id: "post block",
            name: `Block ${post.author_account}`,
            icon: Ban,
            run: () => block(post.author_account),
          },
        ]
      : []),
  ];
}

/** Without https the browser has no clipboard. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifyDone("Copied");
  } catch {
    notifyFailed("The browser refused to copy. Select the text and copy it yourself.");
  }
}
