"use client";
import { useEffect } from "react";
import { outboxPrefix } from "#lib/client/desk/outbox-prefix.ts";
import { retryImport } from "#lib/client/retry-import.ts";
import { useMember } from "./member-context.tsx";

/** Decisions of a closed page are sent from the next page. Loaded only when there are any. */
export function UnsentDecisions() {
  const { id } = useMember();
  useEffect(() => {
    if (!areAny(outboxPrefix(id))) return;
    void retryImport(() => import("#lib/client/desk/use-outbox.ts")).then(({ outboxOf }) => outboxOf(id));
  }, [id]);
  return null;
}

function areAny(prefix: string): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(prefix));
  } catch {
    return false;
  }
}
