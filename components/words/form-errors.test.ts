import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ApiFailure } from "#lib/client/api-failure.ts";
import { ClassifyWordCreate } from "#lib/checks/words/schema.ts";
import { BlockedHashtagCreate, BlockedUserCreate } from "#lib/filters/schema.ts";
import { KeyGenerate } from "#lib/keys/schema.ts";
import { InvitationCreate, MemberCreate, PasswordChange, ProfileUpdate } from "#lib/members/schema.ts";
import { RetentionUpdate } from "#lib/posts/retention-schema.ts";
import { ErrorGroup } from "#lib/queue/schema.ts";
import { StreamCreate, StreamUpdate } from "#lib/streams/schema.ts";
import { settingNames, streamSettings } from "#lib/streams/settings-schema.ts";
import { TopicalTagCreate } from "#lib/topical/schema.ts";
import { fieldErrors } from "./en/field-errors.ts";
import { formErrors, type FormName } from "./form-errors.ts";

const schemas: readonly [FormName, z.ZodObject][] = [
  ["stream", StreamCreate],
  ["stream", StreamUpdate],
  ["topicalTag", TopicalTagCreate],
  ["blockedUser", BlockedUserCreate],
  ["blockedHashtag", BlockedHashtagCreate],
  ["blockedWord", ClassifyWordCreate],
  ["invitation", InvitationCreate],
  ["account", MemberCreate],
  ["profile", ProfileUpdate],
  ["passwordChange", PasswordChange],
  ["apiKey", KeyGenerate],
  ["retention", RetentionUpdate],
  ["errorGroup", ErrorGroup],
];

/** Set by the screens themselves. */
const unseen = ["reject_reason"];

const refused = (...paths: string[]) =>
  new ApiFailure({
    status: 422,
    detail: "Validation error: …",
    errors: paths.map((path) => ({ path, message: "must be an API sentence" })),
  });

describe("the words of form errors", () => {
  it.each(schemas)("of %s cover every field of its schema", (form, schema) => {
    const fields = Object.keys(schema.shape).filter((field) => !unseen.includes(field));
    expect(Object.keys(fieldErrors[form])).toEqual(expect.arrayContaining(fields));
  });

  it("of a stream name the bounds of its settings", () => {
    const unnamed = settingNames.flatMap((name) => {
      const schema = z.toJSONSchema(streamSettings[name].body, { io: "input" });
      const { minimum, maximum, maxItems, maxLength } = { ...schema, ...(schema["override"] as object) };
      // Nobody types a host name of 300 characters.
      const bounds = [minimum, maximum, maxItems, name === "instance" ? undefined : maxLength];
      const sentence = fieldErrors.stream[name];
      return bounds
        .filter((bound) => bound !== undefined && !sentence.includes(String(bound)))
        .map((bound) => `${name}: ${bound}`);
    });
    expect(unnamed).toEqual([]);
  });

  it("are whole sentences that name no field of the API", () => {
    const wrong = Object.values(fieldErrors)
      .flatMap((form) => Object.values<string>(form))
      .filter((text) => !/^[A-Z][^_]+\.$/.test(text));
    expect(wrong).toEqual([]);
  });

  it("stand at the field, also for an item of its list", () => {
    const errors = formErrors("stream", refused("languages.0", "hashtag"));
    expect(errors.at("languages")).toBe(fieldErrors.stream.languages);
    expect(errors.at("hashtag")).toBe(fieldErrors.stream.hashtag);
    expect([errors.at("instance"), errors.form]).toEqual([undefined, undefined]);
  });

  it("stand at the form for a rule over several fields", () => {
    const errors = formErrors("topicalTag", refused("body"));
    expect(errors.form).toBe("Choose a weekday or a date.");
    expect(errors.at("topical_month_day")).toBeUndefined();
  });

  it("leave a refusal by state and a failed connection as the server or client says", () => {
    const taken = new ApiFailure({ status: 409, detail: "A topical rule for #cats already exists" });
    expect(formErrors("topicalTag", taken).form).toBe("A topical rule for #cats already exists");
    const days = new ApiFailure({ status: 400, detail: "retention_days must be >= 0" });
    expect(formErrors("cleanup", days).form).toBe("Enter a whole number of days, 0 or more.");
    expect(formErrors("cleanup", undefined).form).toBeUndefined();
  });
});
