"use client";
import { useCan } from "#components/shell/member-context.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Notice } from "#components/ui/states.tsx";
import type { Stream } from "#lib/collect/stream-schema.ts";

/** The error of the last fetch; a missing token with the way to set it. */
export function StreamFailure({ stream }: { stream: Stream }) {
  const maySet = useCan("admin");
  const { instance, last_error: error, last_error_kind: kind } = stream;
  if (error === null) return null;
  const isMissing = kind === "needs_token";
  if (!isMissing && kind !== "token_refused") {
    return (
      <Notice tone="warn">
        <span className="font-medium">Last fetch failed:</span> {error}{" "}
        <RelativeTime at={stream.last_check} />
      </Notice>
    );
  }
  const href = `/settings/installation?server=${encodeURIComponent(instance)}`;
  return (
    <Notice tone="warn">
      <span className="font-medium wrap-anywhere">
        {isMissing ? `${instance} answers only with a token.` : `${instance} refuses the stored token.`}
      </span>{" "}
      {maySet ? (
        <Link href={href}>{isMissing ? "Set a token" : "Replace the token"}</Link>
      ) : (
        "An admin can set one in the settings."
      )}
    </Notice>
  );
}
