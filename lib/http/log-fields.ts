import { z } from "zod";
import { MAX_ID, queryInteger, queryTime, text } from "./fields.ts";

const cursor = z
  .string()
  .regex(/^\d{1,18}$/, "must be a next_cursor of an earlier answer")
  .optional();

/** By whom and when. */
export const logFilters = {
  actor: text(200).optional().meta({ description: "Name of the member or key." }),
  member_id: queryInteger(1, MAX_ID).optional(),
  since: queryTime().optional(),
  until: queryTime().optional(),
};
/** Newest first, by cursor. */
export const logPaging = { cursor, limit: queryInteger(1, 1000, "Lines to return.").optional().default(100) };
