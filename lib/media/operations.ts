import { ApiError } from "#lib/errors.ts";
import type { DuplicateSide } from "./picture-source.ts";

/** Declaration shared by all picture routes: session only, by the id of a post. */
export const mediaOperation = {
  tag: "Media",
  scope: "read",
  sessionOnly: true,
  ids: ["id"],
  notFound: () => new ApiError("picture_not_found"),
  errors: ["picture_not_found", "picture_unavailable"],
} as const;

/**
 * Index of a medium in a path, from 0.
 *
 * @throws ApiError `picture_not_found` for anything else
 */
export function placeOf(text: string | undefined): number {
  if (text === undefined || !/^\d{1,3}$/.test(text)) throw new ApiError("picture_not_found");
  return Number(text);
}

/**
 * Side of a duplicate in a path.
 *
 * @throws ApiError `picture_not_found` for anything else
 */
export function sideOf(text: string | undefined): DuplicateSide {
  if (text !== "current" && text !== "matched") throw new ApiError("picture_not_found");
  return text;
}
