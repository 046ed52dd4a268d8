import type { Env } from "#lib/env.ts";
import { readFacts } from "#lib/runtime/doctor/read-facts.ts";
import { describeFindings, judge } from "#lib/runtime/doctor/judge.ts";
import { openCommandDatabase } from "#lib/runtime/postgres/access.ts";
import { dataDirOf } from "#lib/runtime/settings.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import type { CommandLine } from "./commands.ts";
import { requireDatabase } from "./file-commands.ts";

/** @returns the exit code: 1 when a check fails */
export async function runDoctor({ json }: CommandLine, settings: Env): Promise<number> {
  const dataDir = dataDirOf(settings);
  const database = await openDatabase(settings, dataDir);
  try {
    const findings = judge(await readFacts(settings, dataDir, database));
    console.log(json ? JSON.stringify(findings, null, 2) : describeFindings(findings).join("\n"));
    return findings.some(({ state }) => state === "fail") ? 1 : 0;
  } finally {
    if ("stop" in database) await database.stop();
  }
}

async function openDatabase(settings: Env, dataDir: string) {
  try {
    requireDatabase(settings, dataDir);
    return await openCommandDatabase(settings);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { problem: error.message };
  }
}
