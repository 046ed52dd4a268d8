"use client";
import { mutate } from "swr";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { actionUndone } from "#lib/client/actions.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Action, ActionList, UndoResult } from "#lib/actions/schema.ts";
import { titleOf } from "./title-of.ts";

const w = words.actions;

/** Actions reported as not undoable; the next key press skips them. */
const reported = new Set<string>();
let queue = Promise.resolve();

/** Several presses in a row undo several actions, one after the other. */
export function undoNewest(): void {
  queue = queue.then(async () => {
    try {
      const { items } = await apiFetch<ActionList>("/actions?this_session=true&undone=false&limit=100");
      const action = items.find(({ id }) => !reported.has(id));
      if (action === undefined) notifyInfo(w.nothing);
      else if (action.undoable) await undoAction(action);
      else refuse(action);
    } catch (thrown) {
      notifyFailed(w.failed, asFailure(thrown));
    }
  });
}

function refuse({ id, ...action }: Action): void {
  reported.add(id);
  notifyInfo(w.cannot(namedTitle(action)), `${sentence(action.limits)}. ${w.pressAgain}`);
}

const sentence = (limits: UndoResult["limits"]) => limits.map(({ detail }) => detail).join(", ");

/** Tells the result. Never throws. Returns false when nothing was restored. */
export async function undoAction(
  action: Action | Pick<Action, "id">,
  message?: (restored: number) => string,
): Promise<boolean> {
  const { id } = action;
  const title = "kind" in action ? namedTitle(action) : null;
  let isUndone = false;
  try {
    const { restored, limits } = await apiFetch<UndoResult>(`/actions/${id}/undo`, { method: "POST" });
    if (restored === 0) {
      reported.add(id);
      notifyInfo(title === null ? w.notUndone : w.cannot(title), sentence(limits));
    } else {
      const some = limits.length > 0 ? { description: sentence(limits) } : undefined;
      notifyDone(message?.(restored) ?? (title === null ? w.undone : w.undoneTitle(title)), some);
      isUndone = true;
      actionUndone(id, "post" in action ? (action.post?.id ?? null) : null);
    }
  } catch (thrown) {
    const failure = asFailure(thrown);
    // The next press goes on to the action before.
    if (failure.status >= 400 && failure.status < 500) reported.add(id);
    notifyFailed(w.failed, failure);
  }
  await mutate(() => true);
  return isUndone;
}

/** With the author of a single post. */
function namedTitle(action: Omit<Action, "id">): string {
  const title = titleOf(action);
  return action.post === null ? title : `${title}, ${words.post.by(action.post.author_account)}`;
}
