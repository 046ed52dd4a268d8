import { ApiError } from "#lib/base/errors.ts";
import type { DuplicateSide } from "./picture-source.ts";

/** Session only, by the id of a post. */
export const mediaOperation = {
  tag: "Media",
  scope: "read",
  sessionOnly: true,
  ids: ["id"],
  errors: ["picture_not_found", "picture_unavailable"],
} as const;

/**
 * Index of a medium, from 0.
 *
 * @throws ApiError `picture_not_found` for anything else
 */
export function placeOf(text: string | undefined): number {
  if (text === undefined || !/^\d{1,3}$/.test(text)) throw new ApiError("picture_not_found");
  return Number(text);
}

/**
 * @throws ApiError `picture_not_found` for any other side
 */
export function sideOf(text: string | undefined): DuplicateSide {
  if (text !== "current" && text !== "matched") throw new ApiError("picture_not_found");
  return text;
}
