import { z } from "zod";
import { text } from "#lib/http/fields.ts";
import { normaliseHashtag } from "./normalise-hashtag.ts";

/** A hashtag in a body, however it is written; parsed it is as `normaliseHashtag` gives it. */
export const hashtagField = text(300)
  .transform((value, ctx) => {
    const normalised = normaliseHashtag(value);
    if (normalised !== null) return normalised;
    ctx.addIssue({ code: "custom", message: "is not a hashtag" });
    return z.NEVER;
  })
  .meta({ override: { type: "string" } });
