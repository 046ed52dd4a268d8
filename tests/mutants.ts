import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";

/*
 * `npm run mutants`: breaks the rules that matter most, one after the other, in a copy of the sources, and runs the tests of the
 * fast tier that hold them. Each broken rule must turn a test red. `--list` names the rules.
 */

interface Mutant {
  rule: string;
  file: string;
  /** Stands in the file once. */
  from: string;
  to: string;
  tests: string[];
}

const mutants: Mutant[] = [
  {
    rule: "a reserved post cannot be rejected",
    file: "lib/review/state.ts",
    from: "reserved: { approve: none, reject: refused, unreview: refused },",
    to: 'reserved: { approve: none, reject: reject("leave"), unreview: refused },',
    tests: ["lib/review/state.test.ts"],
  },
  {
    rule: "only a reserved post is settled",
    file: "prisma/functions/settle.sql",
    from: "WHEN result.state <> 'reserved' THEN 'conflict'",
    to: "WHEN false THEN 'conflict'",
    tests: ["tests/integration/queue/settle.test.ts"],
  },
  {
    rule: "If-Match refuses a former lease",
    file: "prisma/functions/settle.sql",
    from: "q.lease_id::text <> ALL (string_to_array(p_leases, ','))",
    to: "false",
    tests: ["tests/integration/queue/settle.test.ts"],
  },
  {
    rule: "an expired confirmation holds a post",
    file: "prisma/functions/reserve.sql",
    from: "UPDATE queue_entry SET holds = holds | 4",
    to: "UPDATE queue_entry SET holds = holds | 0",
    tests: ["tests/integration/queue/confirmation.test.ts"],
  },
  {
    rule: "only public posts are kept",
    file: "lib/fediverse/normalise-status.ts",
    from: 'return visibility === "public" ||',
    to: 'return visibility !== "direct" ||',
    tests: ["lib/fediverse/normalise-status.test.ts"],
  },
  {
    rule: "a refusal tag on the profile refuses",
    file: "lib/fediverse/judge-consent.ts",
    from: 'if (author.tags.some((tag) => refusing.has(tag))) return "refusal_tag";',
    to: "",
    tests: ["lib/fediverse/judge-consent.test.ts"],
  },
  {
    rule: "private addresses are refused",
    file: "lib/fediverse/address-rules.ts",
    from: 'parsed.range() !== "unicast" || ',
    to: "",
    tests: ["lib/fediverse/address-rules.test.ts"],
  },
  {
    rule: "addresses outside 2000::/3 are refused",
    file: "lib/fediverse/address-rules.ts",
    from: 'return (parsed as ipaddr.IPv6).match(ipaddr.IPv6.parse("2000::"), 3);',
    to: "return true;",
    tests: ["lib/fediverse/address-rules.test.ts"],
  },
  {
    rule: "a viewer may not review",
    file: "lib/base/http/permissions.ts",
    from: 'viewer: ["read", "keys"],',
    to: 'viewer: ["read", "review", "keys"],',
    tests: ["tests/integration/api/permissions.isolated.test.ts"],
  },
  {
    rule: "an operation needs its scope",
    file: "lib/accounts/route.ts",
    from: "if (op.scope !== null && !has(op.orScope)) authorise(principal, op.scope);",
    to: "",
    tests: ["tests/integration/api/permissions.isolated.test.ts"],
  },
  {
    rule: "nonces never repeat",
    file: "lib/base/seal.ts",
    from: "const nonce = randomBytes(12);",
    to: "const nonce = Buffer.alloc(12);",
    tests: ["lib/base/seal.test.ts"],
  },
  {
    rule: "a sealed value belongs to its context",
    file: "lib/base/seal.ts",
    from: "  cipher.setAAD(Buffer.from(context));",
    to: "",
    tests: ["lib/base/seal.test.ts"],
  },
  {
    rule: "passwords are hashed at the recommended cost",
    file: "lib/accounts/password.ts",
    from: "return hash(canonical(password));",
    to: "return hash(canonical(password), { memoryCost: 8, timeCost: 1 });",
    tests: ["lib/accounts/password.test.ts"],
  },
  {
    rule: "a reservation lasts RESERVE_TIMEOUT_SECONDS",
    file: "lib/queue/reserve-next.ts",
    from: "timeout_seconds: RESERVE_TIMEOUT_SECONDS,",
    to: "timeout_seconds: 300,",
    tests: ["tests/integration/queue/reserve-timeout.test.ts"],
  },
  {
    rule: "an extension lasts RESERVE_TIMEOUT_SECONDS",
    file: "lib/queue/settle-reservation.ts",
    from: "timeout_seconds: env().RESERVE_TIMEOUT_SECONDS,",
    to: "timeout_seconds: 300,",
    tests: ["tests/integration/queue/reserve-timeout.test.ts"],
  },
  {
    rule: "a change of state moves its figure",
    file: "prisma/functions/tally.sql",
    from: "UNION ALL SELECT 'level', key, was, '-infinity', -n FROM s",
    to: "",
    tests: ["tests/integration/statistics/counters.test.ts"],
  },
];

if (process.argv.includes("--list")) {
  for (const { rule } of mutants) console.log(rule);
  process.exit(0);
}
await ensurePrismaClient();
const root = path.resolve(import.meta.dirname, "..");
const copy = mkdtempSync(path.join(tmpdir(), "sluice-mutants-"));
const survivors: string[] = [];
try {
  for (const each of ["app", "components", "lib", "prisma", "tests", "public", "examples"])
    cpSync(path.join(root, each), path.join(copy, each), { recursive: true });
  for (const each of [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vitest.config.ts",
    "oxlint.config.ts",
  ])
    cpSync(path.join(root, each), path.join(copy, each));
  symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  for (const mutant of mutants) {
    const isKilled = kills(mutant);
    console.log(`${isKilled ? "killed  " : "SURVIVED"}  ${mutant.rule}`);
    if (!isKilled) survivors.push(mutant.rule);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${mutants.length - survivors.length} passed, ${survivors.length} failed`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/** @throws Error when the text of the mutant is not in the file exactly once */
function kills({ file, from, to, tests }: Mutant): boolean {
  const target = path.join(copy, file);
  const source = readFileSync(target, "utf8");
  if (source.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
  writeFileSync(
    target,
    source.replace(from, () => to),
  );
  try {
    const { status, stdout } = spawnSync(
      process.execPath,
      ["node_modules/vitest/vitest.mjs", "run", ...tests],
      { cwd: copy, encoding: "utf8", env: { ...process.env, TEST_SLOW: "" } },
    );
    // A run that found no test, or could not start, proves nothing.
    return status !== 0 && /Tests\s.*\d+ failed/.test(stdout);
  } finally {
    writeFileSync(target, source);
  }
}
