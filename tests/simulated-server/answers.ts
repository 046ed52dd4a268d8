import type { Control } from "./control.ts";
import type { SimPost, Software } from "./model.ts";
import type { Json } from "./render-status.ts";

export interface World {
  control: Control;
  origin: string;
  software: Software;
}

export interface Ask {
  method: string;
  url: URL;
  body: Json;
  wantsObject: boolean;
  token: string | null;
}

export type Answer =
  | { status: number; headers?: Record<string, string>; json: unknown }
  | { status: number; html: string };

export const ok = (json: unknown, headers: Record<string, string> = {}): Answer => ({
  status: 200,
  headers,
  json,
});
export const failed = (status: number, error: string): Answer => ({ status, json: { error } });

/** Private posts are never readable, because nobody has followers. */
export function isReadable(post: SimPost): boolean {
  return post.visibility === "public" || post.visibility === "unlisted";
}
