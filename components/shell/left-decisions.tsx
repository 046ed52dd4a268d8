"use client";
import { useEffect } from "react";
import { outboxPrefix } from "#lib/desk/outbox-prefix.ts";
import { patiently } from "#lib/client/patiently.ts";
import { useMember } from "./member-context.tsx";

/**
 * Sends the decisions that a page left behind when it was reloaded or closed, on whatever page is opened next: they
 * must not wait until somebody sits at the desk again. What sends them is loaded only when there are any.
 */
export function LeftDecisions() {
  const { id } = useMember();
  useEffect(() => {
    if (!areAny(outboxPrefix(id))) return;
    void patiently(() => import("#lib/desk/use-outbox.ts")).then(({ outboxOf }) => outboxOf(id));
  }, [id]);
  return null;
}

function areAny(prefix: string): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(prefix));
  } catch {
    // A browser that forbids storage has kept nothing.
    return false;
  }
}
