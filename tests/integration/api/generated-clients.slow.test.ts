import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, it, type TestContext } from "vitest";
import { GET as getDocument } from "#app/api/v1/openapi.json/route.ts";
import { db } from "#lib/db.ts";
import { startApiServer } from "#tests/setup/api-server.ts";
import { makeKey, makePost, unique } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/*
 * Clients that are generated from the OpenAPI document do the whole round against the route handlers, whose answers have
 * one more field in every object. Generators come from the package registries.
 */

const run = promisify(execFile);
const INSTALL = 1_800_000;
let folder: string;
let sluice: Awaited<ReturnType<typeof startApiServer>>;

type Round = Record<"stream" | "acked" | "failed" | "delivered" | "errors", number> & { approved: number[] };

/** With a field of a later version in every object. */
function withFurtherField(text: string): string {
  if (text === "") return text;
  const value: unknown = JSON.parse(text);
  const extended: unknown = JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? { ...each, field_of_a_later_version: null }
      : each,
  );
  return JSON.stringify(extended);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sluice-clients-"));
  await cp(path.join(import.meta.dirname, "generated-clients"), folder, { recursive: true });
  const { text } = await call(getDocument, { path: "/api/v1/openapi.json" });
  await writeFile(path.join(folder, "openapi.json"), text);
  sluice = await startApiServer(undefined, withFurtherField);
});

afterAll(async () => {
  await sluice.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await db.post.deleteMany();
});

/** Skips the test with one line when the registry, or Python, is missing. */
async function install(context: TestContext, steps: [string, string[]][]): Promise<void> {
  try {
    for (const [program, args] of steps) await run(program, args, { cwd: folder });
  } catch (error) {
    const [line = ""] = String((error as Error).message).split("\n");
    context.skip(`The generator cannot be installed: ${line}`);
  }
}

const inFolder = (program: string, args: string[]) => run(program, args, { cwd: folder, maxBuffer: 2 ** 26 });

async function expectRound(program: string, args: string[]): Promise<void> {
  const [first, second] = [await makePost(), await makePost()];
  const before = await db.queue_entry.count({ where: { state: "delivered" } });
  const hashtag = `generated${unique()}`;
  const { stdout } = await run(program, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "test",
      API: `${sluice.url}/api/v1`,
      KEY: await makeKey(),
      HASHTAG: hashtag,
    },
  });
  const round = JSON.parse(stdout) as Round;
  expect(await db.stream.findUniqueOrThrow({ where: { id: round.stream } })).toMatchObject({ hashtag });
  const ids = [first.id, second.id];
  expect(round.approved.toSorted((a, b) => a - b)).toEqual(ids);
  expect([round.acked, round.failed].sort((a, b) => a - b)).toEqual(ids);
  const state = async (id: number) =>
    (await db.queue_entry.findUniqueOrThrow({ where: { post_id: id } })).state;
  expect([await state(round.acked), await state(round.failed)]).toEqual(["delivered", "error"]);
  expect(round.delivered).toBeGreaterThan(before);
  expect(round.errors).toBeGreaterThan(0);
}

it(
  "openapi-typescript: a client type-checks and does the whole round",
  { timeout: INSTALL },
  async (context) => {
    const packages = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0"];
    await install(context, [
      ["npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages]],
    ]);
    const { execPath } = process;
    const generator = "node_modules/openapi-typescript/bin/cli.js";
    await inFolder(execPath, [generator, "openapi.json", "--output", "schema.d.ts"]);
    const typescript = path.resolve("node_modules/typescript/bin/tsc");
    const types = ["--types", "node", "--typeRoots", path.resolve("node_modules/@types")];
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext"];
    await inFolder(execPath, [
      typescript,
      ...options,
      "--allowImportingTsExtensions",
      ...types,
      "openapi-typescript.mts",
    ]);
    await expectRound(execPath, ["--disable-warning=ExperimentalWarning", "openapi-typescript.mts"]);
  },
);

const pythonSteps = (packages: string[]): [string, string[]][] => [
  ["python3", ["-m", "venv", "venv"]],
  ["venv/bin/pip", ["install", "--quiet", "--disable-pip-version-check", ...packages]],
];

it("openapi-python-client: a client does the whole round", { timeout: INSTALL }, async (context) => {
  await install(context, pythonSteps(["openapi-python-client==0.29.1"]));
  const args = ["generate", "--path", "openapi.json", "--output-path", "client", "--meta", "none"];
  await inFolder("venv/bin/openapi-python-client", args);
  await expectRound("venv/bin/python", ["openapi-python-client.py"]);
});

it(
  "datamodel-code-generator: pydantic models do the whole round and accept what a later version adds",
  { timeout: INSTALL },
  async (context) => {
    await install(context, pythonSteps(["datamodel-code-generator==0.89.0", "pydantic[email]==2.14.4"]));
    const kinds = ["--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"];
    // By default an object inside another model may take the name of a model of the document.
    const names = ["--naming-strategy", "parent-prefixed"];
    await inFolder("venv/bin/datamodel-codegen", [
      "--input",
      "openapi.json",
      ...kinds,
      ...names,
      "--output",
      "models.py",
    ]);
    await expectRound("venv/bin/python", ["datamodel-code-generator.py"]);
  },
);
