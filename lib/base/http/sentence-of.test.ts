import { expect, test } from "vitest";
import { z } from "zod";
import { sentenceOf } from "./sentence-of.ts";

const refusal = (schema: z.ZodType, value: unknown) =>
  z.object({ field: schema }).safeParse({ field: value }, { error: sentenceOf }).error?.issues[0]?.message;

test.each([
  [z.string(), undefined, "is missing"],
  [z.enum(["a", "b"]), undefined, "is missing"],
  [z.string(), 7, "must be a text"],
  [z.number(), "7", "must be a number"],
  [z.int(), 1.5, "must be an integer"],
  [z.int(), "1", "must be a number"],
  [z.boolean(), "yes", "must be true or false"],
  [z.array(z.int()), {}, "must be a list"],
  [z.object({}), [], "must be an object"],
  [z.record(z.string(), z.int()), 7, "must be an object"],
  [z.enum(["a", "b"]), "c", "must be one of a, b"],
  [z.literal(true), false, "must be true"],
  [z.int().min(1), 0, "must be at least 1"],
  [z.int().max(100), 101, "must be at most 100"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.number().lt(5), 5, "must be less than 5"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(2), "a", "must have at least 2 characters"],
  [z.array(z.int()).min(1), [], "must not be empty"],
  [z.array(z.int()).max(2), [1, 2, 3], "must have at most 2 entries"],
  [z.uuid(), "x", "must be a UUID"],
  [z.string({ error: "must be what the schema says" }), 7, "must be what the schema says"],
])("sentenceOf returns the API's sentence in case %#", (schema, value, sentence) => {
  expect(refusal(schema, value)).toBe(sentence);
});
