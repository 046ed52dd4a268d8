"use client";
import { Panel } from "#components/ui/card.tsx";
import { useApi } from "#lib/client/use-api.ts";
import type { ShownPost } from "#lib/review/shown-post-schema.ts";
import { SeenBefore, type SeenBeforeProps } from "./seen-before.tsx";

export function SeenPanel(props: Omit<SeenBeforeProps, "items">) {
  const { post } = props;
  const hasPictures = post.media_attachments.some(({ type }) => type !== "audio");
  const { data } = useApi<ShownPost>(hasPictures ? `/posts/${post.id}` : null, {
    refreshOnFocus: false,
  });
  if (!data || data.seen_before.length === 0) return null;
  return (
    <Panel title="Seen before">
      <SeenBefore {...props} items={data.seen_before} />
    </Panel>
  );
}
