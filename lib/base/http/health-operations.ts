import { z } from "zod";
import { env } from "#lib/base/env.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { common } from "./common-fields.ts";
import { nullableString, stringField } from "./fields.ts";
import { checkReadiness, checkWorker, State, WorkerState } from "./health.ts";
import { operation } from "./operation.ts";
import { ok } from "./reply.ts";

/* At the root for load balancers, and below /api/v1 because clients generated from the OpenAPI document ask there. */

const { description, license, version } = packageJson;
const tag = "Health";
const appField = stringField("Name of the service.", "Sluice");

const Health = z
  .object({
    status: z.literal("healthy").describe("State in one word."),
    app: appField,
    version: common.version,
  })
  .meta({ id: "Health", example: { status: "healthy", app: "Sluice", version } });

export const health = operation({
  id: "getHealth",
  summary: "Check that the process is running",
  tag,
  auth: "none",
  responses: { 200: Health },
  handle: () => Promise.resolve(ok({ status: "healthy", app: "Sluice", version })),
});

const Info = z
  .object({
    app: appField,
    version: common.version,
    description: stringField("Purpose of the service.", "Collects fediverse posts by hashtag."),
    license: stringField("SPDX id of the licence.", "AGPL-3.0-or-later"),
    source_url: nullableString(
      "Address of the source code of this service, or null.",
      "https://git.example/sluice",
    ),
    api: stringField("Path of the API.", "/api/v1"),
    openapi: stringField("Path of the OpenAPI document.", "/api/v1/openapi.json"),
    docs: stringField("Path of the API reference.", "/docs"),
  })
  .meta({ id: "Info" });

export const info = operation({
  id: "getInfo",
  summary: "Name and version of the service",
  tag,
  auth: "none",
  responses: { 200: Info },
  handle: () =>
    Promise.resolve(
      ok({
        app: "Sluice",
        version,
        description,
        license,
        source_url: env().SOURCE_URL ?? null,
        api: "/api/v1",
        openapi: "/api/v1/openapi.json",
        docs: "/docs",
      }),
    ),
});

export const live = operation({
  id: "isAlive",
  summary: "Is the process alive?",
  description: "Asks nothing but the process itself: restarting it would not bring the database back.",
  tag,
  auth: "none",
  responses: { 200: State },
  handle: () => Promise.resolve(ok({ status: "alive" })),
});

const Readiness = State.extend({
  database: z.literal("ready").optional().describe("With `verbose`."),
  worker: WorkerState.optional().describe("With `verbose`."),
}).meta({ id: "Readiness", example: { status: "ready" } });

export const ready = operation({
  id: "isReady",
  summary: "Check that the service can answer requests",
  description:
    "The database is reachable, can write, and has the tables of this version, not of a newer one. A silent worker does not change the status.",
  tag,
  auth: "none",
  query: z.object({
    verbose: z
      .string()
      .optional()
      .describe("Present, with any value: adds the state of the database and of the worker."),
  }),
  responses: { 200: Readiness },
  errors: ["not_ready", "database_newer", "database_away", "database_unwritable"],
  handle: async ({ query: { verbose } }) => {
    await checkReadiness();
    const state = { status: "ready" };
    if (verbose === undefined) return ok(state);
    return ok({ ...state, database: "ready", worker: await checkWorker() });
  },
});
