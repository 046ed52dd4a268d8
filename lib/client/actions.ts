import { apiFetch, type ApiFetchOptions } from "./api-fetch.ts";
import { newId } from "./new-id.ts";

/* Actions that this tab made through `act`, so that a page can tell which of them came last. */

const made: { id: string; at: number }[] = [];
type Listener = (undone: { id: string; postId: number | null }) => void;
const listeners = new Set<Listener>();

/**
 * `apiFetch` for a change that the history keeps. A repeated request with the same id changes nothing.
 *
 * @returns the answer, and the id for an undo
 */
export async function act<T>(path: string, options: ApiFetchOptions): Promise<{ answer: T; id: string }> {
  const id = newId();
  const headers = { ...options.headers, "X-Action-Id": id };
  const answer = await apiFetch<T>(path, { ...options, headers });
  actionMade(id);
  return { answer, id };
}

/** For an action whose id is the token of its preview. */
export function actionMade(id: string, at: number = Date.now()): void {
  made.push({ id, at });
}

/** Runs `then` once, when this tab undoes the action. */
export function whenUndone(id: string, then: () => void): void {
  const end = onActionUndone((undone) => {
    if (undone.id !== id) return;
    end();
    then();
  });
}

/** The last action that is left to undo, with milliseconds since 1970. */
export function lastMade(isLeft: (id: string) => boolean = () => true): { id: string; at: number } | null {
  return made.findLast(({ id }) => isLeft(id)) ?? null;
}

export function actionUndone(id: string, postId: number | null): void {
  const index = made.findIndex((each) => each.id === id);
  if (index >= 0) made.splice(index, 1);
  for (const each of listeners) each({ id, postId });
}

export function onActionUndone(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
