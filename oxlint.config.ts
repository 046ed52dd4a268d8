import { defineConfig, type OxlintOverride } from "oxlint";

/*
 * `npm test` lints without the rules that need types; `npm test -- --all` and `npm run lint` use them, too
 * (`--type-aware`).
 *
 * `lib` has twelve rooms. A room imports only rooms that stand before it here; `client` runs in browsers and imports
 * schemas only. docs/architecture.md says what each room does.
 */

export const rooms = [
  "base",
  "accounts",
  "fediverse",
  "media",
  "checks",
  "queue",
  "review",
  "blocking",
  "stats",
  "collect",
  "runtime",
];

/** Imports against that order. Each is of one file by one file, and has its reason. */
const exceptions = [
  // The error of a bot may report an opt-out, which is written with it.
  { file: "lib/queue/settle-reservation.ts", may: "#lib/collect/opt-outs.ts" },
  // The kinds of patterns, which the lists define.
  { file: "lib/queue/hold-changes.ts", may: "#lib/blocking/schema.ts", typesOnly: true },
  // Cards and authors show the blocks that match them.
  { file: "lib/review/deck.ts", may: "#lib/blocking/find-blocks.ts" },
  { file: "lib/review/authors.ts", may: "#lib/blocking/find-blocks.ts" },
  { file: "lib/review/author-schema.ts", may: "#lib/blocking/schema.ts" },
];

/** Modules that may run in a browser: hooks and stores, and the schemas of the rooms. */
const browserModules = ["!#lib/client/**", "!#lib/**/schema.ts", "!#lib/**/*-schema.ts"];
const sql = ["#lib/**/sql.ts", "#lib/**/*-sql.ts"];
const database = ["#lib/base/db.ts", "#lib/base/db-*.ts", "#lib/base/transaction.ts", "#prisma/**"];

interface Pattern {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
}

const screens: Pattern = {
  group: ["#app/**", "#components/**"],
  message: "lib imports no screens: pass in the functions.",
};
const browserCode: Pattern = {
  group: ["#lib/client/**"],
  message: "Move code that the server shares into the schema of its room.",
};
const serverCode: Pattern = {
  group: ["#lib/**", ...browserModules],
  allowTypeImports: true,
  message: "This runs in browsers: it imports schemas and lib/client.",
};

const limit = (files: string, ...patterns: Pattern[]): OxlintOverride => ({
  files: [files],
  rules: { "no-restricted-imports": ["error", { patterns }] },
});

/** @param may the file above that an exception allows */
function rulesOf(room: string, may?: string, typesOnly = false): Pattern[] {
  const above = rooms.slice(rooms.indexOf(room) + 1).map((each) => `#lib/${each}/**`);
  const message = "This room is above: move the shared code down, or call it from above.";
  return [
    screens,
    browserCode,
    { group: may === undefined ? above : [...above, `!${may}`], message },
    ...(may !== undefined && typesOnly ? [{ group: [may], allowTypeImports: true, message }] : []),
    {
      group: [...sql, `!#lib/${room}/**`],
      message: "A room calls another room's operations, never its SQL.",
    },
  ];
}

const typedRules = [
  "await-thenable",
  "no-array-delete",
  "no-base-to-string",
  "no-duplicate-type-constituents",
  "no-floating-promises",
  "no-for-in-array",
  "no-implied-eval",
  "no-redundant-type-constituents",
  "no-unnecessary-type-assertion",
  "no-unsafe-argument",
  "no-unsafe-assignment",
  "no-unsafe-call",
  "no-unsafe-enum-comparison",
  "no-unsafe-member-access",
  "no-unsafe-return",
  "no-unsafe-unary-minus",
  "only-throw-error",
  "prefer-promise-reject-errors",
  "require-await",
  "restrict-plus-operands",
  "restrict-template-expressions",
  "unbound-method",
].map((name) => `typescript/${name}`);
const all = (names: string[], level: "error" | "off") =>
  Object.fromEntries(names.map((name) => [name, level]));

export default defineConfig({
  plugins: ["typescript", "oxc", "import"],
  categories: { correctness: "error" },
  ignorePatterns: ["examples/", "dist/", "/data*/", "prisma/generated/", "next-env.d.ts", "test-results/"],
  rules: {
    eqeqeq: ["error", "always", { null: "ignore" }],
    "no-console": "error",
    "no-unused-vars": [
      "error",
      { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrors: "all", ignoreRestSiblings: true },
    ],
    "import/no-cycle": "error",
    // Named imports are checked by the compiler.
    "import/default": "off",
    "import/named": "off",
    "import/namespace": "off",
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    ...all(typedRules, "error"),
    ...all(
      ["no-misused-spread", "require-array-sort-compare", "no-meaningless-void-operator"].map(
        (name) => `typescript/${name}`,
      ),
      "off",
    ),
    "typescript/no-useless-default-assignment": "off",
  },
  overrides: [
    { files: ["**/*.{js,mjs}"], rules: all(typedRules, "off") },
    {
      files: ["{app,components,lib/client}/**/*.{ts,tsx}"],
      plugins: ["typescript", "oxc", "import", "react", "nextjs"],
      rules: {
        "react/exhaustive-deps": "error",
        // /media serves small, re-encoded pictures; Next would encode them again.
        "nextjs/no-img-element": "off",
      },
    },
    // Output at the terminal.
    { files: ["lib/runtime/**", "tests/**"], rules: { "no-console": "off" } },
    { files: ["lib/runtime/{jobs,import-fenliu}/**"], rules: { "no-console": "error" } },
    ...rooms.map((room) => limit(`lib/${room}/**`, ...rulesOf(room))),
    ...exceptions.map(({ file, may, typesOnly }) =>
      limit(file, ...rulesOf(file.split("/")[1] ?? "", may, typesOnly)),
    ),
    limit("lib/client/**", screens, serverCode),
    limit("components/**", serverCode, {
      group: [...database, ...sql],
      message: "Call an operation in app.",
    }),
    limit("app/**", { group: [...database, ...sql], message: "Call an operation of a room." }),
    { files: ["**/*.test.{ts,tsx}"], rules: { "no-restricted-imports": "off" } },
  ],
});
