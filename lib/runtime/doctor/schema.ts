import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { isoTime, stringField } from "#lib/http/fields.ts";

export const Finding = z
  .object({
    check: stringField("Name of the check.", "disk"),
    state: z.enum(["ok", "warn", "fail"]).describe("Result: `fail` needs action."),
    text: stringField("Finding, without secrets.", "3.2 of 40.0 GB free."),
    advice: stringField("Advice; empty when no action is needed.", ""),
  })
  .meta({ id: "Finding" });
export type Finding = z.infer<typeof Finding>;

export const Doctor = z
  .object({
    items: z.array(Finding).describe("One line for each check."),
    total: common.total,
    checked_at: isoTime.describe("Time of the checks."),
  })
  .meta({ id: "Doctor" });
export type Doctor = z.infer<typeof Doctor>;
